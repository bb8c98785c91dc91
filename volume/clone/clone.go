package clone

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Kind is its name in receipts.
const Kind = "clone"

// Want is a guest to be made.
type Want struct {
	Guest    string   `json:"guest"`          // what the run calls it
	On       string   `json:"on"`             // the host of its hypervisor
	Kind     string   `json:"kind"`           // of hypervisor, as in cluster.yaml
	Template string   `json:"template"`       // or the source of an image
	Full     bool     `json:"full,omitempty"` // its disks are copies, not linked to the template's
	Among    []string `json:"-"`              // the hosts that may have the template
	Image    *Image   `json:"-"`              // nil where there is a template
}

// Alike reports whether two guests are made from the same source on the same
// host.
func (w Want) Alike(other Want) bool {
	return w.On == other.On && w.Kind == other.Kind && w.Template == other.Template && w.Full == other.Full && reflect.DeepEqual(w.Image, other.Image)
}

// Template is what clones are made of.
type Template struct {
	From   string // the host that has it
	CPUs   int
	Memory int64 // B
	Disks  []Disk

	image *newGuest // nil for an existing template
}

// Disk is a disk of a template; each clone gets its own.
type Disk struct {
	Name    string // vda, scsi0
	Storage string
	Bytes   int64 // maximum size
	Shared  bool  // its storage is shared by all hosts

	base, format string // libvirt: path and format
}

// Volume makes guests. Only one that can reach their hypervisors can: see Across.
type Volume struct{ hosts map[string]assay.Place }

// New returns the volume.
func New() Volume { return Volume{} }

// Kind is its name in receipts.
func (Volume) Kind() string { return Kind }

// Across returns the volume with the places of hosts, by name.
func (v Volume) Across(hosts map[string]assay.Place) assay.Journalled {
	v.hosts = hosts
	return v
}

// With is Across for callers that make guests.
func (v Volume) With(hosts map[string]assay.Place) Volume {
	v.hosts = hosts
	return v
}

// The roles of names in a receipt.
const (
	roleName = "guest" // what its hypervisor calls it
	roleHow  = "how"   // how as JSON
)

// how says what a clone is made of.
type how struct {
	Want
	From  string `json:"from"` // the host that has the template
	Disks []made `json:"disks,omitempty"`
}

// made is a volume made for a clone, if the hypervisor has to be told of it.
type made struct {
	Storage string `json:"storage"`
	Name    string `json:"name"`
	disk    Disk   // what it is made of; unset in a receipt that was read
	seed    bool   // or it is the seed for cloud-init
}

// order is the clone of a receipt.
type order struct {
	how
	id, name string
	of       Template // unset for a receipt that was read
}

var (
	safeID      = lazyregexp.New(`^[0-9a-f]{16}$`)
	storageName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$`)
	hostName    = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)
)

// prefix begins all names that assay gives.
const prefix = "assay-"

// Name returns what the hypervisor of that kind calls the clone of a receipt with
// that id.
func Name(kind, id string) string {
	if k := kindOf(kind); k != nil {
		return k.name(id)
	}
	return ""
}

// at returns the place of a host.
func (v Volume) at(host string) (assay.Place, error) {
	if at := v.hosts[host]; at != nil {
		return at, nil
	}
	return nil, assay.WithHint("give the cluster.yaml that says how to reach it: assay cleanup -i cluster.yaml", "host %s, on which a guest is made or destroyed, is not reachable from here", host)
}

// Look returns the template of a guest to be made. It refuses one that cannot be cloned on
// that host, and changes nothing.
func (v Volume) Look(ctx context.Context, w Want) (Template, error) {
	k := kindOf(w.Kind)
	if k == nil {
		return Template{}, fmt.Errorf("%s: hypervisors of kind %q have no clones", w.Guest, w.Kind)
	}
	if w.Image != nil {
		return k.images.look(ctx, v, w)
	}
	return k.look(ctx, v, w)
}

// Reserve names a guest, and checks that the name is free. It makes nothing.
func (v Volume) Reserve(ctx context.Context, id string, w Want, t Template) (assay.Receipt, error) {
	k := kindOf(w.Kind)
	if k == nil || !safeID.MatchString(id) {
		return assay.Receipt{}, fmt.Errorf("%s: no guest of kind %q with id %q can be made", w.Guest, w.Kind, id)
	}
	o := order{how: how{Want: w, From: t.From}, id: id, name: k.name(id)}
	o.Disks = k.disks(id, t)
	if err := k.free(ctx, v, o); err != nil {
		return assay.Receipt{}, err
	}
	text, err := json.Marshal(o.how)
	if err != nil {
		return assay.Receipt{}, err
	}
	r := assay.Receipt{
		ID: id, Volume: Kind, Host: t.From, Subject: w.Guest + ", a clone of " + w.Template + " on " + w.On, Bytes: t.bytes(),
		Names: map[string]string{roleName: o.name, roleHow: string(text)},
	}
	if w.On != t.From {
		r.Also = []string{w.On}
	}
	_, err = read(r)
	return r, err
}

// bytes returns the size that a clone's disks may grow to.
func (t Template) bytes() (n int64) {
	for _, d := range t.Disks {
		n += d.Bytes
	}
	return n
}

// read refuses a receipt that Reserve would not have made: it comes from a file, and Release
// destroys the guest that it names.
func read(r assay.Receipt) (o order, err error) {
	o = order{id: r.ID, name: r.Names[roleName]}
	err = json.Unmarshal([]byte(r.Names[roleHow]), &o.how)
	k := kindOf(o.Kind)
	sound := err == nil && k != nil && r.Volume == Kind && safeID.MatchString(r.ID) && o.name == k.name(r.ID) &&
		r.Host == o.From && hostName.MatchString(o.From) && hostName.MatchString(o.On) && k.makes(o.Template) &&
		(o.On == o.From && len(r.Also) == 0 || slices.Equal(r.Also, []string{o.On})) &&
		!slices.ContainsFunc(o.Disks, func(d made) bool {
			return !storageName.MatchString(d.Storage) || !strings.HasPrefix(d.Name, prefix+r.ID+"-") || !storageName.MatchString(d.Name)
		})
	if !sound {
		return order{}, fmt.Errorf("receipt %q is not for a guest that assay makes", r.ID)
	}
	return o, nil
}

// Make makes the guest of a receipt, and starts it. t is what Look returned.
func (v Volume) Make(ctx context.Context, r assay.Receipt, t Template) error {
	o, err := read(r)
	if err != nil {
		return err
	}
	k := kindOf(o.Kind)
	o.Disks, o.of = k.disks(r.ID, t), t
	return k.make(ctx, v, o)
}

// Running reports whether the guest of a receipt runs.
func (v Volume) Running(ctx context.Context, r assay.Receipt) (bool, error) {
	o, err := read(r)
	if err != nil {
		return false, err
	}
	return kindOf(o.Kind).runs(ctx, v, o)
}

// Release destroys the guest with its disks, however far it was made and whatever state it is
// in, and checks that both are gone. It is idempotent. at is used only without Across.
func (v Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	o, err := read(r)
	if err != nil {
		return err
	}
	if at != nil && v.hosts == nil {
		v.hosts = map[string]assay.Place{at.Host().Name: at}
	}
	return kindOf(o.Kind).remove(ctx, v, o)
}

// Takes names the host that disappears with a guest, and returns the error that commands
// on it end with then.
func (Volume) Takes(r assay.Receipt) (hosts []string, gone error) {
	o, err := read(r)
	if err != nil {
		return nil, nil
	}
	return []string{o.Guest}, Gone(o.Guest)
}

// Gone returns the error of commands in a guest that was destroyed.
func Gone(guest string) error {
	return fmt.Errorf("%s was made for a run and %w: %w", guest, assay.ErrDestroyed, assay.ErrHostGone)
}

// isGone reports whether err means not found, which is fine for something to be removed.
func isGone(err error) bool { return errors.Is(err, assay.ErrNotFound) }

package drbd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/sleep"
	"assay/stacks/drbd"
	"assay/volume"
)

// Kind is the volume's name in receipts and suites.
const Kind = "drbd"

// least is the smallest space worth lending, in bytes.
const least = 64 << 20

// prefix begins the names of assay's resources and logical volumes.
const prefix = "assay-"

// Volume lends resources. Only one that can reach all hosts can (see Among).
type Volume struct {
	hosts   volume.Ways
	connect time.Duration // how long the hosts may take to find each other
}

// New returns the volume.
func New() Volume { return Volume{connect: 90 * time.Second} }

// Kind is the volume's name in receipts and suites.
func (Volume) Kind() string { return Kind }

// Among implements assay.Spread.
func (v Volume) Among(hosts map[string]assay.Place) assay.Volume {
	v.hosts = hosts
	return v
}

// The roles of names in a receipt.
const (
	roleResource = "resource"
	roleHow      = "how" // how as JSON
)

// how says what is lent.
type how struct {
	Minor    int           `json:"minor"`
	Port     int           `json:"port"`
	Major    int           `json:"major"` // version of DRBD, 8 or 9
	Protocol string        `json:"protocol"`
	Alone    bool          `json:"alone,omitempty"`
	Common   []drbd.Option `json:"common,omitempty"` // as the measuring host has them for all its resources
	Under    string        `json:"under"`            // kind of backing
	Replicas []replica     `json:"replicas"`         // the first measures
}

// replica is one host's part.
type replica struct {
	Host    string        `json:"host"`
	Node    string        `json:"node"` // as uname -n calls it, by which drbdadm finds itself
	Address string        `json:"address"`
	Version string        `json:"version,omitempty"` // of DRBD there
	Backing assay.Receipt `json:"backing"`
}

// resource is the resource of a receipt.
type resource struct {
	how
	Name string
}

// device returns the path of the replicated device.
func (r resource) device() string { return fmt.Sprintf("/dev/drbd%d", r.Minor) }

// file returns the path of its configuration on each host.
func (r resource) file() string { return "/run/" + r.Name + ".res" }

// Reserve looks at all hosts, chooses a minor and a port that none of them uses, and names
// the space under each replica.
func (v Volume) Reserve(ctx context.Context, at assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if err := assay.CheckID(want.ID); err != nil {
		return assay.Receipt{}, err
	}
	set, err := wanted(s.Params, want.Way)
	if err != nil {
		return assay.Receipt{}, err
	}
	h := how{Protocol: set[WayProtocol], Alone: set[WayAlone] == yes, Under: s.Params[paramKind]}
	under := backings[h.Under]
	if under == nil {
		return assay.Receipt{}, fmt.Errorf("%s: nothing says where the replicas are made", s.ID)
	}
	var seen []sight
	for _, host := range hostsOf(s) {
		place, err := v.at(at, host)
		if err != nil {
			return assay.Receipt{}, err
		}
		one, err := look(ctx, place)
		if err != nil {
			return assay.Receipt{}, err
		}
		seen = append(seen, one)
		inner := assay.Request{ID: want.ID, Bytes: backingBytes(want.Bytes)}
		r := replica{Host: host, Node: one.node, Address: s.Params[addressPrefix+host], Version: one.version}
		if r.Backing, err = under.reserve(ctx, place, s.Params[paramOf], inner); err != nil {
			return assay.Receipt{}, err
		}
		h.Replicas = append(h.Replicas, r)
	}
	if err := h.choose(want.ID, seen); err != nil {
		return assay.Receipt{}, err
	}
	r := assay.Receipt{ID: want.ID, Volume: Kind, Host: s.Host, Subject: s.ID, Bytes: want.Bytes, Way: want.Way}
	for _, one := range h.Replicas[1:] {
		r.Also = append(r.Also, one.Host)
	}
	text, err := json.Marshal(h)
	if err != nil {
		return assay.Receipt{}, err
	}
	r.Names = map[string]string{roleResource: prefix + want.ID, roleHow: string(text)}
	_, err = read(r)
	return r, err
}

// wanted merges the tier's settings with the way's, which take precedence.
func wanted(params map[string]string, way assay.Way) (assay.Way, error) {
	if err := check(way); err != nil {
		return nil, err
	}
	all := assay.Way{}
	for key, value := range params {
		if name, is := strings.CutPrefix(key, setPrefix); is {
			all[name] = value
		}
	}
	maps.Copy(all, way)
	return all, check(all)
}

// hostsOf returns the hosts of the replicas, the measuring one first.
func hostsOf(s assay.Subject) []string {
	all := []string{s.Host}
	for _, key := range slices.Sorted(maps.Keys(s.Params)) {
		if host, is := strings.CutPrefix(key, addressPrefix); is && host != s.Host {
			all = append(all, host)
		}
	}
	return all
}

// backingBytes returns what a replica takes including DRBD's metadata at its end: a bit per 4
// KiB for each peer, and the activity log (DRBD user's guide, "Estimating metadata size").
func backingBytes(bytes int64) int64 { return bytes + bytes/(4096*8)*mostReplicas + 4<<20 }

// at returns the place of a host that has a replica.
func (v Volume) at(here assay.Place, host string) (assay.Place, error) {
	return v.hosts.To(here, host, "which has a replica")
}

var (
	hostName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)
	// What a receipt says ends up in a configuration.
	nodeName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
)

// read refuses a receipt that Reserve would not have made: it comes from a file, and
// Release takes down the resource that it names.
func read(r assay.Receipt) (resource, error) {
	all := resource{Name: r.Names[roleResource]}
	wrong := fmt.Errorf("receipt %q is not for a DRBD resource that assay lends", r.ID)
	if err := json.Unmarshal([]byte(r.Names[roleHow]), &all.how); err != nil || r.Volume != Kind || !assay.SafeID(r.ID) || all.Name != prefix+r.ID {
		return resource{}, wrong
	}
	valid := all.Minor >= firstMinor && all.Minor < firstMinor+manyMinors && all.Port >= firstPort && all.Port < firstPort+manyPorts &&
		(all.Major == 8 || all.Major == 9) && slices.Contains(known[WayProtocol], all.Protocol) && backings[all.Under] != nil &&
		len(all.Replicas) >= fewestReplicas && len(all.Replicas) <= mostReplicas && all.Replicas[0].Host == r.Host
	for _, o := range all.Common {
		valid = valid && o.Valid()
	}
	for _, one := range all.Replicas {
		address, err := netip.ParseAddr(one.Address)
		valid = valid && err == nil && address.Zone() == "" && hostName.MatchString(one.Host) && nodeName.MatchString(one.Node) && one.Backing.ID == r.ID
	}
	if !valid {
		return resource{}, wrong
	}
	return all, nil
}

// Lend makes the replicas, connects them as identical, and makes the measuring host
// primary.
func (v Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	res, err := read(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	var places []assay.Place
	for _, one := range res.Replicas {
		place, err := v.at(at, one.Host)
		if err != nil {
			return assay.Scratch{}, err
		}
		if there, err := present(ctx, place, res.Name); err != nil || there {
			return assay.Scratch{}, errors.Join(err, taken(there, res.Name, place))
		}
		places = append(places, place)
	}
	devices := make([]string, len(places))
	for i, place := range places {
		if devices[i], err = backings[res.Under].lend(ctx, place, res.Replicas[i].Backing); err != nil {
			return assay.Scratch{}, fmt.Errorf("replica on %s: %w", place.Host().Name, err)
		}
	}
	text := res.configuration(devices)
	for _, place := range places {
		if err := up(ctx, place, res, text); err != nil {
			return assay.Scratch{}, err
		}
	}
	if err := v.connected(ctx, places, res); err != nil {
		return assay.Scratch{}, err
	}
	if err := primary(ctx, places, res); err != nil {
		return assay.Scratch{}, err
	}
	bytes, err := sizeOf(ctx, at, res.device())
	if err != nil {
		return assay.Scratch{}, err
	}
	if bytes < min(least, r.Bytes) {
		return assay.Scratch{}, fmt.Errorf("%s on %s: %w: it has %d MiB", res.device(), at.Host().Name, assay.ErrNoSpace, bytes>>20)
	}
	return assay.Scratch{File: res.device(), Bytes: min(bytes, r.Bytes), Devices: []string{strings.TrimPrefix(res.device(), "/dev/")}}, nil
}

func taken(there bool, name string, at assay.Place) error {
	if !there {
		return nil
	}
	return fmt.Errorf("resource %s on %s is there already: %w", name, at.Host().Name, assay.ErrBusy)
}

// connected waits until all replicas see each other, declares them identical, and waits until
// all are up to date. Their contents do not matter: everything is written before it is read.
func (v Volume) connected(ctx context.Context, places []assay.Place, res resource) error {
	peers := len(places) - 1
	if err := v.await(ctx, places, res, func(s drbd.State) []string {
		return unconnected(s, peers)
	}); err != nil {
		return err
	}
	if _, err := drbd.Ask(ctx, places[0], "drbdsetup", "new-current-uuid", "--clear-bitmap", fmt.Sprint(res.Minor)); err != nil {
		return err
	}
	return v.await(ctx, places, res, func(s drbd.State) []string { return s.Troubles(peers) })
}

// unconnected returns a complaint while peers are missing.
func unconnected(s drbd.State, peers int) []string {
	n := 0
	for _, p := range s.Peers {
		if p.Connection == "Connected" {
			n++
		}
	}
	if n < peers {
		return []string{fmt.Sprintf("%d of %d peers are connected", n, peers)}
	}
	return nil
}

// await waits until no host objects to the state that it sees.
func (v Volume) await(ctx context.Context, places []assay.Place, res resource, against func(drbd.State) []string) error {
	for begun := time.Now(); ; {
		var why []string
		for _, place := range places {
			s, err := stateOf(ctx, place, res)
			if err != nil {
				return err
			}
			for _, words := range against(s) {
				why = append(why, place.Host().Name+": "+words)
			}
		}
		switch {
		case len(why) == 0:
			return nil
		case time.Since(begun) > v.connect:
			return assay.WithHint(fmt.Sprintf("check that the addresses under replicas are theirs and that no firewall keeps port %d of TCP shut", res.Port),
				"the replicas of %s are not in sync after %s: %s: %w", res.Name, v.connect, strings.Join(why, "; "), assay.ErrTimeout)
		}
		if err := sleep.For(ctx, pause); err != nil {
			return err
		}
	}
}

// primary makes the first host primary. A resource that is to be alone then drops
// its peers.
func primary(ctx context.Context, places []assay.Place, res resource) error {
	if _, err := res.adm(ctx, places[0], "primary"); err != nil {
		return err
	}
	if !res.Alone {
		return nil
	}
	for try := 1; ; try++ {
		_, err := res.adm(ctx, places[0], "disconnect")
		if err == nil || try == hurried {
			return err
		}
		if err := sleep.For(ctx, pause); err != nil {
			return err
		}
	}
}

// hurried is how often drbdadm is tried: it gives what it runs a few seconds and then gives up
// silently, which a busy host soon exceeds.
const hurried = 5

// Release takes the resource down on each host that has it, the measuring one first, and
// releases the space under it.
func (v Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	res, err := read(r)
	if err != nil {
		return err
	}
	var all []error
	for _, one := range res.Replicas {
		place, err := v.at(at, one.Host)
		if err == nil {
			err = down(ctx, place, res)
		}
		if err == nil {
			err = backings[res.Under].release(ctx, place, one.Backing)
		}
		if err != nil {
			all = append(all, err)
		}
	}
	return errors.Join(all...)
}

// tries is how often an operation on something briefly busy is tried: udev looks at each
// device that was closed.
const tries = 40

// pause is the time between two looks at something slow.
const pause = 500 * time.Millisecond

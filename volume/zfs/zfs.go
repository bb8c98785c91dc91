package zfs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/stacks/zfs"
)

// Kind is the volume's name in receipts and suites.
const Kind = "zfs"

// Least is the smallest space worth lending, in bytes.
const Least = 64 << 20

// Volume lends datasets and zvols.
type Volume struct{}

// New returns the volume.
func New() Volume { return Volume{} }

// Kind is the volume's name in receipts and suites.
func (Volume) Kind() string { return Kind }

// The roles of names in a receipt.
const (
	roleDataset = "dataset" // created, or measured in
	roleHow     = "how"     // how as JSON
)

// how says what is lent.
type how struct {
	Below    string            `json:"below"` // the pool or dataset that the user named
	GUID     string            `json:"guid"`  // of its pool
	Zvol     bool              `json:"zvol,omitempty"`
	Existing bool              `json:"existing,omitempty"`
	Despite  bool              `json:"despite_health,omitempty"`
	Set      map[string]string `json:"set,omitempty"` // settings, as zfs get -p prints them
	// What Recheck compares with.
	Were map[string]string `json:"were,omitempty"` // all settings of the dataset named, in force when it was reserved
	Scan string            `json:"scan,omitempty"` // the last scrub then
	Room int64             `json:"room,omitempty"` // what was available then, B; 0 if that was not told
}

// Reserve names a dataset below the given one or, for an existing one, reads the
// settings that change.
func (Volume) Reserve(ctx context.Context, at assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if err := assay.CheckID(want.ID); err != nil {
		return assay.Receipt{}, err
	}
	h := how{Below: s.Params[paramDataset], Zvol: s.Params[paramZvol] == "true", Existing: s.Params[paramExisting] == "true", Despite: s.Params[paramDespite] == "true"}
	if !zfs.ValidDataset(h.Below) {
		return assay.Receipt{}, fmt.Errorf("%s: the dataset is missing", s.ID)
	}
	if err := want.Way.Check(Kind, knownTo(h.Zvol)...); err != nil {
		return assay.Receipt{}, err
	}
	var err error
	if h.Set, err = wanted(s.Params, want.Way); err != nil {
		return assay.Receipt{}, err
	}
	pools, err := pools(ctx, at, zfs.PoolOf(h.Below))
	if err != nil {
		return assay.Receipt{}, err
	}
	h.GUID = pools[0].GUID
	if err := h.note(ctx, at); err != nil {
		return assay.Receipt{}, err
	}
	r := assay.Receipt{ID: want.ID, Volume: Kind, Host: s.Host, Subject: s.ID, Bytes: want.Bytes, Way: want.Way,
		Names: map[string]string{roleDataset: h.Below + "/" + prefix + want.ID}}
	if h.Existing {
		r.Names[roleDataset] = h.Below
		if r.Restore, err = before(ctx, at, h); err != nil {
			return assay.Receipt{}, err
		}
	}
	text, err := json.Marshal(h)
	r.Names[roleHow] = string(text)
	return r, err
}

// prefix begins the names of assay's datasets.
const prefix = "assay-"

// wanted merges the tier's settings and the way's, which take precedence.
func wanted(params map[string]string, way assay.Way) (map[string]string, error) {
	all := map[string]string{}
	for key, value := range params {
		if name, is := strings.CutPrefix(key, setPrefix); is {
			all[name] = value
		}
	}
	maps.Copy(all, way)
	for name, value := range all {
		text, err := canonical(name, value)
		if err != nil {
			return nil, err
		}
		all[name] = text
	}
	return all, nil
}

// read parses a receipt, and rejects one that Reserve would not have made: it comes
// from a file, and Release destroys the dataset that it names.
func read(r assay.Receipt) (dataset string, h how, err error) {
	dataset = r.Names[roleDataset]
	err = json.Unmarshal([]byte(r.Names[roleHow]), &h)
	want := h.Below + "/" + prefix + r.ID
	if h.Existing {
		want = h.Below
	}
	if err != nil || r.Volume != Kind || !assay.SafeID(r.ID) || dataset != want || !zfs.ValidDataset(dataset) || h.Existing && h.Zvol {
		return "", how{}, fmt.Errorf("receipt %q is not for a dataset that assay lends", r.ID)
	}
	for name, value := range h.Set {
		if text, err := canonical(name, value); !slices.Contains(knownTo(h.Zvol), name) || err != nil || text != value {
			return "", how{}, fmt.Errorf("receipt %q would set %s to %q", r.ID, name, value)
		}
	}
	for _, p := range r.Restore {
		_, changed := h.Set[p.Name]
		valid := p.Value == ""
		if !valid && changed {
			_, err := canonical(p.Name, p.Value)
			valid = err == nil
		}
		if !h.Existing || p.Of != dataset || !changed && p.Name != propertyLent || !valid {
			return "", how{}, fmt.Errorf("receipt %q would set %s of %s to %q", r.ID, p.Name, p.Of, p.Value)
		}
	}
	return dataset, h, nil
}

// Lend creates the dataset, after checking the pool's health and room.
func (Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	dataset, h, err := read(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	if err := healthy(ctx, at, zfs.PoolOf(dataset), h.Despite); err != nil {
		return assay.Scratch{}, err
	}
	if h.Existing {
		return lendExisting(ctx, at, r, h)
	}
	bytes, err := room(ctx, at, h.Below, r.Bytes)
	if err != nil {
		return assay.Scratch{}, err
	}
	if h.Zvol {
		return makeZvol(ctx, at, r.ID, dataset, h.Set, bytes)
	}
	return makeFileSystem(ctx, at, r.ID, dataset, h.Set, bytes)
}

// healthy refuses a pool whose figures would mean little, unless they are wanted
// anyway. A suspended pool cannot be measured at all.
func healthy(ctx context.Context, at assay.Place, pool string, despite bool) error {
	status, err := statusOf(ctx, at, pool)
	if err != nil {
		return err
	}
	why := status.Disturbed()
	switch {
	case status.Suspended():
		return assay.WithHint("see zpool status "+pool+"; zpool clear "+pool+" resumes it once its devices are back",
			"pool %s on %s cannot be measured: %s", pool, at.Host().Name, strings.Join(why, ", "))
	case len(why) > 0 && !despite:
		return assay.WithHint("wait until it is ONLINE and idle (zpool scrub -p "+pool+" pauses a scrub), or set despite_health: true in the tier",
			"pool %s on %s is not measured now: %s", pool, at.Host().Name, strings.Join(why, ", "))
	}
	return nil
}

func statusOf(ctx context.Context, at assay.Place, pool string) (zfs.Status, error) {
	text, err := zfs.Ask(ctx, at, "zpool", "status", "-P", "-L", pool)
	if err != nil {
		return zfs.Status{}, err
	}
	return zfs.ReadStatus(text)
}

// room returns how much may be written below a dataset: what is asked for, or what
// leaves assay.KeepFree.
func room(ctx context.Context, at assay.Place, dataset string, want int64) (int64, error) {
	text, err := zfs.Ask(ctx, at, "zfs", "get", "-H", "-p", "-o", "name,property,value,source", "available,used,type", dataset)
	if err != nil {
		return 0, err
	}
	s, err := readSpace(zfs.ReadProperties(text))
	if err != nil {
		return 0, fmt.Errorf("%s: zfs get %s: %w", at.Host().Name, dataset, err)
	}
	if s.kind != "filesystem" {
		return 0, fmt.Errorf("%s on %s is a %s: nothing can be made below it", dataset, at.Host().Name, s.kind)
	}
	keep := assay.KeepFree(s.free + s.used)
	bytes := min(want, s.free-keep)
	if bytes < min(Least, want) {
		return 0, assay.WithHint("free some space there, or raise its quota", "%w in %s on %s: %d MiB are available; assay leaves %d MiB unused",
			assay.ErrNoSpace, dataset, at.Host().Name, s.free>>20, keep>>20)
	}
	return bytes, nil
}

// Release destroys what was created, or restores what was changed, and verifies that.
func (Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	dataset, h, err := read(r)
	if err != nil {
		return err
	}
	pool, err := imported(ctx, at, zfs.PoolOf(dataset), h.GUID)
	if err != nil {
		return err
	}
	now := pool + strings.TrimPrefix(dataset, zfs.PoolOf(dataset))
	if h.Existing {
		return releaseExisting(ctx, at, r, h, now)
	}
	return destroy(ctx, at, r.ID, now, h.Zvol)
}

// imported returns the current name of the pool with a GUID.
func imported(ctx context.Context, at assay.Place, was, guid string) (string, error) {
	all, err := pools(ctx, at)
	if err != nil && !errors.Is(err, assay.ErrNoOutput) {
		return "", err
	}
	i := slices.IndexFunc(all, func(p zfs.Pool) bool { return p.GUID == guid })
	if i < 0 {
		return "", assay.WithHint("zpool import "+guid+", then run: assay cleanup", "pool %s (GUID %s) is not imported on %s", was, guid, at.Host().Name)
	}
	if all[i].Health == "SUSPENDED" {
		return "", assay.WithHint("zpool clear "+all[i].Name+" once its devices are back, then run: assay cleanup", "pool %s on %s is suspended", all[i].Name, at.Host().Name)
	}
	return all[i].Name, nil
}

func pools(ctx context.Context, at assay.Place, names ...string) ([]zfs.Pool, error) {
	text, err := zfs.Ask(ctx, at, append([]string{"zpool", "list", "-H", "-p", "-o", zfs.PoolColumns}, names...)...)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(string(text), "no pools available") {
		text = nil
	}
	return zfs.ReadPools(text)
}

// pause is the interval between polls of something slow.
const pause = 500 * time.Millisecond

package vmdisk

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
	"assay/internal/lazyregexp"
	"assay/internal/sleep"
	"assay/inventory/beneath"
)

// Kind is the volume's name in receipts and suites.
const Kind = "vmdisk"

// Settings of a case's lend: how the hypervisor attaches the disk.
const (
	WayBus      = "bus"
	WayCache    = "cache"
	WayAIO      = "aio"
	WayIOThread = "iothread"
)

const (
	virtio, scsi = "virtio", "scsi"
	on, off      = "on", "off"
	cacheNone    = "none"
)

// known lists the allowed values of each setting.
var known = map[string][]string{
	WayBus:      {virtio, scsi},
	WayCache:    {cacheNone, "writeback", "writethrough", "directsync", "unsafe"},
	WayAIO:      {"io_uring", "native", "threads"},
	WayIOThread: {on, off},
}

// check rejects an unknown way, and one that QEMU refuses.
func check(way assay.Way) error {
	if err := way.Check(Kind, slices.Sorted(maps.Keys(known))...); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(way)) {
		if !slices.Contains(known[name], way[name]) {
			return fmt.Errorf("%s volumes cannot be lent with %s=%s: it is one of %s", Kind, name, way[name], strings.Join(known[name], ", "))
		}
	}
	// QEMU's native AIO requires direct I/O.
	if way[WayAIO] == "native" && !slices.Contains([]string{"", cacheNone, "directsync"}, way[WayCache]) {
		return assay.WithHint("use cache=none or directsync with it, or aio=threads or io_uring",
			"aio=native needs direct I/O, but cache=%s goes through the page cache", way[WayCache])
	}
	return nil
}

// Least is the smallest disk worth lending, in bytes.
const Least = 64 << 20

// Volume lends disks to guests.
type Volume struct {
	unplug time.Duration // how long a guest may take to let a disk go
}

// New returns the volume.
func New() Volume { return Volume{unplug: 90 * time.Second} }

// Kind is the volume's name in receipts and suites.
func (Volume) Kind() string { return Kind }

// WhileOff marks that Release works while the guest is off.
func (Volume) WhileOff() {}

// The roles of names in a receipt.
const (
	roleVolume = "volume" // in the storage
	roleSerial = "serial" // as the guest sees it
	roleHow    = "how"    // how as JSON
)

// how says where the disk is made and how it is attached.
type how struct {
	On      string            `json:"on"`   // the hypervisor's host
	Kind    string            `json:"kind"` // of hypervisor
	Guest   string            `json:"guest"`
	Storage string            `json:"storage"`
	Set     map[string]string `json:"set"`              // each setting that there is, "" where the hypervisor chooses
	Thread  int               `json:"thread,omitempty"` // of libvirt, made for the disk

	FileSystem string `json:"filesystem,omitempty"` // made in the guest
}

// disk is the disk of a receipt.
type disk struct {
	how
	Volume, Serial string
}

var (
	storageName = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_.-]{0,62}$`)
	hostName    = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)
)

// prefix begins the names and serials of assay's disks. A virtio-blk serial has at most
// 20 bytes.
const (
	prefix     = "assay-"
	serialRoom = 20 - len(prefix)
)

func serialOf(id string) string { return prefix + id[:min(len(id), serialRoom)] }

// wanted merges the tier's settings and the way's, which take precedence.
func wanted(params map[string]string, way assay.Way) (map[string]string, error) {
	set := assay.Way{}
	for key, value := range params {
		if name, is := strings.CutPrefix(key, setPrefix); is {
			set[name] = value
		}
	}
	maps.Copy(set, way)
	if err := check(set); err != nil {
		return nil, err
	}
	if set[WayCache] == "" {
		set[WayCache] = cacheNone
	}
	if set[WayIOThread] == "" {
		set[WayIOThread] = off
	}
	return set, nil
}

// Reserve names a volume and its serial.
func (Volume) Reserve(ctx context.Context, at assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if err := assay.CheckID(want.ID); err != nil {
		return assay.Receipt{}, err
	}
	if err := check(want.Way); err != nil {
		return assay.Receipt{}, err
	}
	h := how{On: s.Params[paramOn], Kind: s.Params[paramKind], Guest: s.Params[paramGuest], Storage: s.Params[paramStorage],
		FileSystem: s.Params[paramFileSystem]}
	var err error
	if h.Set, err = wanted(s.Params, want.Way); err != nil {
		return assay.Receipt{}, err
	}
	k := kindOf(h.Kind)
	if k == nil {
		return assay.Receipt{}, fmt.Errorf("%s: no disk can be attached by a hypervisor of kind %q", s.ID, h.Kind)
	}
	if h.Set[WayBus] == "" {
		h.Set[WayBus] = k.bus
	}
	d := disk{how: h, Volume: k.volume(h.Guest, want.ID), Serial: serialOf(want.ID)}
	if d.Thread, err = reserveThread(ctx, at, *k, d); err != nil {
		return assay.Receipt{}, err
	}
	r := assay.Receipt{ID: want.ID, Volume: Kind, Host: s.Host, Subject: s.ID, Bytes: want.Bytes, Way: want.Way}
	text, err := json.Marshal(d.how)
	r.Names = map[string]string{roleVolume: d.Volume, roleSerial: d.Serial, roleHow: string(text)}
	if err == nil {
		_, err = read(r)
	}
	return r, err
}

// reserveThread chooses the disk's own thread, if the hypervisor needs to be given
// one; 0 for none.
func reserveThread(ctx context.Context, at assay.Place, k kind, d disk) (int, error) {
	if d.Set[WayIOThread] != on || k.thread == nil {
		return 0, nil
	}
	below, err := hypervisorOf(at, d.how)
	if err != nil {
		return 0, err
	}
	return k.thread(ctx, below, d)
}

// read parses a receipt, and rejects one that Reserve would not have made: it comes
// from a file, and Release deletes the volume that it names.
func read(r assay.Receipt) (d disk, err error) {
	d = disk{Volume: r.Names[roleVolume], Serial: r.Names[roleSerial]}
	err = json.Unmarshal([]byte(r.Names[roleHow]), &d.how)
	k := kindOf(d.Kind)
	if err != nil || k == nil || r.Volume != Kind || !assay.SafeID(r.ID) || d.Serial != serialOf(r.ID) ||
		!k.guest.MatchString(d.Guest) || d.Volume != k.volume(d.Guest, r.ID) ||
		!storageName.MatchString(d.Storage) || !hostName.MatchString(d.On) || d.Thread < 0 || check(d.Set) != nil || checkFileSystem(d.FileSystem) != nil || d.Set[WayBus] == "" {
		return disk{}, fmt.Errorf("receipt %q is not for a disk that assay lends", r.ID)
	}
	return d, nil
}

// hypervisorOf returns the place of a receipt's hypervisor, from the guest's.
func hypervisorOf(at assay.Place, h how) (assay.Place, error) {
	g, is := at.(assay.Guest)
	if !is {
		return nil, fmt.Errorf("host %s is no virtual machine that is reached through its hypervisor", at.Host().Name)
	}
	below := g.Hypervisor()
	if below.Host().Name != h.On {
		return nil, assay.WithHint("give the cluster.yaml in which "+at.Host().Name+" is on "+h.On,
			"VM %s is now on %s, and its disk was made on %s", at.Host().Name, below.Host().Name, h.On)
	}
	return below, nil
}

// Lend creates the volume, attaches it, and finds it in the guest.
func (Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	d, err := read(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	below, err := hypervisorOf(at, d.how)
	if err != nil {
		return assay.Scratch{}, err
	}
	h := kindOf(d.Kind).of(below, d)
	if err := h.ready(ctx); err != nil {
		return assay.Scratch{}, err
	}
	bytes, err := room(ctx, h, below, d, r.Bytes)
	if err != nil {
		return assay.Scratch{}, err
	}
	if err := h.create(ctx, bytes); err != nil {
		return assay.Scratch{}, err
	}
	if err := h.attach(ctx); err != nil {
		return assay.Scratch{}, err
	}
	as, attached, err := h.attached(ctx)
	if err == nil && !attached {
		err = fmt.Errorf("%s reported attaching %s to %s, but the VM does not list that disk", d.On, d.Volume, d.Guest)
	}
	if err != nil {
		return assay.Scratch{}, err
	}
	as.Device = beneath.Device(ctx, below, d.Kind, as)
	found, err := find(ctx, at, d.Serial)
	if err != nil {
		return assay.Scratch{}, err
	}
	if found.bytes < bytes {
		return assay.Scratch{}, fmt.Errorf("the disk %s in %s has %d bytes, and %d were made", d.Serial, at.Host().Name, found.bytes, bytes)
	}
	lent := assay.Scratch{File: found.path, Bytes: bytes, Devices: []string{found.name}, Disk: &as}
	if d.FileSystem == "" {
		return lent, nil
	}
	if lent.Dir, lent.Bytes, err = mount(ctx, at, d.FileSystem, found.path, r.ID); err != nil {
		return assay.Scratch{}, err
	}
	lent.File = lent.Dir + "/data"
	return lent, nil
}

// room returns how large the disk may be: the size asked for, or what leaves
// assay.KeepFree, in whole MiB.
func room(ctx context.Context, h hypervisor, below assay.Place, d disk, want int64) (int64, error) {
	free, size, err := h.room(ctx)
	if err != nil {
		return 0, fmt.Errorf("storage %s: %w", d.Storage, err)
	}
	keep := assay.KeepFree(size)
	bytes := min(want, free-keep) >> 20 << 20
	if bytes < min(Least, want) {
		return 0, assay.WithHint("free some space there, or name another storage", "%w in storage %s of %s: %d MiB are available; assay leaves %d MiB unused",
			assay.ErrNoSpace, d.Storage, below.Host().Name, free>>20, keep>>20)
	}
	return bytes, nil
}

// Release detaches and deletes the disk, and verifies that. It needs the guest only to
// unmount a file system.
func (v Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	d, err := read(r)
	if err != nil {
		return err
	}
	below, err := hypervisorOf(at, d.how)
	if err != nil {
		return err
	}
	if d.FileSystem != "" {
		if err := unmount(ctx, at, r.ID); err != nil {
			return err
		}
	}
	h := kindOf(d.Kind).of(below, d)
	if err := v.detached(ctx, h, below, d); err != nil {
		return err
	}
	return h.remove(ctx)
}

const (
	// retry is when a guest is asked again to let a disk go: one that is just
	// booting misses the first request.
	retry = 10 * time.Second
	// pause is the interval between polls.
	pause = 500 * time.Millisecond
)

// detached returns once the guest does not have the disk any more.
func (v Volume) detached(ctx context.Context, h hypervisor, below assay.Place, d disk) error {
	var said error
	begun, asked := time.Now(), time.Time{}
	for {
		_, attached, err := h.attached(ctx)
		if err != nil || !attached {
			return err
		}
		switch now := time.Now(); {
		case now.Sub(begun) > v.unplug:
			return assay.WithHint("see what uses the disk with that serial in the guest, or stop the VM, then run: assay cleanup",
				"VM %s on %s did not let its disk %s (serial %s) go within %s: %w%s", d.Guest, below.Host().Name, d.Volume, d.Serial, v.unplug, assay.ErrBusy, because(said))
		case now.Sub(asked) > retry:
			asked = now
			if said = h.detach(ctx); said != nil && !errors.Is(said, assay.ErrBusy) {
				return said
			}
			continue
		}
		if err := sleep.For(ctx, pause); err != nil {
			return err
		}
	}
}

func because(said error) string {
	if said == nil {
		return ""
	}
	return ": " + said.Error()
}

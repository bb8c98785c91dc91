package vmdisk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/vms/standin"
	"assay/place/local"
	"assay/volume"
	"assay/volume/volumetest"
)

// Hypervisor and guest are this machine: virsh, qm and pvesm are stand-ins, namely
// this test binary, and a disk is a loop device with the link that udev makes from
// its serial.
func TestMain(m *testing.M) {
	standin.Main()
	os.Exit(m.Run())
}

// id is new each time: what a killed test leaves in /run and /dev must not fail the next one.
var id = fmt.Sprintf("%016x", rand.Uint64())

// guest is a guest that runs on this machine, as far as commands can tell.
type guest struct {
	assay.Place
	below assay.Place
}

func (g guest) Hypervisor() assay.Place { return g.below }

// words has the guest's name for each kind of hypervisor.
var words = map[string]volume.Guest{
	"libvirt": {On: "pve1", Kind: "libvirt", Name: "db"},
	"proxmox": {On: "pve1", Kind: "proxmox", Name: "101"},
}

// bed is a hypervisor of one kind and its guest.
type bed struct {
	t    *testing.T
	kind string
	dir  string
	at   guest
}

func newBed(t *testing.T, kind string) bed {
	t.Helper()
	volumetest.NeedLoop(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	programs := t.TempDir()
	for _, name := range []string{"virsh", "qm", "pvesm"} {
		if err := os.Symlink(self, filepath.Join(programs, name)); err != nil {
			t.Fatal(err)
		}
	}
	b := bed{t: t, kind: kind, dir: t.TempDir(), at: guest{local.New("db", ""), local.New("pve1", "")}}
	t.Setenv("PATH", programs+":"+os.Getenv("PATH"))
	t.Setenv(standin.At, b.dir)
	b.change(func(*standin.Machine) {})
	t.Cleanup(func() { b.change(func(m *standin.Machine) { m.PowerOff() }) })
	return b
}

func (b bed) change(do func(*standin.Machine)) {
	b.t.Helper()
	if err := standin.Change(b.dir, do); err != nil {
		b.t.Fatal(err)
	}
}

func (b bed) machine() (now standin.Machine) {
	b.t.Helper()
	b.change(func(m *standin.Machine) { now = *m })
	return now
}

// left lists what has assay's names, in the guest and on its hypervisor.
func (b bed) left() (found []string) {
	m := b.machine()
	for name := range m.Volumes {
		found = append(found, "volume "+name)
	}
	for _, d := range m.Disks {
		found = append(found, "disk "+d.Slot)
	}
	for range m.Threads {
		found = append(found, "a thread")
	}
	links, err := filepath.Glob("/dev/disk/by-id/*" + serialOf(id))
	if err != nil {
		b.t.Fatal(err)
	}
	return append(found, links...)
}

func (b bed) subject(tier Storage) assay.Subject {
	b.t.Helper()
	if tier.Storage == "" {
		tier.Storage = standin.Storage
	}
	s, err := tier.Subject(volume.Client{Host: "db", Guest: words[b.kind]})
	if err != nil {
		b.t.Fatal(err)
	}
	s.Host, s.ID, s.Volume = "db", "db/block/"+s.Name, Kind
	return s
}

func (b bed) reserve(way assay.Way) assay.Receipt {
	b.t.Helper()
	r, err := New().Reserve(b.t.Context(), b.at, b.subject(Storage{}), assay.Request{ID: id, Bytes: 64 << 20, Way: way})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b bed) release(r assay.Receipt) {
	b.t.Helper()
	if err := New().Release(b.t.Context(), b.at, r); err != nil {
		b.t.Error(err, assay.Hint(err))
	}
	if left := b.left(); len(left) > 0 {
		b.t.Errorf("left: %q", left)
	}
}

func forEachKind(t *testing.T, test func(t *testing.T, kind string)) {
	for _, k := range kinds {
		t.Run(k.word, func(t *testing.T) { test(t, k.word) })
	}
}

func TestConformance(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind string) {
		volumetest.Test(t, func(t *testing.T) volumetest.Fixture {
			b := newBed(t, kind)
			return volumetest.Fixture{
				Volume: New(), Place: b.at, Subject: b.subject(Storage{}),
				Present: func(*testing.T, assay.Receipt) bool { return len(b.left()) > 0 },
				Ways:    []assay.Way{{WayCache: "writeback", WayAIO: "threads"}, {WayIOThread: on}, {WayBus: scsi, WayCache: "directsync", WayAIO: "native"}},
			}
		})
	})
}

// The disk is lent as requested, and what the guest has stays unchanged.
func TestLent(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind string) {
		b := newBed(t, kind)
		r := b.reserve(assay.Way{WayCache: "writethrough", WayAIO: "io_uring", WayIOThread: on})
		s, err := New().Lend(t.Context(), b.at, r)
		if err != nil {
			t.Fatal(err, assay.Hint(err))
		}
		if s.Bytes != 64<<20 || !strings.HasSuffix(s.File, "_"+serialOf(id)) && !strings.HasSuffix(s.File, "-"+serialOf(id)) || len(s.Devices) != 1 {
			t.Errorf("lent %+v", s)
		}
		if s.Disk == nil || s.Disk.Cache != "writethrough" || s.Disk.AIO != "io_uring" || !s.Disk.IOThread || s.Disk.Serial != serialOf(id) {
			t.Errorf("attached as %+v", s.Disk)
		}
		b.release(r)
	})
}

// unreachable is a guest that is off: no command reaches it.
type unreachable struct{ assay.Place }

func (u unreachable) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, assay.ErrHostGone
}

// A file system is made on the disk and mounted while it is lent. Release works even if
// assay was killed meanwhile, and if the guest is off by then.
func TestFileSystem(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind string) {
		mounted := func() bool {
			text, err := os.ReadFile("/proc/self/mounts")
			if err != nil {
				t.Fatal(err)
			}
			return strings.Contains(string(text), " "+mountpoint(id)+" ")
		}
		reserve := func(b bed) assay.Receipt {
			r, err := New().Reserve(t.Context(), b.at, b.subject(Storage{FileSystem: "ext4"}), assay.Request{ID: id, Bytes: 64 << 20})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		b := newBed(t, kind)
		r := reserve(b)
		s, err := New().Lend(t.Context(), b.at, r)
		if err != nil {
			t.Fatal(err, assay.Hint(err))
		}
		if !mounted() || s.Dir != mountpoint(id) || filepath.Dir(s.File) != s.Dir || s.Bytes < 32<<20 || s.Bytes >= 64<<20 || len(s.Devices) != 1 || s.Disk == nil {
			t.Errorf("lent %+v", s)
		}
		held, err := os.Create(s.File)
		if err != nil {
			t.Fatal(err)
		}
		if err := New().Release(t.Context(), b.at, r); !isA(err, assay.ErrBusy) || !strings.Contains(assay.Hint(err), "fuser") {
			t.Errorf("somebody uses it, and it says %v (hint %q)", err, assay.Hint(err))
		}
		if err := held.Close(); err != nil {
			t.Fatal(err)
		}
		for range 2 { // it is idempotent
			b.release(r)
		}
		if mounted() {
			t.Error("it is still mounted")
		}
		for stage, whole := 0, false; !whole; stage++ {
			b := newBed(t, kind)
			r := reserve(b)
			left := stage
			_, err := New().Lend(t.Context(), guest{stopped{b.at.Place, &left}, b.at.below}, r)
			whole = err == nil
			b.release(r)
		}
		b = newBed(t, kind)
		r = reserve(b)
		if _, err := New().Lend(t.Context(), b.at, r); err != nil {
			t.Fatal(err)
		}
		// A mount is gone once its guest is off.
		if err := unmount(t.Context(), b.at, id); err != nil {
			t.Fatal(err)
		}
		b.change(func(m *standin.Machine) { m.PowerOff() })
		b.at.Place = unreachable{b.at.Place}
		b.release(r)
	})
}

// stopped is a place where nothing runs after a number of commands: assay was killed.
type stopped struct {
	assay.Place
	left *int
}

func (s stopped) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if *s.left == 0 {
		return assay.Output{}, context.Canceled
	}
	*s.left--
	return s.Place.Run(ctx, c)
}

// Killed after any of its commands, Lend leaves nothing that its receipt does not find,
// nor does Release, even if the guest is off by then.
func TestKilledAtEachStage(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind string) {
		for stage, whole := 0, false; !whole; stage++ {
			for _, off := range []bool{false, true} {
				b := newBed(t, kind)
				r := b.reserve(assay.Way{WayIOThread: on})
				left := stage
				_, err := New().Lend(t.Context(), guest{b.at.Place, stopped{b.at.below, &left}}, r)
				whole = err == nil
				if off {
					b.change(func(m *standin.Machine) { m.PowerOff() })
				}
				b.release(r)
			}
			if stage > 30 {
				t.Fatal("Lend has no end")
			}
		}
		for stage, whole := 0, false; !whole; stage++ {
			b := newBed(t, kind)
			r := b.reserve(assay.Way{WayIOThread: on})
			if _, err := New().Lend(t.Context(), b.at, r); err != nil {
				t.Fatal(err)
			}
			left := stage
			whole = New().Release(t.Context(), guest{b.at.Place, stopped{b.at.below, &left}}, r) == nil
			b.release(r)
		}
	})
}

// refusal is a reason to refuse a disk.
type refusal struct {
	change func(*standin.Machine)
	tier   Storage
	way    assay.Way
	is     error
	says   string
	hint   string
	only   string // the only kind of hypervisor with it
}

func TestRefused(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind string) {
		for name, c := range map[string]refusal{
			"the guest is off":      {change: func(m *standin.Machine) { m.Off = true }, says: "pve1", hint: "start"},
			"the bus is full":       {change: func(m *standin.Machine) { m.Slots = 0 }, is: errNoSlot, hint: "bus"},
			"little room":           {change: func(m *standin.Machine) { m.Free = 40 << 20 }, is: assay.ErrNoSpace, says: "40 MiB", hint: "free"},
			"no such storage":       {tier: Storage{Storage: "nvme"}, is: assay.ErrNotFound, says: "nvme", hint: "list"},
			"the volume is there":   {change: func(m *standin.Machine) { m.Volumes[kindOf(kind).volume(words[kind].Name, id)] = 1 }, is: assay.ErrBusy},
			"the VM is locked":      {change: func(m *standin.Machine) { m.Lock = "backup" }, only: "proxmox", is: assay.ErrBusy, says: "backup", hint: "wait"},
			"native AIO and caches": {way: assay.Way{WayCache: "writeback", WayAIO: "native"}, says: "page cache", hint: "directsync"},
		} {
			if c.only != "" && c.only != kind {
				continue
			}
			t.Run(name, func(t *testing.T) {
				b := newBed(t, kind)
				if c.change != nil {
					b.change(c.change)
				}
				before := b.machine()
				r, err := New().Reserve(t.Context(), b.at, b.subject(c.tier), assay.Request{ID: id, Bytes: 64 << 20, Way: c.way})
				if err == nil {
					_, err = New().Lend(t.Context(), b.at, r)
				}
				if err == nil || c.is != nil && !isA(err, c.is) || !strings.Contains(err.Error(), c.says) || !strings.Contains(assay.Hint(err), c.hint) {
					t.Fatalf("%v (hint %q)", err, assay.Hint(err))
				}
				if now := b.machine(); len(now.Disks) != len(before.Disks) {
					t.Errorf("attached %+v", now.Disks)
				}
			})
		}
	})
}

// If a guest does not let go of its disk, disk and receipt stay; once it does,
// everything is removed.
func TestTheGuestKeepsItsDisk(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind string) {
		b := newBed(t, kind)
		r := b.reserve(nil)
		if _, err := New().Lend(t.Context(), b.at, r); err != nil {
			t.Fatal(err)
		}
		b.change(func(m *standin.Machine) { m.Stuck = true })
		err := Volume{unplug: time.Second}.Release(t.Context(), b.at, r)
		if !isA(err, assay.ErrBusy) || !strings.Contains(assay.Hint(err), "assay cleanup") {
			t.Errorf("%v (hint %q)", err, assay.Hint(err))
		}
		if m := b.machine(); len(m.Volumes) != 1 {
			t.Errorf("the volume of a disk that the guest has was deleted: %+v", m)
		}
		b.change(func(m *standin.Machine) { m.Stuck = false })
		b.release(r)
	})
}

// A foreign disk that took over our slot meanwhile stays.
func TestAnothersDiskStays(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind string) {
		b := newBed(t, kind)
		r := b.reserve(nil)
		if _, err := New().Lend(t.Context(), b.at, r); err != nil {
			t.Fatal(err)
		}
		slot := b.machine().Disks[0].Slot
		b.change(func(m *standin.Machine) { m.PowerOff(); m.Off, m.Disks = false, nil })
		theirs := standin.Disk{Slot: slot, Volume: "theirs", Serial: "THEIRS", Bus: kindOf(kind).bus, Cache: "none"}
		b.change(func(m *standin.Machine) { m.Disks, m.Volumes["theirs"] = []standin.Disk{theirs}, 1<<20 })
		if err := New().Release(t.Context(), b.at, r); err != nil {
			t.Fatal(err)
		}
		if m := b.machine(); len(m.Volumes) != 1 || !slices.Equal(m.Disks, []standin.Disk{theirs}) {
			t.Errorf("now there are %+v", m)
		}
	})
}

// A guest that has moved is not mistaken for one without the disk.
func TestTheGuestHasMoved(t *testing.T) {
	forEachKind(t, func(t *testing.T, kind string) {
		b := newBed(t, kind)
		r := b.reserve(nil)
		err := New().Release(t.Context(), guest{b.at.Place, local.New("pve2", "")}, r)
		if err == nil || !strings.Contains(err.Error(), "pve2") || assay.Hint(err) == "" {
			t.Errorf("%v", err)
		}
	})
}

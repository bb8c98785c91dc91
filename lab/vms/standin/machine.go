package standin

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// At is the directory in which the stand-ins keep what they remember: the variable, or
// atFile where that is not set. With the variable the guest is this machine; else it is
// where the agent is.
const (
	At     = "ASSAY_LAB_HYPERVISOR"
	atFile = "/var/lib/assay-lab-hypervisor"
)

// Storage is the one storage that there is.
const Storage = "images"

// Machine is a hypervisor with one guest and one storage, as the stand-ins have it.
type Machine struct {
	Off     bool   // the guest is
	Stuck   bool   // the guest lets no disk go
	Slots   int    // disks that it can still be given
	Free    int64  // in the storage, B
	Lock    string // why its configuration may not be changed
	Volumes map[string]int64
	Disks   []Disk
	Threads []int
	Clones  map[string]Clone // by UUID
}

// Disk is a disk that was attached to the guest.
type Disk struct {
	Slot, Volume, Serial, Bus, Cache, AIO string
	Thread                                int
	Pending                               bool // it is to be detached when the guest is off
	Unused                                bool // it is in the configuration, and not attached
}

// New returns a hypervisor with room for some disks.
func New() Machine { return Machine{Slots: 4, Free: 10 << 30, Volumes: map[string]int64{}} }

func directory() string {
	if dir := os.Getenv(At); dir != "" {
		return dir
	}
	return atFile
}

func here() bool { return os.Getenv(At) != "" }

// VolumeFile is where a volume is in a directory of stand-ins.
func VolumeFile(dir, volume string) string { return filepath.Join(dir, "storage", volume) }

// Change changes what the stand-ins of a directory remember; what do returns is kept.
func Change(dir string, do func(*Machine)) error {
	if err := os.MkdirAll(filepath.Join(dir, "storage"), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, "machine"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		return err
	}
	m := New()
	if err := json.NewDecoder(f).Decode(&m); err != nil && err.Error() != "EOF" {
		return err
	}
	do(&m)
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.WriteAt(text, 0)
	return err
}

// alloc makes a volume; what is wrong is said by why.
func (m *Machine) alloc(volume string, bytes int64) (why string) {
	switch _, there := m.Volumes[volume]; {
	case there:
		return "exists"
	case bytes > m.Free:
		return "space"
	}
	f, err := os.Create(VolumeFile(directory(), volume))
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	if err := f.Truncate(bytes); err != nil {
		return err.Error()
	}
	m.Volumes[volume] = bytes
	m.Free -= bytes
	return ""
}

func (m *Machine) free(volume string) bool {
	bytes, there := m.Volumes[volume]
	if there {
		m.Free += bytes
		delete(m.Volumes, volume)
		_ = os.Remove(VolumeFile(directory(), volume))
	}
	return there
}

// plugIn gives the guest a disk.
func (m *Machine) plugIn(d Disk) error {
	m.Slots--
	m.Disks = append(m.Disks, d)
	return inGuest(guestFile(d.Volume), d.Serial, m.Volumes[d.Volume])
}

// plugOut takes the disk in a slot away; false where the guest keeps it.
func (m *Machine) plugOut(slot string) bool {
	i := slices.IndexFunc(m.Disks, func(d Disk) bool { return d.Slot == slot && !d.Unused })
	if i < 0 || m.Stuck && !m.Off {
		return false
	}
	if !m.Off {
		if err := inGuest(guestFile(m.Disks[i].Volume)); err != nil {
			return false
		}
	}
	m.Slots++
	m.Disks = slices.Delete(m.Disks, i, i+1)
	return true
}

// guestFile is what the guest's device lies on: here the volume itself, elsewhere a file
// of the guest's own of that size.
func guestFile(volume string) string {
	if here() {
		return VolumeFile(directory(), volume)
	}
	return "/run/assay-lab-disk-" + strings.NewReplacer("/", "-").Replace(volume)
}

// PowerOff turns the guest off. What was attached to it while it ran alone is gone then.
func (m *Machine) PowerOff() {
	for _, d := range m.Disks {
		_ = inGuest(guestFile(d.Volume))
	}
	// Proxmox VE numbers the disks of a bus: they are in the configuration.
	m.Disks = slices.DeleteFunc(m.Disks, func(d Disk) bool { return !d.Unused && !strings.HasPrefix(d.Slot, d.Bus) })
	m.Threads, m.Off = nil, true
}

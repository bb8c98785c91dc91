package standin

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// At is the environment variable with the directory that holds the stand-ins' state;
// without it, that is atFile. With the variable the guest is this machine, otherwise it
// is wherever the agent is.
const (
	At     = "ASSAY_LAB_HYPERVISOR"
	atFile = "/var/lib/assay-lab-hypervisor"
)

// Storage is the only storage.
const Storage = "images"

// Machine is the stand-ins' hypervisor, with one guest and one storage.
type Machine struct {
	Off     bool   // the guest is
	Stuck   bool   // the guest refuses to detach disks
	Slots   int    // disks that can still be attached
	Free    int64  // in the storage, in B
	Lock    string // why its configuration may not be changed
	Volumes map[string]int64
	Disks   []Disk
	Threads []int
	Clones  map[string]Clone // by UUID
}

// Disk is a disk attached to the guest.
type Disk struct {
	Slot, Volume, Serial, Bus, Cache, AIO string
	Thread                                int
	Pending                               bool // to be detached when the guest is off
	Unused                                bool // in the configuration, but not attached
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

// VolumeFile returns the path of a volume in a directory of stand-ins.
func VolumeFile(dir, volume string) string { return filepath.Join(dir, "storage", volume) }

// Change updates the stand-ins' state in a directory: it saves what do makes of it.
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

// alloc makes a volume; why is the reason if it cannot.
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

// plugIn attaches a disk to the guest.
func (m *Machine) plugIn(d Disk) error {
	m.Slots--
	m.Disks = append(m.Disks, d)
	return inGuest(guestFile(d.Volume), d.Serial, m.Volumes[d.Volume])
}

// plugOut detaches the disk in a slot; it returns false if the guest keeps it.
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

// guestFile returns the backing file of the guest's device: the volume itself if the
// guest is this machine, otherwise a file of that size in the guest.
func guestFile(volume string) string {
	if here() {
		return VolumeFile(directory(), volume)
	}
	return "/run/assay-lab-disk-" + strings.NewReplacer("/", "-").Replace(volume)
}

// PowerOff turns the guest off. Disks that were attached only to the running guest are
// gone then.
func (m *Machine) PowerOff() {
	for _, d := range m.Disks {
		_ = inGuest(guestFile(d.Volume))
	}
	// Disks with numbered slots, as in Proxmox VE, are in the configuration.
	m.Disks = slices.DeleteFunc(m.Disks, func(d Disk) bool { return !d.Unused && !strings.HasPrefix(d.Slot, d.Bus) })
	m.Threads, m.Off = nil, true
}

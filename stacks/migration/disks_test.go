package migration

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/place/local"
)

// domainWith returns a running domain with these disks, as printed by virsh
// dumpxml.
func domainWith(disks string) []byte {
	return []byte("<domain type='kvm' id='3'><name>web</name><devices>" + disks + "</devices></domain>\n")
}

const (
	qcow2Disk = `<disk type='file' device='disk'><driver name='qemu' type='qcow2' cache='none'/><source file='/srv/web.qcow2' index='2'/><backingStore/><target dev='vda' bus='virtio'/></disk>`
	rawDisk   = `<disk type='file' device='disk'><driver name='qemu' type='raw'/><source file='/srv/data &amp; more.raw'/><target dev='sdb' bus='scsi'/></disk>`
	// Devices that need no copy.
	cdrom   = `<disk type='file' device='cdrom'><driver name='qemu' type='raw'/><source file='/srv/x.iso'/><target dev='sda'/><readonly/></disk>`
	emptyCD = `<disk type='file' device='cdrom'><target dev='sdc'/><readonly/></disk>`
	overNBD = `<disk type='network' device='disk'><driver name='qemu' type='raw'/><source protocol='rbd' name='vms/web'/><target dev='vdb'/></disk>`
	shared  = `<disk type='block' device='disk'><driver name='qemu' type='raw'/><source dev='/dev/sdx'/><target dev='vdc'/><shareable/></disk>`
)

func TestReadDisks(t *testing.T) {
	got, err := readDisks(domainWith(qcow2Disk + cdrom + emptyCD + overNBD + shared + rawDisk))
	want := []Disk{{"vda", "/srv/web.qcow2", "qcow2", 1}, {"sdb", "/srv/data & more.raw", "raw", 1}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for says, disk := range map[string]string{
		"disk vda is of type block": strings.Replace(qcow2Disk, "type='file'", "type='block'", 1),
		"has a backing file":        strings.Replace(qcow2Disk, "<backingStore/>", "<backingStore type='file'><format type='qcow2'/><source file='/srv/base.qcow2'/></backingStore>", 1),
		"its format is \"vmdk\"":    strings.Replace(qcow2Disk, "'qcow2'", "'vmdk'", 1),
		"not absolute and plain":    strings.Replace(qcow2Disk, "/srv/web.qcow2", "/srv/../etc/web.qcow2", 1),
		"the name of a disk":        strings.Replace(qcow2Disk, "'vda'", "'--all'", 1),
		"more than the 64":          strings.Repeat(qcow2Disk, 65),
		"not the XML of a domain":   "<disk",
	} {
		if got, err := readDisks(domainWith(disk)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v, %v; want %s", got, err, says)
		}
	}
}

func FuzzReadDisks(f *testing.F) {
	f.Add(domainWith(qcow2Disk + cdrom + overNBD))
	f.Fuzz(func(t *testing.T, text []byte) {
		disks, err := readDisks(text)
		for _, d := range disks {
			if err == nil && d.Check() != nil {
				t.Errorf("%+v of %q", d, text)
			}
		}
		_, _ = readCapacity(text)
		_, _ = readPlaces(text, 1)
	})
}

func TestReadCapacity(t *testing.T) {
	// Of libvirt 9.0.0.
	if n, err := readCapacity([]byte("Capacity:       34359738368\nAllocation:     2147483648\nPhysical:       2147483648\n")); err != nil || n != 32<<30 {
		t.Errorf("%d, %v", n, err)
	}
	for _, bad := range []string{"", "Capacity:       -\n", "Capacity: 0\n", "Capacity: 32 GiB\n"} {
		if n, err := readCapacity([]byte(bad)); err == nil {
			t.Errorf("%q is %d", bad, n)
		}
	}
}

// The destination of a copy is checked before anything is made.
func TestReadPlaces(t *testing.T) {
	got, err := readPlaces([]byte("taken\nmissing\nroom 1000 400 /mnt/a b\n"), 3)
	want := []place{{taken: true}, {missing: true}, {size: 1000, free: 400, mount: "/mnt/a b"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"", "taken\n", "taken\ntaken\ntaken\n", "taken\nroom 1 2\n", "taken\nroom x 2 /\n", "taken\nroom 1 -2 /\n", "taken\nno\n"} {
		if got, err := readPlaces([]byte(bad), 2); err == nil {
			t.Errorf("%q is %+v", bad, got)
		}
	}
}

const id = "0123456789abcdef"

// copies returns two disks in a directory of this machine.
func copies(t *testing.T) (assay.Place, []Disk) {
	t.Helper()
	dir := t.TempDir()
	return local.New("kvm2", ""), []Disk{{"vda", filepath.Join(dir, "web.raw"), "raw", 1 << 20}, {"vdb", filepath.Join(dir, "it's more.raw"), "raw", 1 << 20}}
}

// tools stubs qemu-img with truncate.
func tools(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "qemu-img"), []byte("#!/bin/sh\n[ \"$1 $2 $3 $4 $5\" = 'create -q -f raw --' ] && exec truncate -s \"$7\" -- \"$6\"\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

func names(t *testing.T, d Disk) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(d.File))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// Copies are made only where nothing exists, and everything made is removed.
func TestCopies(t *testing.T) {
	tools(t)
	at, disks := copies(t)
	if err := Admit(t.Context(), at, disks); err != nil {
		t.Fatal(err)
	}
	there := func(want bool) {
		t.Helper()
		if got, err := Copied(t.Context(), at, id, disks); err != nil || got != want {
			t.Errorf("there are copies: %t, %v", got, err)
		}
	}
	there(false)
	if err := MakeCopies(t.Context(), at, id, disks); err != nil {
		t.Fatal(err)
	}
	there(true)
	for _, d := range disks {
		if is, err := os.Stat(d.File); err != nil || is.Size() != d.Bytes || is.Mode().Perm() != 0o600 {
			t.Errorf("%+v, %v", is, err)
		}
	}
	if err := Admit(t.Context(), at, disks); !errors.Is(err, assay.ErrBusy) || assay.Hint(err) == "" {
		t.Errorf("%v", err)
	}
	for range 2 { // it is idempotent
		if err := RemoveCopies(t.Context(), at, id, disks); err != nil {
			t.Error(err)
		}
	}
	there(false)
	if left := names(t, disks[0]); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// A file that existed before, or took a copy's name, stays; so does a copy that is open.
func TestOthersFilesStay(t *testing.T) {
	tools(t)
	at, disks := copies(t)
	theirs := disks[1].File
	put := func() {
		t.Helper()
		if err := os.WriteFile(theirs, []byte("theirs"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put()
	if err := MakeCopies(t.Context(), at, id, disks); err == nil {
		t.Error("it is overwritten")
	}
	if err := RemoveCopies(t.Context(), at, id, disks); err != nil {
		t.Error(err)
	}
	if left := names(t, disks[0]); !slices.Equal(left, []string{filepath.Base(theirs)}) {
		t.Errorf("left: %q", left)
	}
	if err := os.Remove(theirs); err != nil {
		t.Fatal(err)
	}
	if err := MakeCopies(t.Context(), at, id, disks); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(theirs); err != nil {
		t.Fatal(err)
	}
	put()
	open, err := os.Open(disks[0].File)
	if err != nil {
		t.Fatal(err)
	}
	if err := RemoveCopies(t.Context(), at, id, disks); !errors.Is(err, errInUse) || !strings.Contains(err.Error(), disks[0].File) || assay.Hint(err) == "" {
		t.Errorf("%v", err)
	}
	if err := open.Close(); err != nil {
		t.Fatal(err)
	}
	if err := RemoveCopies(t.Context(), at, id, disks); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(theirs); string(text) != "theirs" || !slices.Equal(names(t, disks[0]), []string{filepath.Base(theirs)}) {
		t.Errorf("%q, %v; left: %q", text, err, names(t, disks[0]))
	}
}

func TestNoRoomForCopies(t *testing.T) {
	at, disks := copies(t)
	for says, change := range map[string]func(*Disk){
		"can take":         func(d *Disk) { d.Bytes = 1 << 49 },
		"has no directory": func(d *Disk) { d.File = filepath.Dir(d.File) + "/none/web.raw" },
	} {
		bad := slices.Clone(disks)
		change(&bad[1])
		if err := Admit(t.Context(), at, bad); err == nil || !strings.Contains(err.Error(), says) || assay.Hint(err) == "" {
			t.Errorf("%v; want %s", err, says)
		}
	}
}

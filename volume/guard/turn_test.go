package guard

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
)

var _ assay.Turner = Volume{}

// turnOf reserves a turn of the dock's disk as if the disk were lent.
func turnOf(t *testing.T, at assay.Place, device, value string) (Volume, assay.Receipt, error) {
	t.Helper()
	v := New(Kind)
	lent := assay.Receipt{ID: "0123456789abcdef", Volume: Kind, Host: "here", Subject: "here/block/x", Names: receiptNames(device, Identity{Serial: "WCC7K0AB"})}
	r, err := v.ReserveTurn(t.Context(), at, lent, assay.Request{ID: "fedcba9876543210", Way: assay.Way{settingCache: value}})
	return v, r, err
}

func text(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(b))
}

// The kernel has four words for a SCSI drive, and two for a virtual disk: only write
// caching is changed, never read caching.
func TestWriteCacheIsTurned(t *testing.T) {
	scsi, virtio := "scsi_disk/0:0:0:0/cache_type", "block/sdb/cache_type"
	for _, c := range []struct{ file, was, value, set string }{
		{scsi, "write back", "off", "write through"},
		{scsi, "write back", "on", "write back"},
		{scsi, "write through", "on", "write back"},
		{scsi, "write through", "off", "write through"},
		{scsi, "write back, no read (daft)", "off", "none"},
		{scsi, "none", "on", "write back, no read (daft)"},
		{virtio, "write back", "off", "write through"},
		{virtio, "write through", "on", "write back"},
	} {
		t.Run(c.file+"/"+c.was+"/"+c.value, func(t *testing.T) {
			m, device := dock(t)
			file := filepath.Join(m.root, "sys/devices/usb1/1-1/host0/lun0", c.file)
			believed := filepath.Join(m.root, "sys/devices/usb1/1-1/host0/lun0/block/sdb/queue/write_cache")
			m.put(file, c.was)
			m.put(believed, "as it is")
			for name, at := range map[string]assay.Place{"": m, "BusyBox": with(t, m, "")} {
				v, r, err := turnOf(t, at, device, c.value)
				if err != nil {
					t.Fatal(err)
				}
				if text(t, file) != c.was {
					t.Errorf("%s: ReserveTurn changed it to %q", name, text(t, file))
				}
				if err := v.Turn(t.Context(), at, r); err != nil || text(t, file) != c.set {
					t.Errorf("%s: turned %s it is %q, %v", name, c.value, text(t, file), err)
				}
				for range 2 { // again, like a second clean-up
					if err := New(Kind).Release(t.Context(), at, r); err != nil || text(t, file) != c.was {
						t.Errorf("%s: released it is %q, %v", name, text(t, file), err)
					}
				}
			}
			if text(t, believed) != "as it is" {
				t.Error("the kernel was told what to believe")
			}
		})
	}
}

// fakeNVMe is nvme-cli with one drive, whose cache setting is in the file
// state.
const fakeNVMe = `#!/bin/sh
state=STATE
case "$*" in
"id-ctrl /dev/nvme0") printf 'vid       : 0x1b36\nvwc       : %s\n' "$(cat $state.vwc)" ;;
"get-feature /dev/nvme0 --namespace-id=0 --feature-id=6") echo "get-feature:0x06 (Volatile Write Cache), Current value:$(printf "%#.8x" "$(cat $state)")" ;;
"set-feature /dev/nvme0 --namespace-id=0 --feature-id=6 --value="*) for w; do v=$w; done; echo "${v#*=}" >$state; echo "set-feature:0x06" ;;
*) echo "what is $*?" >&2; exit 1 ;;
esac
`

// nvme returns a machine with an NVMe drive of that vwc, its cache on.
func nvme(t *testing.T, vwc string) (m machine, at assay.Place, device, state string) {
	t.Helper()
	m, device = dock(t)
	lun := filepath.Join(m.root, "sys/devices/usb1/1-1/host0/lun0")
	number := text(t, filepath.Join(lun, "block/sdb/dev"))
	top := filepath.Join(m.root, "sys/devices/nvme/nvme0")
	for file, words := range map[string]string{"nvme0n1/size": "131072", "nvme0n1/ro": "0", "nvme0n1/dev": number, "serial": "WCC7K0AB"} {
		m.put(filepath.Join(top, file), words)
	}
	m.link("..", filepath.Join(top, "nvme0n1/device"))
	for _, old := range []string{"sys/block/sdb", "sys/dev/block/" + number} {
		if err := os.Remove(filepath.Join(m.root, old)); err != nil {
			t.Fatal(err)
		}
	}
	m.link(filepath.Join(top, "nvme0n1"), filepath.Join(m.root, "sys/dev/block", number))
	m.link(filepath.Join(top, "nvme0n1"), filepath.Join(m.root, "sys/block/nvme0n1"))
	dir := t.TempDir()
	state = filepath.Join(dir, "state")
	m.put(state, "1")
	m.put(state+".vwc", vwc)
	tool := filepath.Join(dir, "nvme")
	if err := os.WriteFile(tool, []byte(strings.ReplaceAll(fakeNVMe, "STATE", state)), 0o755); err != nil {
		t.Fatal(err)
	}
	return m, narrow{m, dir + ":" + os.Getenv("PATH")}, device, state
}

func TestWriteCacheOfNVMeIsTurned(t *testing.T) {
	_, at, device, state := nvme(t, "0x7")
	v, r, err := turnOf(t, at, device, "off")
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Turn(t.Context(), at, r); err != nil || text(t, state) != "0" {
		t.Errorf("turned off it is %s, %v", text(t, state), err)
	}
	if err := New(Kind).Release(t.Context(), at, r); err != nil || text(t, state) != "1" {
		t.Errorf("released it is %s, %v", text(t, state), err)
	}
}

// If it cannot be set, one line says so, as for anything not supported.
func TestWriteCacheThatCannotBeTurned(t *testing.T) {
	for words, made := range map[string]func() (assay.Place, string){
		"it has no volatile write cache": func() (assay.Place, string) {
			_, at, device, _ := nvme(t, "0x6")
			return at, device
		},
		"2 namespaces, and one cache": func() (assay.Place, string) {
			m, at, device, _ := nvme(t, "0x7")
			m.put(filepath.Join(m.root, "sys/devices/nvme/nvme0/nvme0n2/size"), "8")
			return at, device
		},
		"through 2 NVMe controllers": func() (assay.Place, string) {
			m, at, device, _ := nvme(t, "0x7")
			top := filepath.Join(m.root, "sys/devices/virtual/nvme-subsystem/nvme-subsys0")
			m.put(top+"/nvme0n1/x", "")
			m.put(top+"/nvme0/x", "")
			m.put(top+"/nvme1/x", "")
			link := filepath.Join(m.root, "sys/devices/nvme/nvme0/nvme0n1/device")
			if err := os.Remove(link); err != nil {
				t.Fatal(err)
			}
			m.link(top, link)
			m.put(top+"/serial", "WCC7K0AB")
			return at, device
		},
		"no way is known": func() (assay.Place, string) {
			m, device := dock(t)
			return m, device
		},
	} {
		t.Run(words, func(t *testing.T) {
			at, device := made()
			if _, r, err := turnOf(t, at, device, "off"); !errors.Is(err, assay.ErrNotSupported) || !strings.Contains(err.Error(), words) {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

// A drive's refusal is detected when the cache is turned, and nothing is left to
// restore.
func TestWriteCacheThatIsRefused(t *testing.T) {
	m, device := dock(t)
	file := filepath.Join(m.root, "sys/devices/usb1/1-1/host0/lun0/scsi_disk/0:0:0:0/cache_type")
	m.put(file, "write back")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tee"), []byte("#!/bin/sh\necho \"tee: $1: Invalid argument\" >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	at := narrow{m, dir + ":" + os.Getenv("PATH")}
	v, r, err := turnOf(t, at, device, "off")
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Turn(t.Context(), at, r); !errors.Is(err, assay.ErrNotSupported) || !strings.Contains(err.Error(), "refuses it (Invalid argument)") {
		t.Errorf("got %v", err)
	}
	if err := v.Release(t.Context(), at, r); err != nil {
		t.Error(err)
	}
	// A drive that accepts the change but not its reversal: a run must not continue
	// after that.
	m.put(file, "write through")
	err = v.Release(t.Context(), at, r)
	if err == nil || errors.Is(err, assay.ErrNotSupported) || !strings.Contains(err.Error(), "is not set back (it was on)") || assay.Hint(err) == "" {
		t.Errorf("got %v", err)
	}
}

// A receipt comes from a file: it can set only what it may, and only on its own drive.
func TestTurnOfAForgedReceipt(t *testing.T) {
	m, device := dock(t)
	file := filepath.Join(m.root, "sys/devices/usb1/1-1/host0/lun0/scsi_disk/0:0:0:0/cache_type")
	m.put(file, "write back")
	_, r, err := turnOf(t, m, device, "off")
	if err != nil {
		t.Fatal(err)
	}
	m.put(file, "write through")
	for name, forge := range map[string]func(*assay.Receipt){
		"another serial":   func(r *assay.Receipt) { r.Names["serial"] = "WCC7K0CD" },
		"another device":   func(r *assay.Receipt) { r.Names["device"] = "/dev/sdz" },
		"no device":        func(r *assay.Receipt) { r.Names["device"] = "/etc/passwd" },
		"another setting":  func(r *assay.Receipt) { r.Names[roleSetting] = "scheduler" },
		"another value":    func(r *assay.Receipt) { r.Restore[0].Value = "on; reboot" },
		"nothing to do":    func(r *assay.Receipt) { r.Restore = nil },
		"an unknown way":   func(r *assay.Receipt) { r.Way = assay.Way{settingCache: "temporary"} },
		"another property": func(r *assay.Receipt) { r.Restore[0].Name = "queue" },
	} {
		forged := r
		forged.Names, forged.Restore = maps.Clone(r.Names), append([]assay.Property(nil), r.Restore...)
		forge(&forged)
		if err := New(Kind).Release(t.Context(), m, forged); err == nil || text(t, file) != "write through" {
			t.Errorf("%s: %v, and it is %q", name, err, text(t, file))
		}
	}
	for _, value := range []string{"", "maybe"} {
		if _, r, err := turnOf(t, m, device, value); err == nil {
			t.Errorf("%q: %+v", value, r)
		}
	}
}

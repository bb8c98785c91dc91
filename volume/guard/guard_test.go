package guard

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"assay/place/local"
)

// contents returns a hash of all data in a sparse file.
func contents(t *testing.T, file string) string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	hash, buffer, zeros := sha256.New(), make([]byte, 1<<20), make([]byte, 4<<10)
	for at := int64(0); ; {
		at, err = unix.Seek(int(f.Fd()), at, unix.SEEK_DATA)
		if err != nil {
			return fmt.Sprintf("%x", hash.Sum(nil)) // ENXIO: no more
		}
		n, _ := f.ReadAt(buffer, at)
		// Zeros may or may not be a hole.
		for from := 0; from < n; from += len(zeros) {
			if block := buffer[from:min(from+len(zeros), n)]; !bytes.Equal(block, zeros[:len(block)]) {
				fmt.Fprintln(hash, at+int64(from))
				hash.Write(block)
			}
		}
		at += int64(n)
	}
}

// put writes to a device, past any cache of another name.
func put(t *testing.T, device string, at int64, b []byte) {
	t.Helper()
	f, err := os.OpenFile(device, os.O_WRONLY|os.O_SYNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(b, at); err != nil {
		t.Fatal(err)
	}
}

// random returns data that matches no format.
func random(n int) []byte { return bytes.Repeat([]byte("somebody's data;"), n/16) }

// onPartition calls do with a loop device over part of another's file, to put a file
// system where a partition would begin. It is detached once: its name may be another
// test's right after.
func onPartition(t *testing.T, file string, from int64, do func(part string)) {
	t.Helper()
	part := run(t, "losetup", "--find", "--show", "--offset", fmt.Sprint(from), file)
	defer func() { run(t, "losetup", "--detach", part) }()
	do(part)
}

// TestSomebodysDataIsFound has devices of 40 GiB with data in odd places and no
// table. None is lent unconfirmed, and not one byte of any is changed.
func TestSomebodysDataIsFound(t *testing.T) {
	const size = 40 << 30
	mkfs := func(at int64, argv ...string) func(*testing.T, string, string) {
		return func(t *testing.T, _, file string) {
			if _, err := exec.LookPath(argv[0]); err != nil {
				t.Skipf("needs %s", argv[0])
			}
			onPartition(t, file, at, func(part string) { run(t, append(argv, part)...) })
		}
	}
	data := func(at int64, n int) func(*testing.T, string, string) {
		return func(t *testing.T, device, _ string) { put(t, device, at, random(n)) }
	}
	quick := []string{"ext4 at 1 MiB", "400 MiB in the middle", "ext4 without its first 16 MiB"}
	for name, fill := range map[string]func(t *testing.T, device, file string){
		"ext4 at 1 MiB":       mkfs(1<<20, "mkfs.ext4", "-q"),
		"ext4 at 63 sectors":  mkfs(63*512, "mkfs.ext4", "-q"),
		"ext4 at 4 MiB":       mkfs(4<<20, "mkfs.ext4", "-q"),
		"ext4 at 16 MiB":      mkfs(16<<20, "mkfs.ext4", "-q"),
		"ext4 at 1 GiB":       mkfs(1<<30, "mkfs.ext4", "-q"),
		"xfs at 1 MiB":        mkfs(1<<20, "mkfs.xfs", "-q"),
		"400 MiB from 1 MiB":  data(1<<20, 400<<20),
		"one sector at 1 MiB": data(1<<20, 16),
		"one byte at 1 MiB":   func(t *testing.T, device, _ string) { put(t, device, 1<<20, []byte{1}) },
		"one byte at the end of the last MiB": func(t *testing.T, device, _ string) {
			put(t, device, size-1<<20-1, []byte{1})
		},
		"400 MiB in the middle": data(17<<30+12345<<12, 400<<20),
		"ext4 without its first MiB": func(t *testing.T, device, _ string) {
			run(t, "mkfs.ext4", "-q", device)
			put(t, device, 0, make([]byte, 1<<20))
		},
		"ext4 without its first 16 MiB": func(t *testing.T, device, _ string) {
			run(t, "mkfs.ext4", "-q", device)
			put(t, device, 0, make([]byte, 16<<20))
		},
		"FAT": func(t *testing.T, device, _ string) {
			boot := make([]byte, 512)
			copy(boot, "\xeb\x58\x90mkfs.fat\x00\x02\x20\x20\x00\x02\x00\x00\x00\x00\xf8")
			copy(boot[82:], "FAT32   ")
			boot[510], boot[511] = 0x55, 0xaa
			put(t, device, 0, boot)
		},
	} {
		t.Run(name, func(t *testing.T) {
			if os.Getenv("ASSAY_QUICK_TESTS") != "" && !slices.Contains(quick, name) {
				t.Skip("a quick run leaves out what is much like another: make test-lab has it")
			}
			device, file := loop(t, size)
			fill(t, device, file)
			run(t, "sync", file)
			before := contents(t, file)
			if s, err := lend(t, local.New("here", ""), device, Identity{Backing: file}); err == nil {
				t.Errorf("lent %+v", s)
			} else {
				t.Log(err)
			}
			run(t, "sync", file)
			if contents(t, file) != before {
				t.Error("it was written to")
			}
		})
	}
}

// A loop device over this one, via another device node: only the numbers tell.
func TestHeldThroughAnotherNode(t *testing.T) {
	device, file := loop(t, deviceBytes)
	info, err := os.Stat(device)
	if err != nil {
		t.Fatal(err)
	}
	node := filepath.Join(t.TempDir(), "node")
	if err := syscall.Mknod(node, syscall.S_IFBLK|0o600, int(info.Sys().(*syscall.Stat_t).Rdev)); err != nil {
		t.Skipf("needs device nodes: %v", err)
	}
	above := run(t, "losetup", "--find", "--show", node)
	t.Cleanup(func() { run(t, "losetup", "--detach", above) })
	if s, err := lend(t, local.New("here", ""), device, Identity{Backing: file, Overwrite: true}); err == nil || !strings.Contains(err.Error(), "used by "+filepath.Base(above)) {
		t.Errorf("lent %+v, %v", s, err)
	}
}

// A device held by device mapper or md is refused, confirmed or not: a plain volume,
// open LUKS, a running array. This checks how they look in /sys; see
// TestHeldByDeviceMapper.
func TestHeldInSys(t *testing.T) {
	for _, holder := range []string{"dm-0", "md127", "bcache0"} {
		m, device := dock(t)
		m.put(filepath.Join(m.root, "sys/devices/usb1/1-1/host0/lun0/block/sdb/holders", holder), "")
		f, err := Look(t.Context(), m, device)
		if err != nil {
			t.Fatal(err)
		}
		if err := Check(Identity{Serial: "WCC7K0AB", Overwrite: true}, f); err == nil || !strings.Contains(err.Error(), "used by "+holder) {
			t.Errorf("%s: %v", holder, err)
		}
	}
}

func TestHeldByDeviceMapper(t *testing.T) {
	device, file := loop(t, deviceBytes)
	table := fmt.Sprintf("0 %d linear %s 0", deviceBytes/512, device)
	if out, err := exec.Command("dmsetup", "create", "assay-test-held", "--table", table).CombinedOutput(); err != nil {
		t.Skipf("this kernel has no device mapper: %v: %s", err, out)
	}
	defer run(t, "dmsetup", "remove", "assay-test-held")
	if s, err := lend(t, local.New("here", ""), device, Identity{Backing: file, Overwrite: true}); err == nil {
		t.Errorf("lent %+v", s)
	}
}

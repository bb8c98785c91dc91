package guard

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/place/local"
)

// deviceBytes is the size of most devices here: each look reads all of it, and head,
// tail and the rest are distinct.
const deviceBytes = 32 << 20

// loop attaches a loop device of this machine for one test.
func loop(t *testing.T, bytes int64) (device, file string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root for loop devices")
	}
	file = filepath.Join(t.TempDir(), "disk.img")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(bytes), f.Close()); err != nil {
		t.Fatal(err)
	}
	device = run(t, "losetup", "--find", "--show", file)
	t.Cleanup(func() { run(t, "losetup", "--detach", device) })
	return device, file
}

func run(t *testing.T, argv ...string) string {
	t.Helper()
	out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v: %s", argv, err, out)
	}
	return strings.TrimSpace(string(out))
}

// lend lends the device, identified by its backing file, and releases it.
func lend(t *testing.T, at assay.Place, device string, want Identity) (assay.Scratch, error) {
	t.Helper()
	v := New(Kind)
	r, err := v.Reserve(context.Background(), nil, assay.Subject{ID: "here/block/" + device, Kind: assay.KindBlock, Host: "here",
		Name: device, Params: want.Params()}, assay.Request{ID: "0123456789abcdef", Bytes: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	s, lent := v.Lend(context.Background(), at, r)
	if err := v.Release(context.Background(), at, r); err != nil {
		t.Error(err)
	}
	return s, lent
}

// eventuallyFree waits until nobody holds a device: a mount namespace created by
// another process while it was mounted holds it too.
func eventuallyFree(t *testing.T, at assay.Place, device string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		f, err := Look(context.Background(), at, device)
		if err == nil && f.Exclusive != nil && *f.Exclusive {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("still held: %+v, %v", f, err)
		}
	}
}

// TestLoop checks a device in every state that can be produced here.
func TestLoop(t *testing.T) {
	const size = deviceBytes
	device, file := loop(t, size)
	here := local.New("here", "")
	want := Identity{Backing: file}
	confirmed := Identity{Backing: file, Overwrite: true}
	lends := func(t *testing.T, i Identity) {
		t.Helper()
		if s, err := lend(t, here, device, i); err != nil || s.File != device || s.Bytes != size || s.Dir != "" {
			t.Errorf("got %+v, %v", s, err)
		}
	}
	refuses := func(t *testing.T, i Identity, words string) {
		t.Helper()
		if s, err := lend(t, here, device, i); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("got %+v, %v; want %q", s, err, words)
		}
	}
	wipe := func(t *testing.T) { t.Helper(); run(t, "blkdiscard", "--force", device) }

	t.Run("empty", func(t *testing.T) { lends(t, want) })
	t.Run("another file", func(t *testing.T) { refuses(t, Identity{Backing: file + "2"}, "backing file mismatch") })
	t.Run("a file system", func(t *testing.T) {
		run(t, "mkfs.ext4", "-q", device)
		refuses(t, want, "signature of ext")
		lends(t, confirmed)
		mount := t.TempDir()
		run(t, "mount", device, mount)
		refuses(t, confirmed, "mounted at "+mount)
		run(t, "umount", mount)
		eventuallyFree(t, here, device)
		lends(t, confirmed)
		wipe(t)
	})
	// In another process's mount namespace, as a node's mounts are for a pod:
	// only the kernel's refusal to open it tells.
	t.Run("mounted out of sight", func(t *testing.T) {
		run(t, "mkfs.ext4", "-q", device)
		elsewhere := exec.Command("unshare", "--mount", "--propagation", "private", "sh", "-c", `mount "$0" "$1" && echo ready && read -r _`, device, t.TempDir())
		in, err1 := elsewhere.StdinPipe()
		out, err2 := elsewhere.StdoutPipe()
		if err := errors.Join(err1, err2, elsewhere.Start()); err != nil {
			t.Fatal(err)
		}
		if n, err := out.Read(make([]byte, 16)); n == 0 || err != nil {
			t.Fatal(err)
		}
		f, err := Look(context.Background(), here, device)
		if err != nil || len(f.Mounts) != 0 {
			t.Errorf("it is in sight: %+v, %v", f, err)
		}
		refuses(t, confirmed, "the kernel reports that it, or a part of it, is held open")
		if err := errors.Join(in.Close(), elsewhere.Wait()); err != nil && elsewhere.ProcessState.ExitCode() != 1 {
			t.Fatal(err)
		}
		lends(t, confirmed)
		wipe(t)
	})
	t.Run("swap", func(t *testing.T) {
		run(t, "mkswap", device)
		refuses(t, want, "signature of swap")
		run(t, "swapon", device)
		refuses(t, confirmed, "it is swap")
		run(t, "swapoff", device)
		wipe(t)
	})
	t.Run("partitioned", func(t *testing.T) {
		table := make([]byte, 512)
		table[446+4] = 0x83
		binary.LittleEndian.PutUint32(table[446+8:], 2048)
		binary.LittleEndian.PutUint32(table[446+12:], 32768)
		table[510], table[511] = 0x55, 0xaa
		if err := os.WriteFile(device, table, 0); err != nil {
			t.Fatal(err)
		}
		refuses(t, confirmed, "partition table: dos")
		run(t, "addpart", device, "1", "2048", "32768")
		refuses(t, confirmed, "has partitions: "+filepath.Base(device)+"p1")
		run(t, "delpart", device, "1")
		wipe(t)
	})
	t.Run("under a loop device", func(t *testing.T) {
		above := run(t, "losetup", "--find", "--show", device)
		refuses(t, confirmed, "used by "+filepath.Base(above))
		run(t, "losetup", "--detach", above)
		lends(t, want)
	})
	t.Run("read-only", func(t *testing.T) {
		run(t, "blockdev", "--setro", device)
		refuses(t, confirmed, "read-only")
		run(t, "blockdev", "--setrw", device)
	})
	t.Run("in use when it is released", func(t *testing.T) {
		f, err := os.Open(device)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r := assay.Receipt{ID: "0123456789abcdef", Volume: Kind, Names: receiptNames(device, want)}
		if err := New(Kind).Release(context.Background(), here, r); !errors.Is(err, assay.ErrBusy) {
			t.Errorf("released: %v", err)
		}
	})
	t.Run("with the tools of other images", func(t *testing.T) {
		for tools, free := range map[string]bool{"perl": true, "": false} {
			at := with(t, here, tools)
			f, err := Look(context.Background(), at, device)
			if err != nil {
				t.Fatal(err)
			}
			if free != (f.Exclusive != nil && *f.Exclusive) {
				t.Errorf("with %q: %+v", tools, f)
			}
			if !free {
				continue
			}
			run(t, "mkswap", device)
			run(t, "swapon", device)
			f, err = Look(context.Background(), at, device)
			run(t, "swapoff", device)
			wipe(t)
			if err != nil || f.Exclusive == nil || *f.Exclusive || !slices.Contains(f.Signatures, "swap") {
				t.Errorf("with %q swap is %+v, %v", tools, f, err)
			}
		}
	})
	t.Run("small", func(t *testing.T) {
		small, file := loop(t, 1<<20)
		if _, err := lend(t, here, small, Identity{Backing: file}); !errors.Is(err, assay.ErrNoSpace) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("absent, and no device", func(t *testing.T) {
		for path, words := range map[string]string{"/dev/assay-nothing": "not found", "/dev/null": "not a block device"} {
			r := assay.Receipt{ID: "0123456789abcdef", Volume: Kind, Names: receiptNames(path, want)}
			if _, err := New(Kind).Lend(context.Background(), here, r); err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("%s: %v", path, err)
			}
		}
	})
}

// narrow is a place with few tools installed.
type narrow struct {
	assay.Place
	path string
}

func (n narrow) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if c.Argv[0] == "sh" && len(c.Stdin) > 0 {
		// The script adds the usual directories to PATH, which not every system has.
		c.Stdin = []byte(strings.Replace(string(c.Stdin), "PATH=$PATH:/usr/sbin:/sbin", "PATH="+n.path, 1))
		c.Argv = append([]string{"/bin/busybox"}, c.Argv...)
	}
	return n.Place.Run(ctx, c)
}

// with returns a place with BusyBox and one more tool.
func with(t *testing.T, at assay.Place, tool string) assay.Place {
	t.Helper()
	if _, err := os.Stat("/bin/busybox"); err != nil {
		t.Skip("needs busybox")
	}
	dir := t.TempDir()
	for _, applet := range []string{"stat", "readlink", "dd", "tr", "sed", "grep", "sh", "ls", "cat", "tee"} {
		if err := os.Symlink("/bin/busybox", filepath.Join(dir, applet)); err != nil {
			t.Fatal(err)
		}
	}
	if tool != "" {
		program, err := exec.LookPath(tool)
		if err != nil {
			t.Skipf("needs %s", tool)
		}
		if err := os.Symlink(program, filepath.Join(dir, tool)); err != nil {
			t.Fatal(err)
		}
	}
	return narrow{at, dir}
}

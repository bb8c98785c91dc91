package guest_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/lab/guest"
	"assay/lab/guest/guesttest"
	"assay/lab/internal/processtest"
	"assay/lab/internal/wait"
)

// TestDisksOfEveryKind boots a guest with a disk on each bus: each has the size,
// serial and udev name given to it, and what the guest writes to it is in its
// image. Nothing is left once the guest's test ends.
func TestDisksOfEveryKind(t *testing.T) {
	var dir string
	t.Run("a test with a guest", func(t *testing.T) {
		guesttest.Take(t)
		var disks []guest.Disk
		for i, bus := range guest.Buses {
			disks = append(disks, guest.Disk{Bus: bus, Serial: fmt.Sprintf("TEST%04d", i), Bytes: int64(16+i) << 20})
		}
		before := imageSum(t)
		began := time.Now()
		g := guesttest.Up(t, disks...)
		t.Logf("up in %s", time.Since(began).Round(time.Second))
		dir = g.Dir
		if !strings.Contains(processtest.Arguments(t), dir) {
			t.Error("QEMU is not seen")
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		for _, d := range disks {
			words := "written through " + d.Link()
			out, err := g.Run(ctx, "sh", "-c", `blockdev --getsize64 "$1"; lsblk -dno SERIAL "$1"; echo "$2" | dd of="$1" conv=notrunc,fsync 2>/dev/null`, "sh", d.Link(), words)
			if want := fmt.Sprintf("%d\n%s\n", d.Bytes, d.Serial); err != nil || out != want {
				t.Errorf("%s: %q, %v, want %q", d.Link(), out, err, want)
			}
			b, err := os.ReadFile(g.Image(d))
			if err != nil || !bytes.HasPrefix(b, []byte(words+"\n")) || int64(len(b)) != d.Bytes {
				t.Errorf("the image of %s has %d bytes and begins with %.40q, %v", d.Link(), len(b), b, err)
			}
		}
		if out, err := g.Run(ctx, "sh", "-c", "echo no >&2; exit 3"); err == nil || !strings.HasSuffix(err.Error(), "status 3: no") {
			t.Errorf("%q, %v", out, err)
		}
		if _, err := exec.CommandContext(ctx, "ssh", "-F", g.Config(), guest.Name, "true").Output(); err != nil {
			t.Errorf("by hand: %v", err)
		}
		// They hold none of the guest's writes to its system disk: a killed
		// program leaves nothing large.
		if files, err := filepath.Glob(filepath.Join(dir, "vl.*")); err != nil || len(files) > 0 {
			t.Errorf("QEMU keeps %q, %v", files, err)
		}
		if imageSum(t) != before {
			t.Error("the guest wrote to the image that all share")
		}
	})
	if dir == "" {
		t.Skip("there was no guest")
	}
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s is still there", dir)
	}
	if strings.Contains(processtest.Arguments(t), dir) {
		t.Error("QEMU is left")
	}
}

// TestAKilledTestLeavesNoGuest kills a program while its guest boots.
func TestAKilledTestLeavesNoGuest(t *testing.T) {
	if dir := os.Getenv("GUEST_TEST_DIR"); dir != "" {
		_, err := guest.Up(t.Context(), dir)
		t.Fatal(err)
	}
	guesttest.Take(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	dir := filepath.Join(t.TempDir(), "guest")
	c := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestAKilledTestLeavesNoGuest$")
	c.Env = append(os.Environ(), "GUEST_TEST_DIR="+dir)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	qemu := "file:" + dir
	if last, err := wait.Until(ctx, 10*time.Millisecond, func() error {
		if !strings.Contains(processtest.Arguments(t), qemu) {
			return fmt.Errorf("QEMU has not started")
		}
		return nil
	}); err != nil {
		t.Fatal(last)
	}
	_ = c.Process.Kill()
	_ = c.Wait()
	if last, err := wait.Until(ctx, 10*time.Millisecond, func() error {
		if strings.Contains(processtest.Arguments(t), qemu) {
			return fmt.Errorf("QEMU outlived its test")
		}
		return nil
	}); err != nil {
		t.Error(last)
	}
}

func TestDisksThatCannotBe(t *testing.T) {
	good := guest.Disk{Bus: guest.NVMe, Serial: "A1", Bytes: 1 << 20}
	for name, disks := range map[string][]guest.Disk{
		"no bus": {{Serial: "A1", Bytes: 1 << 20}}, "no serial": {{Bus: guest.NVMe, Bytes: 1 << 20}},
		"a serial with an option": {{Bus: guest.NVMe, Serial: "A1,bus=x", Bytes: 1 << 20}},
		"no size":                 {{Bus: guest.NVMe, Serial: "A1"}}, "half a MiB": {{Bus: guest.NVMe, Serial: "A1", Bytes: 1<<20 + 512}}, "twice the same": {good, good},
	} {
		dir := filepath.Join(t.TempDir(), "guest")
		if g, err := guest.Up(t.Context(), dir, disks...); err == nil {
			t.Errorf("%s: up", name)
			_ = g.Down()
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: %s is left", name, dir)
		}
	}
}

// imageSum hashes the head of the root file system, where ext4 records mount
// times.
func imageSum(t *testing.T) string {
	t.Helper()
	dir, err := guest.Image()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "root.ext4"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := make([]byte, 1<<20)
	if _, err := f.ReadAt(b, 0); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

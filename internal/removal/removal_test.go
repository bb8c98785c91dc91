package removal_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"assay/internal/removal"
)

// shells are the shells found on hosts.
var shells = [][]string{{"dash"}, {"bash", "--posix"}, {"busybox", "sh"}, {"mksh"}}

func remove(t *testing.T, shell []string, dir string) (said string, err error) {
	t.Helper()
	if _, err := exec.LookPath(shell[0]); err != nil {
		t.Skipf("needs %s", shell[0])
	}
	argv := append(shell[1:len(shell):len(shell)], "-c", removal.Script+`remove_tree "$1"`, "sh", dir)
	out, err := exec.Command(shell[0], argv...).CombinedOutput()
	return string(out), err
}

// Foreign mounts in a scratch directory are left alone, even if they are of the same
// file system or deep, or their path has a blank.
func TestMountsAreNotCrossed(t *testing.T) {
	for _, shell := range shells {
		t.Run(shell[0], func(t *testing.T) {
			base := t.TempDir()
			dir, theirs := filepath.Join(base, "a b", ".assay-0123456789abcdef"), filepath.Join(base, "theirs")
			inside := filepath.Join(dir, "deep", "mount")
			for _, d := range []string{inside, theirs} {
				if err := os.MkdirAll(d, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			precious := filepath.Join(theirs, "precious")
			if err := os.WriteFile(precious, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := unix.Mount(theirs, inside, "", unix.MS_BIND, ""); err != nil {
				t.Skipf("needs root to mount: %v", err)
			}
			t.Cleanup(func() { _ = unix.Unmount(inside, unix.MNT_DETACH) })
			if said, err := remove(t, shell, dir); err == nil || !strings.Contains(said, "/deep/mount is a mount point: unmount it first") {
				t.Errorf("%v: %q", err, said)
			}
			if _, err := os.Stat(precious); err != nil {
				t.Error(err)
			}
			if err := unix.Unmount(inside, 0); err != nil {
				t.Fatal(err)
			}
			if said, err := remove(t, shell, dir); err != nil {
				t.Errorf("%v: %q", err, said)
			}
			if _, err := os.Lstat(dir); !os.IsNotExist(err) {
				t.Errorf("still there: %v", err)
			}
		})
	}
}

// Mounts beside the directory, or with the same name prefix, are not in it.
func TestOtherMountsAreNoObstacle(t *testing.T) {
	base := t.TempDir()
	dir, beside := filepath.Join(base, ".assay-0123456789abcdef"), filepath.Join(base, ".assay-0123456789abcdef0")
	for _, d := range []string{dir, beside} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := unix.Mount("tmpfs", beside, "tmpfs", 0, ""); err != nil {
		t.Skipf("needs root to mount: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(beside, unix.MNT_DETACH) })
	if said, err := remove(t, []string{"sh"}, dir); err != nil {
		t.Errorf("%v: %q", err, said)
	}
}

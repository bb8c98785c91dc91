package ssh

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

// The next assay removes what a killed one left; what is in use or not assay's
// stays.
func TestSweepControlDirs(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	held, err := newControlDir()
	if err != nil {
		t.Fatal(err)
	}
	killed, err := newControlDir()
	if err != nil {
		t.Fatal(err)
	}
	socket, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(killed.path, "socket")})
	if err != nil {
		t.Fatal(err)
	}
	socket.SetUnlinkOnClose(false)
	_ = socket.Close()
	_ = killed.lock.Close() // as the kernel does
	foreign := filepath.Join(os.TempDir(), controlPrefix+"1")
	notes := filepath.Join(os.TempDir(), controlPrefix+"notes")
	for _, dir := range []string{foreign, notes} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(foreign, "letter"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	next, err := newControlDir()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		held.path: true, killed.path: false, next.path: true, filepath.Join(foreign, "letter"): true, notes: true,
	} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s is there: %t, want %t", path, err == nil, want)
		}
	}
	for _, d := range []*controlDir{held, next} {
		if err := d.remove(); err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(d.path); err == nil {
			t.Errorf("%s is still there", d.path)
		}
	}
}

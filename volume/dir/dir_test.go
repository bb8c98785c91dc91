package dir

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/internal/removal"
	"assay/place/local"
	"assay/volume/volumetest"
)

func subject(dir string) assay.Subject {
	return assay.Subject{ID: "here/directory/" + dir, Kind: assay.KindDirectory, Host: "here", Name: dir}
}

func TestConformance(t *testing.T) {
	volumetest.Test(t, func(t *testing.T) volumetest.Fixture {
		// A name that would break a careless shell script.
		dir := filepath.Join(t.TempDir(), "a b;'$(touch pwned)")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		return volumetest.Fixture{
			Volume: New(), Place: local.New("here", ""), Subject: subject(dir),
			Present: func(t *testing.T, r assay.Receipt) bool {
				_, err := os.Lstat(r.Names["dir"])
				return err == nil
			},
		}
	})
}

func lend(t *testing.T, dir string, bytes int64) (assay.Scratch, error) {
	t.Helper()
	v, at := New(), local.New("here", "")
	r, err := v.Reserve(context.Background(), nil, subject(dir), assay.Request{ID: "0123456789abcdef", Bytes: bytes})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Release(context.Background(), at, r) })
	return v.Lend(context.Background(), at, r)
}

func TestMissingDirectory(t *testing.T) {
	_, err := lend(t, filepath.Join(t.TempDir(), "nowhere"), 64<<20)
	if !errors.Is(err, assay.ErrNotFound) || assay.Hint(err) == "" {
		t.Errorf("got %v, want ErrNotFound with a hint", err)
	}
}

// A small tmpfs stands in for a full disk, and for a read-only one.
func TestSmallAndReadOnlyFileSystems(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=100m", "assay-test", dir).CombinedOutput(); err != nil {
		t.Skipf("needs root to mount a tmpfs: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", dir).Run() })

	s, err := lend(t, dir, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	if most := int64(90 << 20); s.Bytes > most || s.Bytes < most-(1<<20) {
		t.Errorf("lent %d bytes of a file system of 100 MiB, want 90 MiB", s.Bytes)
	}
	if err := os.WriteFile(filepath.Join(dir, "ballast"), make([]byte, 70<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := lend(t, dir, 1<<30); !errors.Is(err, assay.ErrNoSpace) || assay.Hint(err) == "" {
		t.Errorf("got %v, want ErrNoSpace with a hint", err)
	}
	if err := os.Remove(filepath.Join(dir, "ballast")); err != nil {
		t.Fatal(err)
	}
	_ = os.RemoveAll(filepath.Join(dir, ".assay-0123456789abcdef"))
	if out, err := exec.Command("mount", "-o", "remount,ro", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if _, err := lend(t, dir, 64<<20); !errors.Is(err, assay.ErrReadOnly) || assay.Hint(err) == "" {
		t.Errorf("got %v, want ErrReadOnly with a hint", err)
	}
}

// After a power cut the file system may not be mounted yet: out of sight is not
// gone.
func TestReleaseWaitsForTheMount(t *testing.T) {
	v, at, ctx := New(), local.New("here", ""), context.Background()
	base := t.TempDir()
	s := subject(filepath.Join(base, "disk"))
	s.Source = "/dev/elsewhere1"
	r, err := v.Reserve(ctx, nil, s, assay.Request{ID: "0123456789abcdef", Bytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Release(ctx, at, r); err == nil || assay.Hint(err) == "" {
		t.Errorf("the parent is missing, and Release says %v", err)
	}
	if err := os.Mkdir(s.Name, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := v.Release(ctx, at, r); err == nil || !strings.Contains(err.Error(), "/dev/elsewhere1") {
		t.Errorf("another file system is mounted there, and Release says %v", err)
	}
	if err := os.Mkdir(r.Names["dir"], 0o755); err != nil {
		t.Fatal(err)
	}
	if err := v.Release(ctx, at, r); err != nil {
		t.Errorf("it is there, whatever it lies on, and Release says %v", err)
	}
}

// on is a place on a machine with that id.
type on struct {
	assay.Place
	id string
}

func (o on) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if strings.Contains(strings.Join(c.Argv, " "), "machine-id") {
		return assay.Output{Stdout: []byte(o.id)}, nil
	}
	return o.Place.Run(ctx, c)
}

// Two sites may each have a host of that name: what isn't on the other machine is
// still on its own.
func TestReleaseIsForOneMachine(t *testing.T) {
	v, here, ctx := New(), local.New("here", ""), context.Background()
	home, lab, silent := on{here, "1111\n"}, on{here, "2222\n"}, on{here, ""}
	for _, test := range []struct {
		reserved, released assay.Place
		refused            bool
	}{{home, home, false}, {home, lab, true}, {home, silent, false}, {silent, lab, false}, {nil, lab, false}} {
		r, err := v.Reserve(ctx, test.reserved, subject(t.TempDir()), assay.Request{ID: "0123456789abcdef", Bytes: 64 << 20})
		if err != nil {
			t.Fatal(err)
		}
		err = v.Release(ctx, test.released, r)
		if refused := err != nil && strings.Contains(err.Error(), "another machine") && assay.Hint(err) != ""; refused != test.refused {
			t.Errorf("%v released on %v: %v", test.reserved, test.released, err)
		}
		if err := os.Mkdir(r.Names["dir"], 0o755); err != nil {
			t.Fatal(err)
		}
		if err := v.Release(ctx, test.released, r); err != nil {
			t.Errorf("it is there, whatever the machine, and Release says %v", err)
		}
	}
}

func TestParseDF(t *testing.T) {
	for in, want := range map[string]space{
		"Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/sda1 30832636 3670016 25165824 13% /usr\n": {30832636 << 10, 25165824 << 10, "/dev/sda1"},
		"Filesystem 1024-blocks Used Available Capacity Mounted on\n//nas/my share 100 40 60 40% /mnt/my dir 50%\n": {100 << 10, 60 << 10, "//nas/my share"},
		"Filesystem 1024-blocks Used Available Capacity Mounted on\nfull 100 100 -5 100% /\n":                       {100 << 10, 0, "full"},
	} {
		if got, err := parseDF([]byte(in)); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", in, got, err, want)
		}
	}
	for _, in := range []string{"", "rubbish", "a b c d 10%", "x 99999999999999999999 1 2 3% /"} {
		if got, err := parseDF([]byte(in)); err == nil {
			t.Errorf("%q gave %v", in, got)
		}
	}
}

func FuzzParseDF(f *testing.F) {
	f.Add([]byte("Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/sda1 30832636 3670016 25165824 13% /usr\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := parseDF(b); err == nil && (s.size < 0 || s.free < 0) {
			t.Errorf("negative space %v", s)
		}
	})
}

// A foreign bind mount in a scratch directory keeps its content, and the directory
// stays in the journal.
func TestReleaseCrossesNoMount(t *testing.T) {
	v, at, ctx := New(), local.New("here", ""), context.Background()
	base, theirs := t.TempDir(), t.TempDir()
	// No other package's tests, which run in parallel, use this id.
	r, err := v.Reserve(ctx, nil, subject(base), assay.Request{ID: "fedcba9876543210", Bytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Lend(ctx, at, r); err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(r.Names["dir"], "mount")
	if err := errors.Join(os.Mkdir(inside, 0o700), os.WriteFile(filepath.Join(theirs, "precious"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "--bind", theirs, inside).CombinedOutput(); err != nil {
		t.Skipf("needs root to mount: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", inside).Run() })
	if err := v.Release(ctx, at, r); err == nil || !strings.Contains(err.Error(), inside+" is a mount point: unmount it first") {
		t.Errorf("released: %v", err)
	}
	if _, err := os.Stat(filepath.Join(theirs, "precious")); err != nil {
		t.Error(err)
	}
}

// yes is a host whose sh runs nothing and reports success.
type yes struct {
	assay.Place
	says string
}

func (y yes) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if c.Argv[0] != "sh" {
		return y.Place.Run(ctx, c)
	}
	return assay.Output{Stdout: []byte(y.says)}, nil
}

// Release succeeds only if the script itself reports that the directory is gone.
func TestReleaseIsNotBelievedForItsStatus(t *testing.T) {
	v, at, base := New(), local.New("here", ""), t.TempDir()
	r, err := v.Reserve(t.Context(), nil, subject(base), assay.Request{ID: "0123456789abcdef", Bytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Lend(t.Context(), at, r); err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{"", "not gone\n", "gone\ngone\n", removal.Script + script} {
		if err := v.Release(t.Context(), yes{at, says}, r); err == nil || assay.Hint(err) == "" {
			t.Errorf("a sh that says %q is believed: %v", says, err)
		}
	}
	if err := v.Release(t.Context(), at, r); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(base); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

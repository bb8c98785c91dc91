package guesttest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/guest"
	"assay/lab/internal/turns"
)

// bound is the time limit for booting a guest. With the processors to itself it
// takes half a minute.
const bound = 10 * time.Minute

// labs is the environment variable that, if set, names the labs to test with.
const labs = "ASSAY_LABS"

// Wanted skips t if the labs to test with do not include guests. It is also for long
// tests that need no guest.
func Wanted(t testing.TB) {
	t.Helper()
	if wanted := os.Getenv(labs); wanted != "" && !slices.Contains(strings.Fields(wanted), "guest") {
		t.Skipf("%s leaves out the tests with a machine in QEMU: make test-lab runs them", labs)
	}
}

// Take is for tests that boot a guest themselves: it skips t as Up does, and returns
// when no other package's tests hold a heavy lab.
func Take(t testing.TB) {
	t.Helper()
	Wanted(t)
	turns.Take(t, "guest", guest.Missing)
}

// Up returns a guest for the duration of t. It skips t, with the reason and a
// hint, if this machine cannot run one, and in a quick test run.
func Up(t testing.TB, disks ...guest.Disk) *guest.Guest {
	t.Helper()
	Take(t)
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	g, err := guest.Up(ctx, filepath.Join(t.TempDir(), "guest"), disks...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Down(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// UpZFS is Up with ZFS loaded.
func UpZFS(t testing.TB, disks ...guest.Disk) *guest.Guest {
	t.Helper()
	return upWith(t, (*guest.Guest).InstallZFS, disks)
}

// UpDRBD is Up with DRBD loaded.
func UpDRBD(t testing.TB, disks ...guest.Disk) *guest.Guest {
	t.Helper()
	return upWith(t, (*guest.Guest).InstallDRBD, disks)
}

func upWith(t testing.TB, install func(*guest.Guest, context.Context) error, disks []guest.Disk) *guest.Guest {
	t.Helper()
	more, err := guest.ZFS()
	if err != nil && guest.Missing() == nil {
		t.Skipf("%v: %s", err, assay.Hint(err))
	}
	g := Up(t, append(disks, more)...)
	if err := install(g, t.Context()); err != nil {
		t.Fatal(err)
	}
	return g
}

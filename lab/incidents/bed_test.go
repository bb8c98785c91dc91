package incidents_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/lab/guest/guesttest"
	"assay/lab/incidents"
	"assay/lab/internal/laptop"
)

func TestMain(m *testing.M) { os.Exit(laptop.Main(m, "incidents", 1, "CGO_ENABLED=0")) }

// TestRounds plants faults of several sorts in one bed, with a round of nothing after
// each: faults are diagnosed, and gone when the next round begins.
func TestRounds(t *testing.T) {
	guesttest.Take(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	binary, err := laptop.Binary()
	if err != nil {
		t.Fatal(err)
	}
	short, err := os.MkdirTemp("", "assay-incidents-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	bed, err := incidents.Up(ctx, filepath.Join(short, "bed"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := bed.Down(); err != nil {
			t.Error(err)
		}
	})
	for i, name := range []string{"dm-error", "nothing", "dm-suspended", "nothing", "usb-pulled", "nothing", "link-flaps", "nothing", "iscsi-cut", "nothing"} {
		k, err := incidents.Chosen(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bed.Possible(k) {
			t.Logf("%s is not planted: the guests lack what it needs", name)
			continue
		}
		r, err := bed.Try(ctx, binary, filepath.Join(short, string(rune('a'+i))), k)
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome != incidents.Right {
			t.Errorf("round %d, %s: %s: %s\n%s", i+1, name, r.Outcome, r.Said, r.Text)
		}
	}
}

package dir

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"assay"
	"assay/place/local"
	"assay/volume/volumetest"
)

// TestInside lends mounted file systems, and refuses what only looks like one.
func TestInside(t *testing.T) {
	mounted := filepath.Join(t.TempDir(), `a b\c`)
	if err := os.Mkdir(mounted, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=200m", "assay-test", mounted).CombinedOutput(); err != nil {
		t.Skipf("needs root to mount a tmpfs: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", mounted).Run() })
	volumetest.Test(t, func(*testing.T) volumetest.Fixture {
		return volumetest.Fixture{Volume: Inside("pvc", "ask for more"), Place: local.New("here", ""), Subject: subject(mounted),
			Present: func(_ *testing.T, r assay.Receipt) bool {
				_, err := os.Lstat(r.Names["dir"])
				return err == nil
			}}
	})
	below := filepath.Join(mounted, "below")
	if err := os.Mkdir(below, 0o755); err != nil {
		t.Fatal(err)
	}
	v := Inside("pvc", "ask for more")
	r, err := v.Reserve(context.Background(), nil, subject(below), assay.Request{ID: "0123456789abcdef", Bytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Lend(context.Background(), local.New("here", ""), r); !errors.Is(err, assay.ErrNotFound) || assay.Hint(err) == "" {
		t.Errorf("a directory on which nothing is mounted was lent: %v", err)
	}
	if left, _ := os.ReadDir(below); len(left) != 0 {
		t.Errorf("%v was made in it", left)
	}
	if err := New().Release(context.Background(), local.New("here", ""), r); err == nil {
		t.Error("a volume of kind dir released a receipt of another kind")
	}
}

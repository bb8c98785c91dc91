package main

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"assay/lab/ceph"
	"assay/lab/ceph/cephtest"
	"assay/lab/internal/verbs/verbstest"
)

// TestVerbs walks through the life of a Ceph cluster, as typed by a user.
func TestVerbs(t *testing.T) {
	cephtest.Take(t)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	dir := filepath.Join(t.TempDir(), "ceph")
	t.Cleanup(func() {
		if err := ceph.Down(context.Background(), dir); err != nil {
			t.Error(err)
		}
	})
	terminal := verbstest.Terminal{T: t, Run: run, Dir: dir}
	for _, c := range []struct{ words, prints, fails string }{
		{"status", "", "no Ceph is in"},
		{"missing", "", ""},
		{"-n 2 up", "", "there can be 3 to 6"},
		{"up", "HEALTH_OK", ""},
		{"up", "HEALTH_OK", ""},
		{"-n 4 up", "", "another Ceph is up"},
		{"ceph osd pool ls", ceph.Pool, ""},
		{"stop host9", "", "host9 is not up"},
		{"stop host3", "", ""},
		{"status", "cluster.yaml", ""},
		{"down", "", ""},
		{"status", "", "no Ceph is in"},
		{"down", "", ""},
	} {
		_ = terminal.Type(ctx, c.words, c.prints, c.fails)
	}
}

func TestWordsThatAreNone(t *testing.T) {
	verbstest.ExpectRefused(t, run, [][]string{{}, {"upp"}, {"up", "more"}, {"stop"}, {"-m", "3", "up"}})
}

package main

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"assay/lab/garage"
	"assay/lab/garage/garagetest"
	"assay/lab/internal/verbs/verbstest"
)

// TestVerbs walks through the life of a Garage, as typed by a user.
func TestVerbs(t *testing.T) {
	garagetest.Take(t)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	dir := filepath.Join(t.TempDir(), "garage")
	t.Cleanup(func() {
		if err := garage.Down(context.Background(), dir); err != nil {
			t.Error(err)
		}
	})
	terminal := verbstest.Terminal{T: t, Run: run, Dir: dir}
	for _, c := range []struct{ words, prints, fails string }{
		{"status", "", "no Garage is in"},
		{"missing", "", ""},
		{"-n 2 -replication 3 up", "", "3 copies on 2 nodes"},
		{"-n 2 -replication 1 up", "node2  up", ""},
		{"-n 2 -replication 2 up", "", "another Garage is up"},
		{"key demo", "AWS_SECRET_ACCESS_KEY=", ""},
		{"key demo", "", "BucketAlreadyExists"},
		{"stop node3", "", `no node is called "node3"`},
		{"stop node2", "", ""},
		{"status", "node2  off", ""},
		{"-n 2 -replication 1 up", "node2  up", ""},
		{"down", "", ""},
		{"status", "", "no Garage is in"},
		{"down", "", ""},
	} {
		_ = terminal.Type(ctx, c.words, c.prints, c.fails)
	}
}

func TestWordsThatAreNone(t *testing.T) {
	verbstest.ExpectRefused(t, run, [][]string{{}, {"upp"}, {"up", "more"}, {"stop"}, {"-m", "3", "up"}})
}

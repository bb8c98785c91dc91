package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/lab/garage"
	"assay/lab/garage/garagetest"
)

// TestVerbs walks through the life of a Garage as somebody would type it.
func TestVerbs(t *testing.T) {
	garagetest.Take(t)
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	dir := filepath.Join(t.TempDir(), "garage")
	t.Cleanup(func() {
		if err := garage.Down(context.Background(), dir); err != nil {
			t.Error(err)
		}
	})
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
		var out bytes.Buffer
		err := run(ctx, append([]string{"-dir", dir}, strings.Fields(c.words)...), &out)
		if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: %v, want %q", c.words, err, c.fails)
		}
		if !strings.Contains(out.String(), c.prints) {
			t.Errorf("%s printed\n%s\nwant %q", c.words, out.String(), c.prints)
		}
	}
}

func TestWordsThatAreNone(t *testing.T) {
	for _, words := range [][]string{{}, {"upp"}, {"up", "more"}, {"stop"}, {"-m", "3", "up"}} {
		var out bytes.Buffer
		if err := run(context.Background(), append([]string{"-dir", t.TempDir()}, words...), &out); err == nil {
			t.Errorf("took %q", words)
		}
	}
}

package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/lab/hosts"
	"assay/lab/internal/verbs/verbstest"
)

// TestVerbs walks through the life of a lab, as typed by a user.
func TestVerbs(t *testing.T) {
	if err := hosts.Missing(); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	dir := filepath.Join(t.TempDir(), "lab")
	t.Cleanup(func() {
		if err := hosts.Down(context.Background(), dir); err != nil {
			t.Error(err)
		}
	})
	terminal := verbstest.Terminal{T: t, Run: run, Dir: dir}
	for _, c := range []struct{ words, prints, fails string }{
		{"status", "", "no lab is in"},
		{"up -n 2", "host2  up", ""},
		{"status", "ssh -F " + filepath.Join(dir, "ssh_config"), ""},
		{"exec host2 hostname", "host2", ""},
		{"break host2 power-of", "", `no fault is called "power-of"`},
		{"break host2 power-off", "", ""},
		{"status", "host2  off", ""},
		{"exec host2 hostname", "", "host2 is not up"},
		{"mend host2 power-off", "", ""},
		{"status", "host2  up", ""},
		{"down", "", ""},
		{"status", "", "no lab is in"},
	} {
		err := terminal.Type(ctx, c.words, c.prints, c.fails)
		if c.words == "break host2 power-of" && assay.Hint(err) == "" {
			t.Errorf("no hint in %v", err)
		}
	}
}

func TestWordsThatAreNone(t *testing.T) {
	verbstest.ExpectRefused(t, run, [][]string{{}, {"upp"}, {"up", "more"}, {"break", "host1"}, {"-m", "3", "up"}})
}

func TestFaultsAreListed(t *testing.T) {
	var out bytes.Buffer
	if err := run(context.Background(), []string{"faults"}, &out); err != nil {
		t.Fatal(err)
	}
	for _, f := range []hosts.Fault{hosts.Cut, hosts.PowerOff, hosts.Clock, hosts.Detour} {
		if !strings.Contains(out.String(), "\n"+string(f)+" ") && !strings.HasPrefix(out.String(), string(f)+" ") {
			t.Errorf("%s is not listed:\n%s", f, out.String())
		}
	}
}

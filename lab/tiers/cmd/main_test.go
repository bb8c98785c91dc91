package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/lab/tiers/tierstest"
)

func TestStatus(t *testing.T) {
	l := tierstest.Up(t)
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-dir", l.Dir, "status"}, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{l.Cluster(), l.Kube.Kubeconfig(), l.Garage.Endpoints()[0]} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in\n%s", want, out.String())
		}
	}
	if err := run(t.Context(), []string{"-dir", l.Dir, "down"}, &out); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(l.Dir); err == nil {
		t.Errorf("%s is left", l.Dir)
	}
}

func TestWithoutALab(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	var out bytes.Buffer
	err := run(t.Context(), []string{"-dir", dir, "status"}, &out)
	if err == nil || !strings.Contains(err.Error(), "no lab of tiers is in") || !strings.Contains(assay.Hint(err), "up") {
		t.Errorf("%v (%s)", err, assay.Hint(err))
	}
	if err := run(t.Context(), []string{"-dir", dir, "down"}, &out); err != nil {
		t.Error(err)
	}
}

func TestWordsThatAreNone(t *testing.T) {
	for _, words := range [][]string{{}, {"upp"}, {"up", "more"}, {"-n", "3", "up"}} {
		var out bytes.Buffer
		if err := run(t.Context(), append([]string{"-dir", t.TempDir()}, words...), &out); err == nil {
			t.Errorf("took %q", words)
		}
	}
}

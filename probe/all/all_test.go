package all_test

import (
	"cmp"
	"os"
	"slices"
	"testing"

	"assay"
	"assay/ingest/readers"
	"assay/plan/suite"
	"assay/probe/all"
	"assay/probe/probetest"
)

func TestEveryFolderIsListed(t *testing.T) {
	listed := []string{"all", "probetest"}
	for _, p := range all.Probes() {
		listed = append(listed, p.Spec().Name)
	}
	for _, r := range readers.All() {
		listed = append(listed, r.Format().Tool)
	}
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(listed, e.Name()) {
			t.Errorf("probe/%s is on no list", e.Name())
		}
	}
}

// Every measuring probe can read output of other people, wherever it appears.
func TestEveryMeasuringProbeIsAReader(t *testing.T) {
	for _, p := range all.Probes() {
		m, ok := p.(assay.Measurer)
		if ok && !slices.ContainsFunc(readers.All(), func(r assay.Reader) bool { return r.Format().Tool == m.Format().Tool }) {
			t.Errorf("%s is not on the list of ingest/readers", p.Spec().Name)
		}
	}
}

func TestConformance(t *testing.T) {
	for _, p := range all.Probes() {
		t.Run(p.Spec().Name, func(t *testing.T) { probetest.Test(t, p, casesOf(t, cmp.Or(p.Spec().InsteadOf, p.Spec().Name))) })
	}
}

// casesOf returns every case of every suite that uses a probe.
func casesOf(t *testing.T, probe string) []assay.Case {
	t.Helper()
	var out []assay.Case
	for _, name := range suite.Names() {
		s, err := suite.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range s.Cases {
			// A case that two suites share counts once.
			known := slices.ContainsFunc(out, func(o assay.Case) bool { return o.Name == c.Name })
			if c.Probe == probe && !known {
				out = append(out, c)
			}
		}
	}
	return out
}

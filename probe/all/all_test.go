package all_test

import (
	"os"
	"slices"
	"testing"

	"assay"
	"assay/plan/suite"
	"assay/probe/all"
	"assay/probe/probetest"
)

func TestEveryFolderIsListed(t *testing.T) {
	listed := []string{"all", "probetest"}
	for _, p := range all.Probes() {
		listed = append(listed, p.Spec().Name)
	}
	for _, r := range all.Readers() {
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

func TestConformance(t *testing.T) {
	for _, p := range all.Probes() {
		t.Run(p.Spec().Name, func(t *testing.T) { probetest.Test(t, p, casesOf(t, p.Spec().Name)) })
	}
}

// casesOf gives every case of every suite that uses a probe.
func casesOf(t *testing.T, probe string) []assay.Case {
	t.Helper()
	var out []assay.Case
	for _, name := range suite.Names() {
		s, err := suite.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range s.Cases {
			// What two suites ask alike is one case.
			known := slices.ContainsFunc(out, func(o assay.Case) bool { return o.Name == c.Name })
			if c.Probe == probe && !known {
				out = append(out, c)
			}
		}
	}
	return out
}

// What is recognised must be recognised by one reader alone.
func TestReaders(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range all.Readers() {
		f := r.Format()
		t.Run(f.Tool, func(t *testing.T) {
			if f.Tool == "" || seen[f.Tool] {
				t.Errorf("tool %q is not a name of its own", f.Tool)
			}
			seen[f.Tool] = true
			probetest.TestReader(t, r)
		})
	}
}

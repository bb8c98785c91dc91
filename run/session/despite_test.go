package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/plan/suite"
)

// A run that is resumed or measured like another may be told, too, to measure a Ceph that is
// not well: its storage says so in a hint. No tier here has a health, so it is refused.
func TestDespiteHealth(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(file, []byte("hosts: {a: 127.0.0.1}\ntiers: {disk: {host: a, directory: /srv}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := suite.Load("tiers")
	if err != nil {
		t.Fatal(err)
	}
	was := assay.Run{
		ID: "20260101-000000-aaaaaa", Suite: "tiers", Status: assay.RunInterrupted, Budget: s.Budget,
		Inventory: assay.Inventory{File: file, Tiers: []assay.Tier{{Name: "disk", Hosts: []string{"a"}}}},
		Results:   []assay.Result{{Trial: assay.Trial{Probe: "fio", ID: "x@a/directory//srv", Subject: assay.Subject{ID: "a/directory//srv", Host: "a"}, Repeats: 1}}},
	}
	for what, begin := range map[string]func(Options) (*Session, error){
		"new":     New,
		"resumed": func(o Options) (*Session, error) { return Resume(was, o) },
		"like":    func(o Options) (*Session, error) { return Like(was, o) },
	} {
		for _, despite := range []bool{false, true} {
			one, err := begin(Options{Suite: s, Target: Target{Cluster: file, DespiteHealth: despite}})
			if err == nil {
				err = one.Close(t.Context())
			}
			if despite != (err != nil && strings.Contains(err.Error(), "--despite-health: no tier here looks at its health")) {
				t.Errorf("%s, %v: %v", what, despite, err)
			}
		}
	}
}

package readers_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/ingest/readers"
)

func TestEveryFolderOfFactsIsListed(t *testing.T) {
	var listed []string
	for _, l := range readers.Learners() {
		listed = append(listed, l.Format().Tool)
	}
	entries, err := os.ReadDir("../facts")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(listed, e.Name()) {
			t.Errorf("ingest/facts/%s is on no list", e.Name())
		}
	}
}

// No line of any capture opens two tools' output.
func TestNoTwoToolsClaimALine(t *testing.T) {
	files, err := filepath.Glob("../facts/*/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			var claim []string
			for _, l := range readers.Learners() {
				if f := l.Format(); f.Begins != nil && f.Begins(line) {
					claim = append(claim, f.Tool)
				}
			}
			if len(claim) > 1 {
				t.Errorf("%s, line %d is claimed by %v: %s", file, i+1, claim, line)
			}
		}
	}
}

// Nothing is learned from nothing, and a transcript without a step is an error.
func TestNothing(t *testing.T) {
	for _, l := range readers.Learners() {
		for _, steps := range [][]assay.Step{nil, {{Name: "measure"}}} {
			var f assay.Facts
			if err := l.Learn(assay.Transcript{Steps: steps}, &f); err == nil {
				t.Errorf("%s learns from nothing", l.Format().Tool)
			}
		}
	}
}

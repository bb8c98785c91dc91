package readers_test

import (
	"testing"

	"assay/ingest/readers"
	"assay/probe/probetest"
)

// Each tool must be recognised by one reader only.
func TestMeasurers(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range readers.Measurers() {
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

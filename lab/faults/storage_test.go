package faults

import (
	"testing"

	"assay/lab/hosts"
)

// The first host's disk is not writable: nothing is written there, and the
// second's is measured.
func TestDiskThatCannotBeWritten(t *testing.T) {
	notQuick(t)
	for _, c := range []struct {
		name  string
		fault hosts.Fault
		says  []string
	}{
		{"is full", hosts.FullDisk, []string{hosts.BenchDir, "free"}},
		{"is read-only", hosts.ReadOnly, []string{hosts.BenchDir, "not writable"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBed(t, 2)
			b.breakHost("host1", c.fault)
			b.remember("host1")
			o := b.measure(short, 3, quickDisk...).end()
			o.expectExit(partial)
			o.expectFigures("host2")
			o.expectSaid("host1", c.says...)
			b.expectNothingLeft()
		})
	}
}

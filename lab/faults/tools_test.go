package faults

import (
	"testing"

	"assay/lab/hosts"
	"assay/lab/internal/laptop"
)

// A trial without its tool is a row with the reason and the remedy; what needs
// another tool is measured, on that host too.
func TestToolThatCannotBeUsed(t *testing.T) {
	notQuick(t)
	for _, c := range []struct {
		name  string
		fault hosts.Fault
		says  []string
	}{
		{"is missing", hosts.NoTool, []string{"fio is not installed", "install"}},
		{"is too old", hosts.OldTool, []string{"fio is too old", "0.1", "need 3.0 or later", "install"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBed(t, 2)
			b.breakHost("host1", c.fault, "fio")
			o := b.measure(short, 3, "--suite", "baseline", "--only", "cpu-1,randread-4k", "--length", "1s").end()
			o.expectExit(partial)
			o.expectFigures("host2")
			expectFigures(t, o.doc, laptop.RowsOf(o.doc, "cpu-1", "host1"), "cpu-1 on host1")
			for _, r := range laptop.RowsOf(o.doc, "randread-4k", "host1") {
				if laptop.Measured(r) {
					t.Errorf("figures without fio: %+v", r.Figures)
				}
			}
			o.expectSaid("host1", c.says...)
			b.expectNothingLeft()
		})
	}
}

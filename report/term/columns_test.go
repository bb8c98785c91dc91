package term

import (
	"bytes"
	"strings"
	"testing"

	"assay/report/block"
)

// A run ID is never broken at widths that have room for one: people copy it.
func TestRunIDsAreNeverBroken(t *testing.T) {
	const id = "20261122-055159-b71492"
	d := block.Document{Name: "Runs"}
	d.Add(block.Texts([]string{"run", "what", "named"}, [][]string{{id, "a suite whose name takes all of the room that there is", "before-upgrade-of-the-kernel, job=nightly"}}))
	for columns := len(id); columns <= 120; columns++ {
		var b bytes.Buffer
		if err := Render(&b, d, Options{Width: columns}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), id) {
			t.Errorf("%d columns:\n%s", columns, b.String())
		}
	}
}

package html

import (
	"bytes"
	"strings"
	"testing"

	"assay/report"
)

// Figures are placed among published ones where possible, and others' text is
// escaped.
func TestFiguresStandAmongOthers(t *testing.T) {
	page := func(lines ...report.Among) string {
		d := sample()
		d.Among = lines
		var b bytes.Buffer
		if err := renderWith(&b, report.Blocks(d), bundle{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	line := report.Among{
		Title: "4 KiB random read", Text: "243k IOPS, like an <b>NVMe</b> SSD", Apart: "on the bare device",
		Nearest: []report.Published{{Name: "an NVMe SSD", Sources: []string{"a page & its title"}}},
	}
	got := page(line, line)
	for _, want := range []string{">Compared with published results</a>", "like an &lt;b&gt;NVMe", "Published: on the bare device", "<summary>Sources</summary>", "a page &amp; its title"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(page(), "Compared with published results") {
		t.Error("a section stands there with nothing to say")
	}
}

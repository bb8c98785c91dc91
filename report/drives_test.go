package report_test

import (
	"bytes"
	"strings"
	"testing"

	"assay/report"
	"assay/report/markdown"
	"assay/report/reporttest"
)

// Drives are ranked, and one that is slower than its twins is named, with the
// difference.
func TestDrivesSideBySide(t *testing.T) {
	var b bytes.Buffer
	if err := markdown.Render(&b, report.Blocks(reporttest.Drives())); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"pve1 ata-SAMSUNG_MZ7KM480_S3BV runs at 54 % of the speed of the other SAMSUNG MZ7KM480, worst in fill-1m. " +
			"It differs in firmware GXM1003Q (the others: GXM1103Q); link SATA 3.0 Gb/s (the others: SATA 6.0 Gb/s).",
		"1. pve1 ata-SAMSUNG_MZ7KM480_S3BU", "17.6k", "270 MB/s", "0.69 ×",
		"pve1 ata-SAMSUNG_MZ7KM480_S3BU: discarded whole (blkdiscard) before the first write", "pve1 ata-SAMSUNG_MZ7KM480_S3BV: none.",
	} {
		if !strings.Contains(strings.ReplaceAll(b.String(), "\\", ""), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

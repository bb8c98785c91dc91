package html

import (
	"os"
	"testing"

	"assay/report"
	"assay/report/reporttest"
)

// TestWriteSample writes the sample to the path in ASSAY_SAMPLE, for viewing:
// one host, or, if ASSAY_SAMPLE_OF is cluster, four hosts, if it is tiers, tiers
// of storage, and if it is links, pictures of clusters.
func TestWriteSample(t *testing.T) {
	path := os.Getenv("ASSAY_SAMPLE")
	if path == "" {
		t.Skip("set ASSAY_SAMPLE to a file to write the sample report there")
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := sample()
	switch os.Getenv("ASSAY_SAMPLE_OF") {
	case "cluster":
		d = reporttest.Cluster()
	case "tiers":
		d = reporttest.Tiers()
	}
	blocks := report.Blocks(d)
	if os.Getenv("ASSAY_SAMPLE_OF") == "links" {
		blocks = pictures(3, 8, 32)
	}
	if err := Render(f, blocks); err != nil {
		t.Fatal(err)
	}
}

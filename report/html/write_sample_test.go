package html

import (
	"os"
	"testing"

	"assay/report"
	"assay/report/reporttest"
)

// TestWriteSample writes the sample where ASSAY_SAMPLE says, to be looked at: of
// one host, or where ASSAY_SAMPLE_OF is cluster, of four, where it is tiers, of
// tiers of storage, or where it is links, pictures of clusters.
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

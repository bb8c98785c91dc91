package html

import (
	"os"
	"testing"

	"assay/report/reporttest"
)

// TestWriteSample writes the sample where ASSAY_SAMPLE says, to be looked at: of
// one host, or where ASSAY_SAMPLE_OF is cluster, of four, or where it is tiers, of
// tiers of storage.
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
	if err := Write(f, d); err != nil {
		t.Fatal(err)
	}
}

package html

import (
	"os"
	"testing"
)

// TestWriteSample writes the sample where ASSAY_SAMPLE says, to be looked at.
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
	if err := Write(f, sample()); err != nil {
		t.Fatal(err)
	}
}

package markdown

import (
	"bytes"
	"testing"

	"assay/report/reporttest"
)

func TestReading(t *testing.T) {
	var out bytes.Buffer
	if err := Render(&out, reporttest.Reading().Document()); err != nil {
		t.Fatal(err)
	}
	reporttest.Golden(t, "reading.golden", out.Bytes())
}

package traits

import (
	"testing"

	"assay"
)

// Limits and drive sizes are shown with few digits and no division artefacts; values that
// must not change when a run is resumed keep all their digits.
func TestFiguresArePlain(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{rate(209715200, "read"), "210 MB/s read"},
		{rate(50e6, "write"), "50 MB/s write"},
		{rate(300e3, "write"), "0.3 MB/s write"},
		{rate(0, "write"), ""},
		{sold(2_400_476_553_216), "2.4 TB"},
		{sold(300_069_052_416), "300 GB"},
		{number(512110190592, 1e9, "GB"), "512.110190592 GB"},
		{plainly(12345, 3), "12345"},
		{Of("I/O limit", assay.Facts{Limits: &assay.LimitFacts{}}), "none"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

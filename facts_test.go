package assay

import (
	"math"
	"testing"
)

// The ceilings are worked out by hand.
func TestPCIeLink(t *testing.T) {
	for _, c := range []struct {
		gts     float64
		lanes   int
		ceiling float64
		mode    string
		sum     string
	}{
		{2.5, 1, 250e6, "Gen1 x1", "2.5 GT/s x 1 x 8/10 / 8"},
		{5, 2, 1e9, "Gen2 x2", "5 GT/s x 2 x 8/10 / 8"},
		{8, 4, 3.93846e9, "Gen3 x4", "8 GT/s x 4 x 128/130 / 8"},
		{32, 4, 15.75385e9, "Gen5 x4", "32 GT/s x 4 x 128/130 / 8"},
		{64, 4, 30.25e9, "Gen6 x4", "64 GT/s x 4 x 242/256 / 8"},
	} {
		l := PCIeLink(c.gts, c.lanes)
		if l == nil || math.Abs(l.Ceiling/c.ceiling-1) > 1e-5 || l.Mode != c.mode || l.Arithmetic() != c.sum {
			t.Errorf("%v GT/s x%d: %+v, %s", c.gts, c.lanes, l, l.Arithmetic())
		}
	}
	for _, l := range []*Link{PCIeLink(7, 4), PCIeLink(8, 0), PCIeLink(8, -1), PCIeLink(math.NaN(), 4)} {
		if l != nil {
			t.Errorf("%+v is no PCIe link", l)
		}
	}
	if got := (Link{Kind: "usb", Mode: "480 Mb/s"}).Arithmetic(); got != "usb 480 Mb/s" {
		t.Error(got)
	}
}

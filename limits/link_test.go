package limits

import (
	"math"
	"testing"

	"assay"
)

// The ceilings are computed by hand.
func TestPCIe(t *testing.T) {
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
		l := PCIe(c.gts, c.lanes)
		if l == nil || math.Abs(l.Ceiling/c.ceiling-1) > 1e-5 || l.Mode != c.mode || linkSum(*l) != c.sum {
			t.Errorf("%v GT/s x%d: %+v, %s", c.gts, c.lanes, l, linkSum(*l))
		}
	}
	for _, l := range []*assay.Link{PCIe(7, 4), PCIe(8, 0), PCIe(8, -1), PCIe(math.NaN(), 4)} {
		if l != nil {
			t.Errorf("%+v is no PCIe link", l)
		}
	}
	if got := linkSum(assay.Link{Kind: "usb", Mode: "480 Mb/s"}); got != "usb 480 Mb/s" {
		t.Error(got)
	}
}

// The figures are those in the standards' texts.
func TestLinksByName(t *testing.T) {
	for _, c := range []struct {
		got     *assay.Link
		mode    string
		ceiling float64
	}{
		{USB(480), "480 Mb/s", 53.248e6},
		{USB(12), "12 Mb/s", 1.216e6},
		{USB(5000), "5000 Mb/s", 500e6},
		{USB(10000), "10000 Mb/s", 1.21212e9},
		{Serial("sata", 6), "6.0 Gb/s", 600e6},
		{Serial("sata", 1.5), "1.5 Gb/s", 150e6},
		{Serial("sas", 22.5), "22.5 Gb/s", 2.4e9},
		{Card("sd", "SDR104"), "SDR104", 104e6},
		{Card("emmc", "HS400"), "HS400", 400e6},
	} {
		if c.got == nil || c.got.Mode != c.mode || math.Abs(c.got.Ceiling/c.ceiling-1) > 1e-5 {
			t.Errorf("%s of %v: %+v", c.mode, c.ceiling, c.got)
		}
	}
	for _, l := range []*assay.Link{USB(1), USB(-480), Serial("sata", 0), Serial("sas", math.NaN()), Card("sd", "HS400"), Card("", "")} {
		if l != nil {
			t.Errorf("%+v is no link", l)
		}
	}
}

// Every mode of a card is a link.
func TestCardModes(t *testing.T) {
	for _, m := range cardModes {
		if l := Card(m.kind, m.mode); l == nil || !(l.Ceiling > 0) {
			t.Errorf("%s %s: %+v", m.kind, m.mode, l)
		}
	}
}

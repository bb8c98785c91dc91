package html

import (
	"fmt"
	"strings"
	"testing"

	"assay/report/reporttest"
)

// The tables of tiers are plain HTML: they need no script.
func TestTiersNeedNoScript(t *testing.T) {
	page := plain(t, reporttest.Tiers())
	for _, want := range []string{
		">Storage tiers</a>", ">What binds</a>",
		`<span class="sub under">6.893 ×</span><span class="sub under">[6.873–6.914]</span>`, `<span class="sub under">~ 1.001 ×</span>`,
		`<span class="sub under">≠ other load</span>`, "usb: depth 4 against 16: not compared", `<s class="v">91.0k IOPS</s><sup><a href="#finding-1"`,
		"longhorn: sequential writes at 90 % of 1 GbE with two remote replicas (58.8 MB/s)", "failed</span>",
		`<th scope="rowgroup" role="rowheader" colspan="4">4 KiB random write, IOPS</th>`, `<rect class="over" x="0" y="3" width="100.00%" height="12"></rect>`,
		`aria-label="usb: 35.7 MB/s"><rect class="under" x="0" y="3" width="35.18%" height="12"></rect>`,
		`<td role="cell" class="against">2.53 × slower</td>`, `<td role="cell" class="against">≠ other load</td>`,
		"every object is an HTTP round trip to a server", "it has no file system overhead",
		// A case is named once, above its figures.
		`<th scope="rowgroup" role="rowheader" colspan="4"><div><span class="name">1 MiB sequential read, 16 in flight, direct</span>`,
		`<th scope="row" role="rowheader"><span class="name">p99</span></th>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "Side by side") {
		t.Error("there is a script in a build without one, or what the tiers have stands there twice")
	}
}

func TestChromiumKeepsTablesOfTiersInTheirFrames(t *testing.T) {
	for _, columns := range []int{390, 1280} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			if page, _ := widths(t, reporttest.Tiers(), columns); page > columns {
				t.Errorf("the page is %d pixels wide in a window of %d", page, columns)
			}
		})
	}
}

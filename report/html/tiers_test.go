package html

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"assay/report/reporttest"
)

// The tables of tiers are plain HTML: they need no script.
func TestTiersNeedNoScript(t *testing.T) {
	var b bytes.Buffer
	if err := write(&b, reporttest.Tiers(), bundle{}); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{
		`<h2 id="tiers-1">Storage tiers</h2>`, `<a href="#tiers-1">Storage tiers</a>`, `<a href="#binds">What binds</a>`,
		`<span class="ratio" title="faster">6.893 ×</span><span class="sub">[6.873–6.914]</span>`,
		`<span class="ratio same" title="equivalent"><span role="img" aria-label="not told apart">~</span> 1.001 ×</span>`,
		`<span class="sub refused">≠ depth 4 against 16</span>`, `<s class="v">91.0k IOPS</s><sup><a href="#finding-1"`,
		"longhorn: sequential writes at 90 % of 1 GbE with two remote replicas (58.8 MB/s)", "failed</span></td>",
		`<th scope="rowgroup" role="rowheader" colspan="4">4 KiB random write, IOPS</th>`, `<rect class="over" x="0" y="3" width="100.00%" height="12"/>`,
		`aria-label="38 % of the highest"><rect class="under"`, `<td role="cell" class="against">2.53 × slower</td>`, `<td role="cell" class="against">≠ other load</td>`,
		"every object is an HTTP round trip to a server", "it has no file system overhead",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "<script") || strings.Contains(page, `id="side"`) {
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

package html

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"assay/report"
	"assay/report/reporttest"
)

func TestShade(t *testing.T) {
	for name, k := range map[string]struct {
		v, low, high float64
		want         string
	}{
		"the greatest":           {9.41e9, 941e6, 9.41e9, "shade-5"},
		"the least":              {941e6, 941e6, 9.41e9, "shade-0"},
		"the middle, as a ratio": {3e9, 1e9, 9e9, "shade-3"},
		"noise stays one shade":  {9.3e9, 9.3e9, 9.41e9, "shade-5"},
		"all alike":              {3, 3, 3, "shade-2"},
		"nothing among much":     {0, 0, 118, "shade-0"},
		"all nothing":            {0, 0, 0, "shade-2"},
	} {
		if got := shade(k.v, k.low, k.high); got != k.want {
			t.Errorf("%s is %q, want %q", name, got, k.want)
		}
	}
}

// The tables and the heat maps are plain HTML: they need no script.
func TestSideBySideNeedsNoScript(t *testing.T) {
	var b bytes.Buffer
	if err := write(&b, reporttest.Cluster(), bundle{}); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{
		`<h2 id="side">Side by side</h2>`, "storage: TCP, one flow, throughput in bit/s", `class="shade-0 is-odd"`, `class="shade-5"`,
		`aria-label="clearly worse than the others">▼`, `aria-label="clearly better than the others">▲`, "failed</span></td>",
		"pve2 is 2.0 × faster in memory, sequential read",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "<script") {
		t.Error("there is a script in a build without one")
	}
	if n := strings.Count(page, "pve4 is 10 × slower"); n != 1 {
		t.Errorf("what the verdict says is said %d times", n)
	}
}

// However many hosts there are, tables scroll in their frames and the page does
// not.
func TestChromiumKeepsWideTablesInTheirFrames(t *testing.T) {
	for name, d := range map[string]report.Document{"4 hosts": reporttest.Cluster(), "30 hosts": reporttest.Wide(30)} {
		for _, columns := range []int{390, 1280} {
			t.Run(fmt.Sprintf("%s at %d", name, columns), func(t *testing.T) {
				if page, frame := widths(t, d, columns); page > columns || frame <= columns && strings.HasPrefix(name, "30") {
					t.Errorf("the page is %d wide, its widest table %d", page, frame)
				}
			})
		}
	}
}

func TestHostsThatWereAway(t *testing.T) {
	var b bytes.Buffer
	if err := write(&b, reporttest.Cluster(), bundle{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<a href="#away">Away</a>`, "could not be queried: cannot be reached: no answer in time; it has no figures", "hint: check that the host is up",
		"went away during the run: the connection was lost; 6 trials have no number", `<span class="sub fewer">2 of 3 repeats: pve3 went away</span>`,
		`title="pve5 could not be queried: cannot be reached: no answer in time"`, "</span> pve3 went away</td>",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestManyLinksAreFoldedAndSummedUp(t *testing.T) {
	var b bytes.Buffer
	if err := write(&b, reporttest.Cluster(), bundle{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<summary>54 rows, one by one</summary>", "943 Mbit/s (pve1 → pve3) to 9.43 Gbit/s (pve3 → pve2, 100 % of the line)", "path MTU: 1500 B on all 6 paths"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestOneHostHasNoSide(t *testing.T) {
	var b bytes.Buffer
	if err := write(&b, reporttest.Document(), bundle{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "Side by side") {
		t.Error("one host is set beside itself")
	}
}

func TestHostsWithWordsOfTheirOwn(t *testing.T) {
	run := reporttest.ClusterRun()
	d := report.Build(run)
	d.Side.Hosts[0] = `<img src=x onerror=alert(1)>`
	d.Side.Networks[0].Title = `</script><script>alert(1)</script>`
	var b bytes.Buffer
	if err := write(&b, d, bundle{}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<img") || strings.Contains(b.String(), "<script") {
		t.Error("a name became an element")
	}
}

func TestChromiumShowsACluster(t *testing.T) {
	dom := browse(t, reporttest.Cluster())
	if head := root.FindString(dom); strings.Contains(head, "data-errors") {
		t.Errorf("the page reports errors: %s", head)
	}
}

package html

import (
	"fmt"
	"regexp"
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
		if got := (heat{k.low, k.high}).shade(k.v); got != k.want {
			t.Errorf("%s is %q, want %q", name, got, k.want)
		}
	}
}

// plain returns the page of a build without a script.
func plain(t *testing.T, d report.Document) string {
	t.Helper()
	var b strings.Builder
	if err := renderWith(&b, report.Blocks(d), bundle{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The tables and the heat maps are plain HTML: they need no script.
func TestSideBySideNeedsNoScript(t *testing.T) {
	page := plain(t, reporttest.Cluster())
	for _, want := range []string{
		">Side by side</h2>", "storage: TCP, one flow, throughput in bit/s", `class="shade-0 is-odd odd-worse num"`, `class="shade-5 num"`,
		`aria-label="clearly worse than the others">▼`, `aria-label="clearly better than the others">▲`, "failed</span>",
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

// However many hosts there are, tables scroll within their frames and the page
// does not.
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
	page := plain(t, reporttest.Cluster())
	for _, want := range []string{
		">Hosts that were away</a>", "could not be queried: cannot be reached: no answer in time; it has no figures", "<b>next:</b> check that the host is up",
		"went away during the run: the connection was lost; 6 trials have no number", `<span class="sub is doubt">2 of 3 repeats: pve3 went away</span>`,
		"pve5 could not be queried and has no figures", "</span> pve3 went away</td>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestManyLinksAreFoldedAndSummedUp(t *testing.T) {
	page := plain(t, reporttest.Cluster())
	for _, want := range []string{"<summary>All 54 rows one by one</summary>", "943 Mbit/s (pve1 → pve3) to 9.43 Gbit/s (pve3 → pve2, 100 % of the line)", "path MTU: 1500 B on all 6 paths"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// On a narrow screen the rest scrolls.
func TestHostsThatAreWorseStandFirst(t *testing.T) {
	_, page, _ := strings.Cut(plain(t, reporttest.Cluster()), ">Side by side</h2>")
	var heads []string
	for _, m := range regexp.MustCompile(`(?s)<table class="side" .*?</thead>`).FindAllString(page, -1) {
		heads = append(heads, text(m))
	}
	if len(heads) < 3 {
		t.Fatalf("%d tables", len(heads))
	}
	for _, h := range heads {
		if h != "test pve3 pve1 pve2 pve4 pve5" {
			t.Errorf("the columns are %q", h)
		}
	}
	_, row, _ := strings.Cut(page, "<tbody")
	if row, _, _ = strings.Cut(row, "</tr>"); !strings.HasPrefix(text(row[strings.Index(row, "</th>"):]), "▼ 2.48k") {
		t.Errorf("the cells did not move with their headings: %s", text(row))
	}
}

func TestOneHostHasNoSide(t *testing.T) {
	page := plain(t, reporttest.Document())
	if strings.Contains(page, "Side by side") {
		t.Error("one host is set beside itself")
	}
}

func TestHostsWithWordsOfTheirOwn(t *testing.T) {
	run := reporttest.ClusterRun()
	d := report.Build(run)
	d.Side.Hosts[0] = `<img src=x onerror=alert(1)>`
	d.Side.Networks[0].Title = `</script><script>alert(1)</script>`
	page := plain(t, d)
	if strings.Contains(page, "<img") || strings.Contains(page, "<script") {
		t.Error("a name became an element")
	}
}

func TestChromiumShowsACluster(t *testing.T) {
	dom := browse(t, reporttest.Cluster())
	if head := root.FindString(dom); strings.Contains(head, "data-errors") {
		t.Errorf("the page reports errors: %s", head)
	}
}

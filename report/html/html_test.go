package html

import (
	"bytes"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"assay/report"
)

// render writes d with a bundle of one statement, so that these tests do not
// depend on npm.
func render(t testing.TB, d report.Document) string {
	t.Helper()
	var out bytes.Buffer
	if err := renderWith(&out, report.Blocks(d), bundle{script: "void 0", licences: "a licence"}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var (
	opaque = regexp.MustCompile(`(?s)(<script[^>]*>).*?(</script>)|(<style>).*?(</style>)`)
	tag    = regexp.MustCompile(`<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-zA-Z][a-zA-Z0-9-]*(?:="[^"]*")?)*)\s*(/?)>`)
	words  = regexp.MustCompile(`<[^>]*>`)
	space  = regexp.MustCompile(`\s+`)
	ids    = regexp.MustCompile(`\sid="([^"]*)"`)
	local  = regexp.MustCompile(`href="#([^"]*)"`)
	loads  = regexp.MustCompile(`(?i)(?:src|href|action|poster|data|srcset)="([^"]*)"|url\(([^)]*)\)|@import[^;]*`)
)

func markup(page string) string { return opaque.ReplaceAllString(page, "$1$2$3$4") }

// text is what a reader without JavaScript sees.
func text(page string) string {
	return strings.TrimSpace(space.ReplaceAllString(words.ReplaceAllString(markup(page), " "), " "))
}

func TestEveryTagIsClosed(t *testing.T) {
	for name, d := range map[string]report.Document{"sample": sample(), "empty": {}, "hostile": hostile()} {
		tagsAreClosed(t, name, render(t, d))
	}
}

func tagsAreClosed(t *testing.T, name, page string) {
	t.Helper()
	void := map[string]bool{"meta": true}
	var open []string
	for _, m := range tag.FindAllStringSubmatch(markup(page), -1) {
		switch {
		case void[m[2]] || m[4] == "/":
		case m[1] == "":
			open = append(open, m[2])
		case len(open) == 0 || open[len(open)-1] != m[2]:
			t.Fatalf("%s: </%s> closes nothing; open are %v", name, m[2], open)
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("%s: left open: %v", name, open)
	}
}

func TestEveryLinkLeadsSomewhere(t *testing.T) {
	for name, d := range map[string]report.Document{"sample": sample(), "empty": {}} {
		linksLeadSomewhere(t, name, markup(render(t, d)))
	}
}

func linksLeadSomewhere(t *testing.T, name, page string) {
	t.Helper()
	known := map[string]bool{}
	for _, m := range ids.FindAllStringSubmatch(page, -1) {
		if known[m[1]] {
			t.Errorf("%s: two elements have the id %q", name, m[1])
		}
		known[m[1]] = true
	}
	for _, m := range local.FindAllStringSubmatch(page, -1) {
		if !known[m[1]] {
			t.Errorf("%s: a link leads to #%s, which is nowhere", name, m[1])
		}
	}
}

func TestTheTextIsWholeWithoutJavaScript(t *testing.T) {
	seen := text(render(t, sample()))
	for _, want := range []string{
		"assay baseline on pve1.home.lan", "2025-03-14 19:15 UTC", "partial",
		"bad The memory read bandwidth of 118 GB/s cannot be true",
		"next Repeat the memory test with a buffer of at least 48 MiB.",
		"49 figures", "1 rejected", "3 without a number", "2 rules not checked",
		"share of the ceiling: 3.94 GB/s, PCIe Gen3 x4", "0 % 25 % 50 % 75 % 100 %", "1 MiB sequential read, var/lib/vz 88 % 3.46 GB/s",
		"share of the ceiling: 42.7 GB/s, 2 × DDR4-2667", "Memory read, 1 thread 276 % rejected",
		"412k ± 0.90 % [408k, 416k]", "n=6 × 10.0 s",
		"118 GB/s [1] ± 1.0 % rejected",
		"failed fio: io_u error on file: Input/output error hint: look at dmesg for errors of sdb",
		"not supported ZFS 2.1 does not honour direct I/O",
		"unknown the USB bridge passes no SMART commands",
		"power-on 12,270 h", "quick look",
		"6 repeats after 1 warm-up; 1.42 GB/s to 2.17 GB/s",
		"coretemp/Package id 0",
		"rejects faster than the memory modules: this is cache dram-ceiling 1 ",
		"118 GB/s measured / (2 channels × 8 B × 2,667 MT/s = 42.7 GB/s) = 2.76",
		"next: run with a buffer of at least 4 × the last-level cache",
		"unknown: the vendor&#39;s rating of KINGSTON SNV2S1000G",
		"sda pcie link, the controller is behind a USB bridge; to know it: attach the drive to SATA",
		"seed 8812345", "12.4 min of 15.0 min", "note not root on this host: caches could not be dropped",
		"Latency by percentile, in numbers test p50 p90 p99 p99.9 p99.99 max operations 1 MiB sequential read, /var/lib/vz 2.40 ms",
	} {
		if !strings.Contains(seen, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestARejectedFigureIsStruckThroughAndCited(t *testing.T) {
	page := render(t, sample())
	if want := `<s class="v">118 GB/s</s><sup><a href="#finding-1" aria-label="footnote 1">[1]</a></sup>`; !strings.Contains(page, want) {
		t.Errorf("the page lacks %s", want)
	}
	if strings.Contains(page, `<span class="v">118 GB/s</span>`) {
		t.Error("the rejected figure is also shown as if it were true")
	}
}

func TestAFootnoteLeadsToTheRowThatCitesIt(t *testing.T) {
	page := render(t, sample())
	m := regexp.MustCompile(`<a href="#(part-\d+)">Memory read, 1 thread</a>`).FindStringSubmatch(page)
	if m == nil {
		t.Fatal("the footnote about memory names no row")
	}
	row := page[strings.Index(page, `<tr role="row" id="`+m[1]+`"`):]
	if !strings.Contains(row[:strings.Index(row, "</tr>")], "118 GB/s") {
		t.Errorf("#%s is not the row with the figure", m[1])
	}
	if strings.Contains(page, `<a href="#">`) {
		t.Error("a footnote that no row cites leads nowhere")
	}
}

func TestAnEmptyReportSaysWhyThereIsNothing(t *testing.T) {
	page := render(t, report.Document{})
	if !strings.Contains(text(page), "Nothing was measured.") {
		t.Error("the page does not say that nothing was measured")
	}
	if strings.Contains(markup(page), "data-plot=") {
		t.Error("an empty plot has a frame")
	}
}

func TestABuildWithoutTheBundleSaysSo(t *testing.T) {
	var out bytes.Buffer
	if err := renderWith(&out, report.Blocks(sample()), built(fstest.MapFS{"dist/README.md": {}})); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	if !strings.Contains(text(page), "plots are missing from this build: run make build") {
		t.Error("the page does not say that its plots are missing")
	}
	if strings.Contains(page, "<script") || !strings.Contains(page, "script-src &#39;none&#39;") {
		t.Error("a page without plots has no use for a script")
	}
}

// hostile is the sample with every word in it replaced by an attack.
func hostile() report.Document {
	d := sample()
	poison(reflect.ValueOf(&d).Elem())
	return d
}

const attack = `</script><script>alert(1)</script><!--"'><img src=x onerror=alert(2)>{{.}}` + "`\u2028"

func poison(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(attack)
	case reflect.Pointer:
		if !v.IsNil() {
			poison(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			poison(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && v.Type() != reflect.TypeFor[struct{}]() {
				poison(v.Field(i))
			}
		}
	}
}

func TestNoWordBecomesMarkup(t *testing.T) {
	page := render(t, hostile())
	if n := strings.Count(page, "<script"); n != 2 {
		t.Errorf("the page has %d scripts, want the data and the bundle", n)
	}
	for _, never := range []string{"<script>alert", "<img", "</script><script>alert", "<!--"} {
		if strings.Contains(page, never) {
			t.Errorf("the page holds %s", never)
		}
	}
	// Inside the data every < is escaped, so that nothing in it ends the script.
	_, data, _ := strings.Cut(page, `id="plot-data">`)
	data, _, _ = strings.Cut(data, "</script>")
	if strings.ContainsAny(data, "<>&\u2028") || !strings.Contains(data, `\u003c/script\u003e`) {
		t.Error("the data is not escaped")
	}
}

func TestTheFileAsksForNothing(t *testing.T) {
	var whole bytes.Buffer
	if err := Render(&whole, report.Blocks(sample())); err != nil {
		t.Fatal(err)
	}
	page := opaque.ReplaceAllStringFunc(whole.String(), func(s string) string {
		if strings.HasPrefix(s, "<style") {
			return s
		}
		return ""
	})
	for _, m := range loads.FindAllStringSubmatch(page, -1) {
		if target := m[1] + m[2]; !strings.HasPrefix(target, "#") {
			t.Errorf("the page refers to %q", m[0])
		}
	}
	if !strings.Contains(page, "default-src &#39;none&#39;") {
		t.Error("the content policy does not forbid everything first")
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestNumbersThatAreNone(t *testing.T) {
	d := sample()
	d.Plots.Latency[0].Points[3][1] = math.NaN()
	d.Plots.Latency[1].Points[6][1] = math.NaN()
	d.Plots.Timeline[0].Points[3][1] = math.Inf(1)
	d.Plots.Heat.Clock.Points[0][0] = math.Inf(-1)
	d.Sections[0].Rows[1].Figures[1].Ceiling.Share = math.NaN()
	d.Sections[0].Rows[0].Figures[0].Repeats[2] = math.NaN()
	d.Sections[0].Rows[0].Figures[1].Ceiling.Share = math.Inf(1)
	d.Sections[0].Rows[0].Figures[0].Value = math.NaN()
	page := render(t, d)
	if strings.Contains(page, "NaN") || strings.Contains(page, "Inf") {
		t.Error("the page shows a number that is none")
	}
	if !strings.Contains(text(page), "unknown") {
		t.Error("a figure that is no number is not called unknown")
	}
}

func TestAFigureThatIsNotThereIsMarked(t *testing.T) {
	d := report.Document{Sections: []report.Section{{Rows: []report.Row{{Title: "one", Figures: []report.Figure{fig("cpu.latency.mean", "mean", 1e-3, 0, 1)}}, {Title: "nothing"}}}}}
	page := render(t, d)
	_, row, _ := strings.Cut(page, `<span class="name">nothing</span>`)
	if row, _, _ = strings.Cut(row, "</tr>"); !strings.Contains(row, `<span aria-label="nothing">–</span>`) {
		t.Errorf("the row is %s", row)
	}
}

// Many kinds of figures would not fit beside each other.
func TestManyKindsOfFiguresHaveALineEach(t *testing.T) {
	page := render(t, sample())
	for _, want := range []string{
		`<th scope="rowgroup" role="rowheader" colspan="2"><div><span class="name">KINGSTON SNV2S1000G</span>`,
		`<th scope="row" role="rowheader"><span class="name">unsafe shutdowns</span></th><td role="cell" data-label="value"><div><span class="v">31</span>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// "1" with footnote 7 must not read as 17.
func TestTheMarkOfAFootnoteStandsInBrackets(t *testing.T) {
	d := sample()
	d.Findings = append(d.Findings, report.Footnote{Number: 7})
	d.Sections[3].Rows[0].Figures[3].Footnotes = []int{7, 8}
	if page := render(t, d); !strings.Contains(page, `<sup><a href="#finding-7" aria-label="footnote 7">[7]</a></sup><sup>[8]</sup>`) {
		t.Error("the marks read as digits of the figure")
	}
}

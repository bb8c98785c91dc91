package html

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/compare"
	"assay/report/block"
	"assay/report/reporttest"
	"assay/report/versus"
)

// storedColumn is a run as a column, with figures faster or slower by given
// factors.
type storedColumn struct {
	id, kernel string
	random     *rand.Rand
	run        assay.Run
}

func newStored(id, kernel string, day int) *storedColumn {
	c := &storedColumn{id: id, kernel: kernel, random: rand.New(rand.NewPCG(uint64(day), 5))}
	c.run = assay.Run{ID: id, Version: "1.2.3", Started: time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC)}
	c.run.Inventory.Facts = map[string]assay.Facts{"pve1": {OS: assay.OSFacts{Kernel: kernel}}}
	return c
}

// measured adds a trial with n values around center.
func (c *storedColumn) measured(probe, name, title string, kind assay.SubjectKind, metric string, n int, center float64, labels map[string]string) *storedColumn {
	s := assay.Subject{ID: "pve1/" + string(kind) + "/x", Kind: kind, Host: "pve1", Name: "x"}
	res := assay.Result{Trial: assay.Trial{ID: probe + "/" + name + "@" + s.ID, Probe: probe, Case: name, Title: title, Subject: s, Length: 5 * time.Second}}
	described, known := assay.Describe(metric)
	if !known {
		panic("no such metric: " + metric)
	}
	for i := range n {
		m := assay.Measurement{Metric: metric, Value: center * math.Exp(.01*c.random.NormFloat64()), Unit: described.Unit, Labels: labels}
		rep := assay.Repeat{N: i + 1, Outcome: assay.Done, Measurements: []assay.Measurement{m}}
		if stem, is := strings.CutSuffix(metric, "iops"); is && center > 0 {
			rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: stem + "latency.mean", Unit: assay.Seconds, Value: 32 / center, Histogram: slowing(32 / center)})
		}
		res.Repeats = append(res.Repeats, rep)
	}
	c.run.Results = append(c.run.Results, res)
	return c
}

// slowing returns a latency histogram with a long tail: each bin is 6 % slower and has 10 %
// fewer operations than the one before.
func slowing(median float64) (bins []assay.Bin) {
	left := 1e6
	for i := 0; left > 1; i++ {
		share := left * .1
		bins = append(bins, assay.Bin{Upper: .7 * median * math.Pow(1.06, float64(i)), Count: int64(share)})
		left -= share
	}
	return bins
}

func (c *storedColumn) column() compare.Column {
	column := compare.Column{Name: "run=" + c.id}
	for i := range c.run.Results {
		column.Picks = append(column.Picks, compare.Pick{Run: &c.run, Result: &c.run.Results[i]})
	}
	return column
}

func fio(bs string, more ...string) map[string]string {
	all := map[string]string{"tool": "fio", "version": "3.33", "bs": bs, "direct": "1", "iodepth": "32"}
	for i := 0; i < len(more); i += 2 {
		all[more[i]] = more[i+1]
	}
	return all
}

// compared is a comparison with its curves and dates.
type compared struct {
	compare.Comparison
	Curves []compare.Curve
	Dates  []versus.Dates
}

func (c compared) document() block.Document { return versus.Document(c.Comparison, c.Curves, c.Dates) }

// comparedSample returns every verdict, one row of each other kind, and n
// columns.
func comparedSample(n int) compared {
	var columns []compare.Column
	var c compared
	for i, factor := range []float64{1, .8, 1.3, 3}[:n] {
		day := i + 1
		one := newStored(fmt.Sprintf("2026110%d-1200-aa", day), fmt.Sprintf("6.%d.0", day), day)
		few, direct := 8, "1"
		if i > 0 {
			few, direct = 2, "0"
		}
		dir := assay.KindDirectory
		one.measured("fio", "randread-4k", "4 KiB random read", dir, "storage.read.iops", 8, 58900*factor, fio("4k")).
			measured("fio", "seqwrite-1m", "1 MiB sequential write", dir, "storage.write.bandwidth", 8, 2.1e9/factor, fio("1m")).
			measured("fio", "sync-4k", "4 KiB synchronous write", dir, "storage.write.iops", few, 1180*factor, fio("4k", "sync", "1")).
			measured("fio", "randwrite-4k", "4 KiB random write", dir, "storage.write.iops", 8, 40e3, fio("4k", "direct", direct)).
			measured("sysbench", "cpu-1", "CPU, 1 thread", assay.KindCPU, "cpu.events_per_second", 12, 1100, nil).
			measured("iperf3", "tcp", "TCP", assay.KindLink, "net.tcp.throughput", 8, 1.17e9*factor, nil)
		if i == 0 {
			one.measured("sysbench", "memory-read", "Memory read", assay.KindMemory, "memory.read.bandwidth", 8, 2e10, nil)
		}
		columns = append(columns, one.column())
		c.Dates = append(c.Dates, versus.Dates{First: one.run.Started, Last: one.run.Started})
	}
	c.Comparison = compare.Compare(columns, compare.Options{})
	c.Curves = compare.Curves(c.Comparison, columns)
	return c
}

func renderComparison(t testing.TB, c compared) string {
	t.Helper()
	var out bytes.Buffer
	if err := renderWith(&out, c.document(), bundle{script: "void 0", licences: "a licence"}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestTheComparisonAsItIsWithoutJavaScript compares the whole skeleton with a
// golden file: go test ./report/html -update writes it.
func TestTheComparisonAsItIsWithoutJavaScript(t *testing.T) {
	reporttest.Golden(t, "compare.golden.html", []byte(markup(renderComparison(t, comparedSample(2)))))
}

func TestComparisonsAreWholeWithoutJavaScript(t *testing.T) {
	seen := text(renderComparison(t, comparedSample(2)))
	for _, want := range []string{
		"20261101-1200-aa vs 20261102-1200-aa", "2026-11-01 12:00 UTC", "5 figures compared", "1 refused", "1 unmatched",
		"B 5 figures compared with A: 2 slower, 1 faster, 1 equivalent and 1 undetermined.",
		"59.4k IOPS ± 1.0 % [59.2k IOPS, 60.0k IOPS]", "n=8 × 5 s", "slower", "undetermined: about 1 more repeat each", "p&lt;0.001",
		"direct: 1 | 0 4 KiB random write", "kernel: 6.1.0 | 6.2.0 all",
		"sysbench/memory-read@pve1/memory/x, memory.read.bandwidth A the other columns have no such result",
		"Gbit/s", "p99.99",
	} {
		if !strings.Contains(seen, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestComparisonsAreSoundPages(t *testing.T) {
	hostile := comparedSample(3)
	poison(reflect.ValueOf(&hostile).Elem())
	nothing := compared{Comparison: compare.Compare([]compare.Column{{Name: "a"}, {Name: "b"}}, compare.Options{})}
	for name, c := range map[string]compared{"two": comparedSample(2), "four": comparedSample(4), "hostile": hostile, "nothing": nothing} {
		page := renderComparison(t, c)
		tagsAreClosed(t, name, page)
		if name != "hostile" {
			linksLeadSomewhere(t, name, markup(page))
		}
		if n := strings.Count(page, "<script"); n != 2 {
			t.Errorf("%s: %d scripts, want the data and the bundle", name, n)
		}
		for _, never := range []string{"<script>alert", "<img", "<!--", "NaN", "ZgotmplZ"} {
			if strings.Contains(page, never) {
				t.Errorf("%s: the page holds %s", name, never)
			}
		}
		for _, m := range loads.FindAllStringSubmatch(opaque.ReplaceAllString(page, ""), -1) {
			if target := m[1] + m[2]; !strings.HasPrefix(target, "#") {
				t.Errorf("%s: the page refers to %q", name, m[0])
			}
		}
	}
}

func TestAVerdictIsNeverToldByColourAlone(t *testing.T) {
	page := renderComparison(t, comparedSample(2))
	seen := map[string]block.Kind{}
	for _, k := range []block.Kind{block.Good, block.Bad, block.Limit, block.Doubt, block.Next} {
		shape := shapeOf(k)
		if other, taken := seen[shape]; taken {
			t.Errorf("%s and %s have the same mark", k, other)
		}
		seen[shape] = k
		if !strings.Contains(page, `id="m-`+shape+`"`) {
			t.Errorf("%s: nobody draws the mark %q", k, shape)
		}
	}
}

func TestRenderGivesTheWritersError(t *testing.T) {
	broken := errors.New("disk full")
	if err := Render(failing{broken}, comparedSample(2).document()); !errors.Is(err, broken) {
		t.Errorf("error = %v, want it to wrap %v", err, broken)
	}
}

func savedComparison(t *testing.T, c compared) func(path string) {
	return func(path string) {
		t.Helper()
		var out bytes.Buffer
		if err := Render(&out, c.document()); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestChromiumDrawsAComparison(t *testing.T) {
	dom := browsed(t, savedComparison(t, comparedSample(3)))
	head := root.FindString(dom)
	if strings.Contains(head, "data-errors") {
		t.Errorf("the page reports errors: %s", head)
	}
	// Latencies of random reads and synchronous writes, as percentiles and as
	// distributions; distributions of the repeats of four figures with enough of
	// them.
	const want = 2*2 + 4
	if !strings.Contains(head, fmt.Sprintf(`data-plots="%d"`, want)) {
		t.Errorf("want %d plots; the page says %s", want, head)
	}
	plots := strings.Split(dom, "data-plot=")[1:]
	if len(plots) != want {
		t.Fatalf("%d frames, want %d", len(plots), want)
	}
	for i, p := range plots {
		svg, _, _ := strings.Cut(p[strings.Index(p, "<svg"):], "</svg>")
		for _, colour := range []string{"var(--c0)", "var(--c1)", "var(--c2)"} {
			if !strings.Contains(svg, colour) {
				t.Errorf("plot %d lacks the line of one column: %s", i, colour)
			}
		}
		if strings.Contains(svg, "NaN") {
			t.Errorf("plot %d has a coordinate that is no number", i)
		}
	}
}

func TestChromiumRunsNoWordOfAComparison(t *testing.T) {
	c := comparedSample(2)
	poison(reflect.ValueOf(&c).Elem())
	dom := browsed(t, savedComparison(t, c))
	if head := root.FindString(dom); strings.Contains(head, "data-errors") || strings.Contains(dom, "<img") {
		t.Errorf("the page says %s", head)
	}
}

func TestAComparisonFitsAPhone(t *testing.T) {
	for _, n := range []int{2, 4} {
		if page, _ := widthsOf(t, 390, savedComparison(t, comparedSample(n))); page > 390 {
			t.Errorf("%d columns: the page is %d px wide on a screen of 390", n, page)
		}
	}
}

// TestWriteSampleComparison writes the sample to the path in
// ASSAY_SAMPLE_COMPARISON, for viewing.
func TestWriteSampleComparison(t *testing.T) {
	path := os.Getenv("ASSAY_SAMPLE_COMPARISON")
	if path == "" {
		t.Skip("ASSAY_SAMPLE_COMPARISON names no file")
	}
	savedComparison(t, comparedSample(4))(filepath.Clean(path))
}

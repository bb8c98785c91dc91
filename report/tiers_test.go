package report_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/compare"
	"assay/report"
	"assay/report/reporttest"
	"assay/stats"
)

// cellOf finds a cell by table, the beginning of a title, metric and column.
func cellOf(t *testing.T, d report.Document, id, title, metric, column string) report.TierCell {
	t.Helper()
	for _, table := range d.Tiers.Tables {
		at := slices.Index(table.Columns, column)
		for _, r := range table.Rows {
			if table.ID == id && at >= 0 && strings.HasPrefix(r.Title, title) && r.Metric == metric {
				return r.Cells[at]
			}
		}
	}
	t.Fatalf("no %s of %s in column %s of table %s", metric, title, column, id)
	return report.TierCell{}
}

// bindOf finds the reported bind of one figure of a column.
func bindOf(t *testing.T, d report.Document, column, metric string) report.TierBind {
	t.Helper()
	for _, b := range d.Tiers.Binds {
		if b.Column == column && b.Metric == metric {
			return b
		}
	}
	t.Fatalf("nothing is said of %s of %s", metric, column)
	return report.TierBind{}
}

// alter changes the results of one case on one host.
func alter(run *assay.Run, host, name string, change func(*assay.Result)) {
	for i := range run.Results {
		if r := &run.Results[i]; r.Trial.Subject.Host == host && r.Trial.Case == name {
			change(r)
		}
	}
}

func label(key, value string) func(*assay.Result) {
	return func(r *assay.Result) {
		for i := range r.Repeats {
			for j := range r.Repeats[i].Measurements {
				m := &r.Repeats[i].Measurements[j]
				labels := map[string]string{}
				for k, v := range m.Labels {
					labels[k] = v
				}
				labels[key] = value
				m.Labels = labels
			}
		}
	}
}

// A published comparison had 1 GbE, two remote replicas and 50.56 MiB/s.
func TestLonghornOverOneGigabit(t *testing.T) {
	b := bindOf(t, reporttest.Tiers(), "longhorn", "storage.write.bandwidth")
	limit := b.Limits[0].Value
	if want := 1e9 * 1448 / 1538 / 8 / 2; math.Abs(limit/want-1) > 1e-9 || math.Abs(limit-58.8e6) > .05e6 {
		t.Errorf("the network allows %g B/s, want %g", limit, want)
	}
	if math.Abs(b.Share-.90) > .005 || b.Kind != "limit" || b.Text != "longhorn: sequential writes at 90 % of 1 GbE with two remote replicas (58.8 MB/s)" {
		t.Errorf("%s, share %g: %s", b.Kind, b.Share, b.Text)
	}
	if got := b.Arithmetic(); !strings.HasPrefix(got, "53.0 MB/s against 1 Gb/s × 1,448/1,538 / 8 / 2 = 58.8 MB/s; ") {
		t.Errorf("the arithmetic is %q", got)
	}
}

func TestRatiosAreThoseOfTheStatistics(t *testing.T) {
	d := reporttest.Tiers()
	base := cellOf(t, d, "storage", "4 KiB random write", "storage.write.iops", "sd")
	cell := cellOf(t, d, "storage", "4 KiB random write", "storage.write.iops", "longhorn")
	want, _ := stats.Ratio(base.Figure.Repeats, cell.Figure.Repeats, stats.Confidence)
	if a := cell.Against; base.Against != nil || a.Ratio != want.Center || a.Low != want.Low || a.High != want.High || a.Verdict != compare.Faster {
		t.Errorf("%+v, want %+v", a, want)
	}
	if c := cellOf(t, d, "storage", "4 KiB random read", "storage.read.iops", "usb"); !c.Same() {
		t.Errorf("a stick that reads as the card does is told apart: %+v", c.Against)
	}
}

func TestWhatIsRejectedIsComparedWithNothing(t *testing.T) {
	d := reporttest.Tiers()
	for _, metric := range []string{"storage.write.iops", "storage.write.latency.p99"} {
		c := cellOf(t, d, "storage", "4 KiB random write", metric, "usb")
		if c.Figure == nil || !c.Figure.Rejected || !slices.Equal(c.Figure.Footnotes, []int{1}) || c.Against != nil {
			t.Errorf("%s: %+v", metric, c)
		}
	}
	run := reporttest.TiersRun()
	run.Findings = append(run.Findings, assay.Finding{Rule: "little", Severity: assay.Rejects, Subject: "fio/seqread-1m@sd/directory//assay"})
	d = report.Build(run)
	if c := cellOf(t, d, "storage", "1 MiB sequential read", "storage.read.bandwidth", "longhorn"); c.Against != nil {
		t.Errorf("it is compared with a base that is rejected: %+v", c.Against)
	}
	for _, b := range d.Tiers.Binds {
		if b.Column == "sd" && b.Metric == "storage.read.bandwidth" {
			t.Errorf("a rejected figure is said to be bound: %s", b.Text)
		}
	}
}

func TestOnlyTheSameLoadIsCompared(t *testing.T) {
	scratch := func(bytes int64) func(*assay.Result) { return func(r *assay.Result) { r.Scratch.Bytes = bytes } }
	for name, k := range map[string]struct {
		change func(*assay.Result)
		want   string // "" where it is compared
	}{
		"as it is":                 {func(*assay.Result) {}, ""},
		"depth":                    {label("iodepth", "4"), "depth 4 against 16"},
		"depth made up of jobs":    {func(r *assay.Result) { label("iodepth", "4")(r); label("jobs", "4")(r) }, ""},
		"more jobs":                {label("jobs", "4"), "jobs 4 against 1"},
		"blocks":                   {label("bs", "64k"), "blocks of 64.0 KiB against 1.00 MiB"},
		"blocks otherwise written": {label("bs", "1048576"), ""},
		"direction":                {label("pattern", "randwrite"), "pattern randwrite against write"},
		"buffered":                 {label("direct", "0"), "buffered against direct"},
		"sync":                     {label("sync", "1"), "sync against no sync"},
		"the engine is its own":    {label("engine", "psync"), ""},
		"a file of the same class": {scratch(2 << 30), ""},
		"a file of another class":  {scratch(8 << 30), "file of 8.00 GiB against 1.00 GiB"},
		"length":                   {func(r *assay.Result) { r.Trial.Length = 60 * time.Second }, "repeats of 60 s against 5 s"},
	} {
		t.Run(name, func(t *testing.T) {
			run := reporttest.TiersRun()
			alter(&run, "longhorn", "seqwrite-1m", k.change)
			d := report.Build(run)
			c := cellOf(t, d, "storage", "1 MiB sequential write", "storage.write.bandwidth", "longhorn")
			if c.Refused != k.want || (c.Against != nil) != (k.want == "") || c.Figure == nil {
				t.Errorf("refused %q, want %q; compared: %v", c.Refused, k.want, c.Against != nil)
			}
			said := slices.Contains(d.Tiers.Tables[0].Refused, "longhorn: "+k.want+": not compared (1 MiB sequential write)")
			if said != (k.want != "") {
				t.Errorf("under the table: %q", d.Tiers.Tables[0].Refused)
			}
		})
	}
}

// However many tiers there are, six repeats are enough to show large differences.
func TestManyTiersAreStillToldApart(t *testing.T) {
	run := reporttest.TiersRun()
	for i := range 12 {
		name := fmt.Sprintf("nvme%d", i)
		run.Inventory.Tiers = append(run.Inventory.Tiers, assay.Tier{Name: name, Kind: "dir", Hosts: []string{name}})
		for _, r := range slices.Clone(run.Results) {
			if r.Trial.Subject.Host == "longhorn" {
				s := r.Trial.Subject
				s.ID, s.Host, s.Tier = strings.Replace(s.ID, "longhorn", name, 1), name, name
				r.Trial.ID, r.Trial.Subject = strings.Replace(r.Trial.ID, "longhorn", name, 1), s
				run.Results = append(run.Results, r)
			}
		}
	}
	d := report.Build(run)
	if c := cellOf(t, d, "storage", "4 KiB random write", "storage.write.iops", "nvme11"); c.Against.Verdict != compare.Faster {
		t.Errorf("%s: %s", c.Against.Verdict, c.Against.Why)
	}
	if len(d.Verdict) > 7 || !slices.ContainsFunc(d.Further, func(s report.Sentence) bool { return strings.Contains(s.Text, "more tiers: see the tables") }) {
		t.Errorf("a verdict of %d sentences", len(d.Verdict))
	}
}

func TestObjectsStandBesideStorageByThroughputAlone(t *testing.T) {
	d := reporttest.Tiers()
	c := cellOf(t, d, "beside", "1 MiB sequential write, and PUT of 1 MiB objects", "storage.write.bandwidth", "garage@node1")
	if c.Figure.Metric != "object.put.throughput" || c.Against == nil || math.Abs(c.Against.Ratio-17.1*(1<<20)/29.1e6) > .01 {
		t.Errorf("%+v", c)
	}
	for _, table := range d.Tiers.Tables {
		if table.ID == "beside" && (len(table.Rows) != 2 || !strings.Contains(table.Note, "HTTP round trip")) {
			t.Errorf("%d rows, %q", len(table.Rows), table.Note)
		}
	}
	run := reporttest.TiersRun()
	alter(&run, "garage@node1", "put-1m", label("iodepth", "64"))
	d = report.Build(run)
	if c := cellOf(t, d, "beside", "1 MiB sequential write", "storage.write.bandwidth", "garage@node1"); c.Refused != "64 in flight vs 16" || c.Against != nil {
		t.Errorf("%+v", c)
	}
}

func TestTiersAreNotRepeatedSideBySide(t *testing.T) {
	run := reporttest.TiersRun()
	if d := report.Build(run); d.Side != nil {
		t.Errorf("%+v", d.Side)
	}
	cluster := reporttest.ClusterRun()
	run.Inventory.Hosts = append(run.Inventory.Hosts, cluster.Inventory.Hosts[:2]...)
	for _, r := range cluster.Results {
		if host := r.Trial.Subject.Host; (host == "pve1" || host == "pve2") && r.Trial.Subject.Peer == "" {
			run.Results = append(run.Results, r)
		}
	}
	d := report.Build(run)
	if d.Side == nil || !slices.Equal(d.Side.Hosts, []string{"pve1", "pve2"}) || len(d.Tiers.Tables) != 3 {
		t.Fatalf("%+v", d.Side)
	}
	for _, table := range d.Side.Tables {
		for _, r := range table.Rows {
			for _, c := range r.Cells {
				if c.Figure != nil && !strings.Contains(c.Trial, "@pve") {
					t.Errorf("%s stands side by side", c.Trial)
				}
			}
		}
	}
}

// A figure of several hosts at once belongs to all of them and to no column.
func TestSeveralHostsAtOnceAreNoColumn(t *testing.T) {
	run := reporttest.TiersRun()
	alter(&run, "longhorn", "seqwrite-1m", func(r *assay.Result) {
		more := *r
		more.Trial.Others = []assay.Subject{{Host: "elsewhere"}}
		more.Repeats = nil
		run.Results = append(run.Results, more)
	})
	if c := cellOf(t, report.Build(run), "storage", "1 MiB sequential write", "storage.write.bandwidth", "longhorn"); c.Figure == nil {
		t.Errorf("the figure of one host is lost: %+v", c)
	}
}

// A factor of 265 with three repeats each must not be undecided, although no
// rank test can tell three from three.
func TestFewRepeatsFarApart(t *testing.T) {
	run := reporttest.TiersRun()
	for host, middle := range map[string]float64{"sd": 83500, "longhorn": 315} {
		alter(&run, host, "randwrite-4k", func(r *assay.Result) {
			r.Repeats = r.Repeats[:3]
			for i := range r.Repeats {
				for j := range r.Repeats[i].Measurements {
					if m := &r.Repeats[i].Measurements[j]; m.Metric == "storage.write.iops" {
						m.Value = middle * (1 + .02*float64(i))
					}
				}
			}
		})
	}
	d := report.Build(run)
	cell := cellOf(t, d, "storage", "4 KiB random write", "storage.write.iops", "longhorn")
	if a := cell.Against; cell.Figure.N != 3 || !a.Likely || a.Verdict != compare.Slower || cell.Same() || a.Low < 1/400. || a.High > 1/180. {
		t.Errorf("%d repeats: %+v", cell.Figure.N, a)
	}
	if !slices.ContainsFunc(slices.Concat(d.Verdict, d.Further), func(s report.Sentence) bool { return strings.Contains(s.Text, "very likely 265 × slower than sd") }) {
		t.Errorf("nothing says so: %q, %q", d.Verdict, d.Further)
	}
}

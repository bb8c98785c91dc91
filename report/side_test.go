package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/analysis"
	"assay/limits"
	"assay/report"
	"assay/report/reporttest"
)

func TestTheVerdictNamesTheOddOnesAndNobodyElse(t *testing.T) {
	d := reporttest.Cluster()
	var got []string
	for _, s := range slices.Concat(d.Verdict, d.Further) {
		got = append(got, s.Kind+": "+s.Text)
	}
	text := strings.Join(got, "\n")
	for _, want := range []string{
		"limit: pve3 is 99 × slower in 2 rows, most in",
		"its drive is on USB 480 Mb/s, which is slower than theirs.",
		"limit: pve4 is 10 × slower to and from every host on storage (943 Mbit/s vs 9.43 Gbit/s). Certain: its link is 1 Gb/s, theirs 10 Gb/s.",
		"bad: pve1 heats up by 26.0 °C under load, the others by 10.0 to 12.0 °C, one reading each. Very likely: it alone has the label cooling=stock.",
		"bad: The path between pve1 and pve2 is 3.0 × slower on ring",
		"bad: pve1's packets to pve3 go through pve4 instead of straight over storage.",
		" (40,211 retransmits on each of 2 paths, at most 3 elsewhere).",
		"next: Give pve3 a drive and slot like the others'",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the verdict does not say %q:\n%s", want, text)
		}
	}
	worse := 0
	for _, o := range d.Side.Outliers {
		if !o.Better {
			worse++
		}
	}
	if worse != 5 || len(d.Side.Outliers) != 6 {
		t.Errorf("%d outliers, %d of them worse; want 6 and 5: %+v", len(d.Side.Outliers), worse, d.Side.Outliers)
	}
	if strings.Contains(text, "memory") {
		t.Errorf("a host that is better is named as if that were a fault:\n%s", text)
	}
}

func TestCellsStandUnderTheirHost(t *testing.T) {
	d := reporttest.Cluster()
	for _, table := range d.Side.Tables {
		for _, r := range table.Rows {
			if len(r.Cells) != 5 {
				t.Fatalf("%s has %d cells", r.Title, len(r.Cells))
			}
			for i, c := range r.Cells {
				if d.Side.Hosts[i] == "pve5" {
					if c.Absent == nil || c.Absent.Word != assay.Unknown || !strings.Contains(c.Absent.Why, "no answer in time") || c.Absent.Hint == "" {
						t.Errorf("%s: pve5 could not be queried, and its cell is %+v", r.Title, c)
					}
					continue
				}
				if !strings.Contains(c.Trial, "@"+d.Side.Hosts[i]+"/") {
					t.Errorf("%s: %s stands under %s", r.Title, c.Trial, d.Side.Hosts[i])
				}
			}
			if r.Metric == "cpu.events_per_second" && (r.Cells[1].Absent == nil || r.Cells[1].Absent.Word != assay.Unknown) {
				t.Errorf("the absence on pve2 is lost: %+v", r.Cells[1])
			}
		}
	}
}

func TestMatricesGoFromTheRowToTheColumn(t *testing.T) {
	found := map[string]bool{}
	for _, m := range reporttest.Cluster().Side.Networks {
		found[m.Network+" "+m.Metric] = true
		for from, row := range m.Cells {
			for to, c := range row {
				want := fmt.Sprintf("@%s/link/%s:%s", m.Hosts[from], m.Network, m.Hosts[to])
				if from != to && (m.Hosts[from] == "pve5" || m.Hosts[to] == "pve5") {
					if c.Absent == nil || !strings.HasPrefix(c.Absent.Why, "pve5 could not be queried: ") {
						t.Errorf("%s, %s to %s: %+v", report.MatrixHeading(m), m.Hosts[from], m.Hosts[to], c)
					}
					continue
				}
				if from != to && !strings.HasSuffix(c.Trial, want) {
					t.Errorf("%s, %s to %s holds %q", report.MatrixHeading(m), m.Hosts[from], m.Hosts[to], c.Trial)
				}
				if from == to && c != (analysis.SideCell{}) {
					t.Errorf("%s has a way from %s to itself", report.MatrixHeading(m), m.Hosts[from])
				}
			}
		}
		if m.Network == "ring" && len(m.Hosts) != 3 {
			t.Errorf("hosts on the ring: %v", m.Hosts)
		}
	}
	for _, want := range []string{"management net.tcp.throughput", "storage net.tcp.throughput", "ring net.tcp.throughput", "storage net.tcp.retransmits", "storage net.rtt.median"} {
		if !found[want] {
			t.Errorf("no matrix of %s", want)
		}
	}
}

func TestRowsSayTheHostFirst(t *testing.T) {
	for _, s := range reporttest.Cluster().Sections {
		for _, r := range s.Rows {
			if host, _, found := strings.Cut(r.Subject, "/"); !found || !strings.HasPrefix(r.Title, host) {
				t.Errorf("%q of %s does not begin with its host", r.Title, r.Subject)
			}
		}
	}
}

func TestTheReasonIsSought(t *testing.T) {
	change := func(host string, do func(f *assay.Facts)) func(*assay.Run) {
		return func(run *assay.Run) {
			f := run.Inventory.Facts[host]
			do(&f)
			run.Inventory.Facts[host] = f
		}
	}
	yes, no := true, false
	everywhere := func(do func(host string, f *assay.Facts)) func(*assay.Run) {
		return func(run *assay.Run) {
			for h, f := range run.Inventory.Facts {
				f.Block = append([]assay.BlockDevice{}, f.Block...)
				f.NICs = append([]assay.NICFacts{}, f.NICs...)
				do(h, &f)
				run.Inventory.Facts[h] = f
			}
		}
	}
	same := everywhere(func(_ string, f *assay.Facts) { f.Block[0].Link = limits.PCIe(8, 4) })
	for name, k := range map[string]struct {
		host, section string
		change        func(*assay.Run)
		want          string // "" for no reason at all
	}{
		"the drive turns": {"pve3", "storage", everywhere(func(h string, f *assay.Facts) {
			f.Block[0].Rotational = map[bool]*bool{true: &yes, false: &no}[h == "pve3"]
		}), "its drive is a spinning disk; theirs are SSDs"},
		"another model": {"pve3", "storage", everywhere(func(h string, f *assay.Facts) {
			f.Block[0].Link, f.Block[0].Model = nil, "Alpha"+map[bool]string{true: " slow"}[h == "pve3"]
		}), "its drive is a different model, Alpha slow"},
		"all drives alike":               {"pve3", "storage", same, ""},
		"a cooler does not slow a drive": {"pve3", "storage", func(r *assay.Run) { same(r); r.Inventory.Hosts[2].Labels = map[string]string{"cooling": "none"} }, ""},
		"a label of its own":             {"pve3", "storage", func(r *assay.Run) { same(r); r.Inventory.Hosts[2].Labels["disk"] = "old" }, "it alone has the label disk=old"},
		"a faster link explains nothing": {"pve3", "storage", everywhere(func(h string, f *assay.Facts) {
			f.Block[0].Link = limits.PCIe(8, map[bool]int{true: 8, false: 4}[h == "pve3"])
		}), ""},
		"the others' link is not known": {"pve3", "storage", everywhere(func(h string, f *assay.Facts) {
			if h != "pve3" {
				f.Block[0].Link = nil
			}
		}), ""},
		"no speed is known, but the figure": {"pve4", "network", everywhere(func(_ string, f *assay.Facts) { f.NICs = nil }), "that is what a 1 Gb/s link carries, although its hardware facts do not show one"},
		"the interface is a bridge": {"pve4", "network", change("pve4", func(f *assay.Facts) {
			f.NICs = []assay.NICFacts{{Name: "fast", Virtual: true}, {Name: "eno1", Speed: 1e9}}
		}), "its link is 1 Gb/s, theirs 10 Gb/s"},
	} {
		t.Run(name, func(t *testing.T) {
			run := reporttest.ClusterRun()
			k.change(&run)
			for _, o := range report.Build(run).Side.Outliers {
				if o.Host == k.host && o.Section == k.section {
					if o.Cause != k.want {
						t.Errorf("the cause is %q, want %q", o.Cause, k.want)
					}
					if k.want == "" && !strings.Contains(o.Text, "ts hardware facts don't explain it") {
						t.Errorf("it does not say that nothing explains it: %s", o.Text)
					}
					return
				}
			}
			t.Errorf("%s is not odd in %s", k.host, k.section)
		})
	}
}

func TestOneHostIsNotSetBesideItself(t *testing.T) {
	run := reporttest.ClusterRun()
	run.Inventory.Hosts = run.Inventory.Hosts[:1]
	if d := report.Build(run); d.Side != nil {
		t.Errorf("%+v", d.Side)
	}
	run = reporttest.ClusterRun()
	for i := range run.Results {
		if h := run.Results[i].Trial.Subject; h.Host != "pve1" || h.Peer != "" {
			run.Results[i].Repeats = nil
		}
	}
	if d := report.Build(run); d.Side != nil {
		t.Error("only one host has figures, and there is a table of several")
	}
}

// On a busy cluster the healthy hosts scatter, and the audit rejects their figures:
// a host ten times slower is still named, and its cell is marked.
func TestScatterDoesNotHideTheOutlier(t *testing.T) {
	run := reporttest.ClusterRun()
	const title = "4 KiB random read"
	marked := 0
	for i := range run.Results {
		r := &run.Results[i]
		host := r.Trial.Subject.Host
		if !strings.Contains(r.Trial.Title, title) {
			continue
		}
		for j := range r.Repeats {
			for k := range r.Repeats[j].Measurements {
				m := &r.Repeats[j].Measurements[k]
				if m.Metric != "storage.read.iops" {
					continue
				}
				m.Value = []float64{9000, 13000, 11000}[j%3]
				if host == "pve2" {
					m.Value = []float64{1050, 1040, 1060}[j%3]
				}
			}
		}
		if host != "pve2" {
			run.Findings = append(run.Findings, assay.Finding{
				Rule: "cov", Severity: assay.Rejects, Subject: r.Trial.ID, Metrics: []string{"storage.read.iops"}, Message: "the repeats measured different things",
			})
		}
		marked++
	}
	d := report.Build(run)
	var said []string
	for _, o := range d.Side.Outliers {
		if o.Host == "pve2" && o.Section == "storage" && o.Likely {
			said = append(said, o.Text)
		}
	}
	if marked < 3 || len(said) != 1 || !strings.Contains(said[0], "pve2 is very likely 10 × slower in") {
		t.Errorf("%d rows of %q; said %q; the verdict: %+v", marked, title, said, d.Verdict)
	}
}

// Half of the throughput into one host and thousands of retransmits must not be just a
// blue column under the verdict "No host stands out".
func TestLossIntoOneHostIsInTheVerdict(t *testing.T) {
	run := reporttest.ClusterRun()
	only := run.Results[:0]
	for _, r := range run.Results {
		if r.Trial.Subject.Network != "management" || r.Trial.Case != "tcp-1" || len(r.Counted()) == 0 {
			continue
		}
		for _, rep := range r.Repeats {
			for k := range rep.Measurements {
				if m := &rep.Measurements[k]; m.Metric == "net.tcp.retransmits" {
					m.Value = 40
					if r.Trial.Peer == "pve4" {
						m.Value = 3500
					}
				}
			}
		}
		only = append(only, r)
	}
	run.Results = only
	d := report.Build(run)
	for _, s := range d.Verdict {
		if strings.HasPrefix(s.Text, "No host stands out") {
			t.Errorf("%s: %s", s.Kind, s.Text)
		}
	}
	if first := d.Verdict[0]; first.Kind != "bad" || first.Text != "pve4 loses incoming packets on management: 3,500 retransmits on each of 3 paths, at most 40 elsewhere. Possible: a bad cable, transceiver or port that drops incoming packets." {
		t.Errorf("the verdict begins with %+v", first)
	}
}

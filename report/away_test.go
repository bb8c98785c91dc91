package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/report"
	"assay/report/reporttest"
)

func TestHostsThatWereAwayAreNamedOnce(t *testing.T) {
	d := reporttest.Cluster()
	if len(d.Away) != 2 {
		t.Fatalf("%+v", d.Away)
	}
	lost, down := d.Away[0], d.Away[1]
	if lost.Host != "pve3" || !lost.During() || lost.None != 6 || lost.Fewer != 6 || lost.Missed != 12 {
		t.Errorf("pve3: %+v", lost)
	}
	if down.Host != "pve5" || down.During() || down.Absent.Why != "cannot be reached: no answer in time" || down.Absent.Hint == "" {
		t.Errorf("pve5: %+v", down)
	}
	var said []string
	for _, s := range slices.Concat(d.Verdict, d.Further) {
		if strings.Contains(s.Text, "pve3 went away") || strings.Contains(s.Text, "pve5") {
			said = append(said, s.Kind+": "+s.Text)
		}
	}
	want := []string{
		"doubt: pve5 could not be queried and has no figures: cannot be reached: no answer in time.",
		"doubt: pve3 went away during the run (the connection was lost): 6 trials have no number and 6 trials have fewer repeats than planned.",
	}
	if !slices.Equal(said, want) {
		t.Errorf("the verdict says\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
	if slices.ContainsFunc(d.Run.Notes, func(n assay.Note) bool { return n.ID == "host-gone" }) {
		t.Errorf("a note says it once more: %+v", d.Run.Notes)
	}
	if slices.Contains(d.Run.Hosts, "pve5") || !slices.Contains(d.Run.Hosts, "pve3") {
		t.Errorf("hosts that were measured: %v", d.Run.Hosts)
	}
}

func TestEachRowSaysWhatAHostThatWentAwayCostIt(t *testing.T) {
	absent, fewer := 0, 0
	for _, s := range reporttest.Cluster().Sections {
		for _, r := range s.Rows {
			switch {
			case r.Absent != nil && r.Absent.Gone != "":
				absent++
				if r.Absent.Gone != "pve3" || r.Absent.Why != "pve3 went away" || !strings.Contains(r.Title, "pve3") {
					t.Errorf("%s: %+v", r.Title, r.Absent)
				}
			case r.Fewer != "":
				fewer++
				if r.Fewer != "2 of 3 repeats: pve3 went away" || r.Figures[0].N != 2 {
					t.Errorf("%s: %q, n=%d", r.Title, r.Fewer, r.Figures[0].N)
				}
			}
		}
	}
	if absent != 6 || fewer != 6 {
		t.Errorf("%d rows without figures and %d with fewer repeats, want 6 and 6", absent, fewer)
	}
}

func TestOnlyOneHostHasFiguresAndTheOthersAreStillSaid(t *testing.T) {
	run := reporttest.ClusterRun()
	run.Results = slices.DeleteFunc(run.Results, func(r assay.Result) bool { return r.Trial.Subject.Host != "pve1" || r.Trial.Peer != "" })
	for i := 1; i < 4; i++ {
		name := run.Inventory.Hosts[i].Name
		run.Inventory.Hosts[i].Absent = &assay.Absence{Word: assay.Unknown, Why: "host " + name + ": its key is not the one that is known", Hint: "ssh-keygen -R " + name}
		delete(run.Inventory.Facts, name)
	}
	run.Notes = nil
	d := report.Build(run)
	if d.Side != nil || len(d.Away) != 4 {
		t.Fatalf("%+v, %+v", d.Side, d.Away)
	}
	if want := "pve2, pve3, pve4 and pve5 could not be queried and have no figures; the first: its key is not the one that is known."; d.Verdict[0].Text != want {
		t.Errorf("the verdict begins %q, want %q", d.Verdict[0].Text, want)
	}
	if last := d.Verdict[len(d.Verdict)-2]; last.Kind != "next" || last.Text != "To measure pve2 too: ssh-keygen -R pve2." {
		t.Errorf("what to do next is %+v", last)
	}
	if !slices.ContainsFunc(d.Missing, func(m assay.MissingFact) bool { return m.Fact == "dimm speed" }) {
		t.Errorf("what all hosts that were asked lack is said of some: %+v", d.Missing)
	}
}

// A host that came back, with all repeats made later, costs nothing.
func TestAHostThatCameBackIsANoteAndNoMore(t *testing.T) {
	run := reporttest.ClusterRun()
	for i := range run.Results {
		r := &run.Results[i]
		r.Trial.Absent = nil
		r.Trial.Repeats = len(r.Repeats)
	}
	d := report.Build(run)
	if len(d.Away) != 1 || d.Away[0].Host != "pve5" {
		t.Errorf("%+v", d.Away)
	}
	if !slices.ContainsFunc(d.Run.Notes, func(n assay.Note) bool { return n.ID == "host-gone" }) {
		t.Error("the note that it was away is lost")
	}
}

// A host that was lost when each of its trials had a figure is known from the
// note alone, which is then not repeated.
func TestALostHostWithFiguresIsNamed(t *testing.T) {
	run := reporttest.ClusterRun()
	for i := range run.Results {
		run.Results[i].Trial.Absent = nil
	}
	d := report.Build(run)
	if len(d.Away) != 2 || d.Away[0].Host != "pve3" || !d.Away[0].During() || d.Away[0].Fewer == 0 {
		t.Errorf("%+v", d.Away)
	}
	if slices.ContainsFunc(d.Run.Notes, func(n assay.Note) bool { return n.ID == assay.NoteHostGone }) {
		t.Errorf("notes: %+v", d.Run.Notes)
	}
}

func TestNobodyIsJudgedByHostsThatWereAway(t *testing.T) {
	d := reporttest.Cluster()
	for _, o := range d.Side.Outliers {
		if o.Host == "pve5" || o.Peer == "pve5" {
			t.Errorf("%+v", o)
		}
		if o.Host == "pve4" && o.Cause != "its link is 1 Gb/s, theirs 10 Gb/s" {
			t.Errorf("the cause is not seen any more, for pve5's facts are not known: %q", o.Cause)
		}
	}
}

// Single readings on hosts busy with other work must differ by more than that
// work can explain.
func TestSingleReadingsOfBusyHostsNameNobodyLightly(t *testing.T) {
	for _, k := range []struct {
		share float64
		busy  bool
		odd   bool
	}{{.5, false, true}, {.5, true, false}, {.25, true, true}, {.7, false, false}} {
		t.Run(fmt.Sprintf("%v of the others, busy %v", k.share, k.busy), func(t *testing.T) {
			run := reporttest.ClusterRun()
			run.Results = slices.DeleteFunc(run.Results, func(r assay.Result) bool { return r.Trial.Case != "memory-read" })
			for i := range run.Results {
				r := &run.Results[i]
				v := 10e9
				if r.Trial.Subject.Host == "pve2" {
					v *= k.share
				}
				r.Repeats = r.Repeats[:1]
				r.Repeats[0].Measurements = []assay.Measurement{{Metric: "memory.read.bandwidth", Value: v}}
				if k.busy {
					run.Findings = append(run.Findings, assay.Finding{Rule: "noisy-neighbour", Severity: assay.Warns, Subject: r.Trial.ID})
				}
			}
			d := report.Build(run)
			if got := len(d.Side.Outliers) > 0; got != k.odd {
				t.Fatalf("odd is %v, want %v: %+v", got, k.odd, d.Side.Outliers)
			}
			if !k.odd {
				return
			}
			if o := d.Side.Outliers[0]; !strings.Contains(o.Text, "one reading each") || !strings.Contains(o.Next, "one reading each") {
				t.Errorf("it does not say that these are single readings: %q, %q", o.Text, o.Next)
			}
			if last := d.Further[len(d.Further)-1]; last.Text != "A single reading may be chance: before replacing hardware, measure longer: assay run --suite baseline --time-budget 30m." {
				t.Errorf("the last word is %+v", last)
			}
		})
	}
}

func TestEachNamedOutlierHasAnAdviceThatNamesItsFigures(t *testing.T) {
	d := reporttest.Cluster()
	said := slices.Concat(d.Verdict, d.Further)
	for _, o := range d.Side.Outliers {
		if o.Better {
			continue
		}
		named := slices.ContainsFunc(said, func(s report.Sentence) bool { return s.Text == o.Text })
		advised := slices.ContainsFunc(said, func(s report.Sentence) bool { return s.Kind == "next" && s.Text == o.Next })
		if !named || !advised {
			t.Errorf("%s: named %v, advised %v: %q", o.Host, named, advised, o.Next)
		}
		if o.Peer == "" && o.Greatest > 0 && !strings.Contains(o.Next, "the others") {
			t.Errorf("%s: the advice rests on nothing: %q", o.Host, o.Next)
		}
	}
}

// Outputs of other people often name no host: none was away then.
func TestAHostWithoutANameWasNotAway(t *testing.T) {
	run := reporttest.ClusterRun()
	run.Inventory.Hosts = []assay.Host{{}}
	run.Results = run.Results[:1]
	run.Results[0].Trial.Subject.Host = ""
	if d := report.Build(run); len(d.Away) != 0 {
		t.Errorf("%+v", d.Away)
	}
}

func TestARepeatThatFailedIsSaidBesideTheOthers(t *testing.T) {
	figure := []assay.Measurement{{Metric: "cpu.events_per_second", Value: 100, Unit: assay.PerSecond}}
	trial := assay.Trial{ID: "sysbench/cpu-1@pve1/cpu", Probe: "sysbench", Case: "cpu-1", Title: "CPU, 1 thread", Repeats: 2,
		Subject: assay.Subject{ID: "pve1/cpu", Kind: assay.KindCPU, Host: "pve1", Name: "cpu"}}
	for _, c := range []struct {
		lost assay.Repeat
		want string
	}{
		{assay.Repeat{N: 1, Outcome: assay.Broke, Error: "the connection was lost"}, "1 of 2 repeats: repeat 1 failed: the connection was lost"},
		{assay.Repeat{N: 0, Outcome: assay.Broke, Error: "the connection was lost"}, "the warm-up failed: the connection was lost"},
		{assay.Repeat{N: 1, Outcome: assay.Interrupted}, ""},
	} {
		d := report.Build(assay.Run{Results: []assay.Result{{Trial: trial, Repeats: []assay.Repeat{c.lost, {N: 2, Outcome: assay.Done, Measurements: figure}}}}})
		if got := d.Sections[0].Rows[0].Fewer; got != c.want {
			t.Errorf("%+v: %q, want %q", c.lost, got, c.want)
		}
	}
}

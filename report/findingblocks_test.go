package report

import (
	"fmt"
	"slices"
	"testing"

	"assay"
	"assay/report/block"

	"github.com/google/go-cmp/cmp"
)

// Advice shared by a rule's findings is printed once; other advice, each time.
func TestAdviceThatFindingsShareIsSaidOnce(t *testing.T) {
	found := func(number int, rule, subject, advice string) Footnote {
		return Footnote{Number: number, Finding: assay.Finding{Rule: rule, Severity: assay.Warns, Message: rule + "!", Subject: subject, Advice: advice}}
	}
	blocks := findingBlocks(Document{Findings: []Footnote{
		found(1, "cov", "a", "wait"), found(2, "cov", "b", "wait"), found(3, "bimodal", "a", "look at a"), found(4, "bimodal", "b", "look at b"), found(5, "cache", "a", "write"),
	}})
	want := []block.Footnote{
		{Number: 1, Text: "cov!", Name: "cov", About: "a", Shared: "wait"}, {Number: 2, Name: "cov", About: "b"},
		{Number: 3, Text: "bimodal!", Name: "bimodal", About: "a", Advice: "look at a"}, {Number: 4, Name: "bimodal", About: "b", Advice: "look at b"},
		{Number: 5, Text: "cache!", Name: "cache", About: "a", Advice: "write"},
	}
	for i := range want {
		want[i].Is, want[i].Word = block.Doubt, "warns"
	}
	if d := cmp.Diff(want, blocks[1].(block.Footnotes).Notes); d != "" {
		t.Error(d)
	}
}

// Findings about one case on several hosts share a note, which each host's figure
// cites; other sums, cases and advice have their own.
func TestOneNoteForSeveralHosts(t *testing.T) {
	var run assay.Run
	add := func(host, title, rule, sum, advice string) {
		id := "fio/" + title + "@" + host + "/directory/srv"
		if !slices.ContainsFunc(run.Results, func(r assay.Result) bool { return r.Trial.ID == id }) {
			run.Results = append(run.Results, assay.Result{
				Trial:   assay.Trial{ID: id, Probe: "fio", Title: title, Subject: assay.Subject{ID: host + "/directory/srv", Host: host, Kind: assay.KindDirectory}, Repeats: 1},
				Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "storage.read.iops", Value: 1000}}}},
			})
		}
		run.Findings = append(run.Findings, assay.Finding{Rule: rule, Severity: assay.Warns, Message: rule + "!", Subject: id, Arithmetic: sum, Advice: advice, Metrics: []string{"storage.read.iops"}})
	}
	for _, h := range []string{"a", "b", "c"} {
		run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: h})
	}
	add("a", "reads", "noise", "waited 91.5 % of the time", "stop it")
	add("b", "reads", "noise", "waited 88.0 % of the time", "stop it")
	add("c", "reads", "noise", "waited 95.0 % of the time", "stop it")
	add("a", "writes", "noise", "waited 20.0 % of the time", "stop it")
	add("a", "reads", "cov", "1 / 10 = 10 %", "wait")
	add("b", "reads", "cov", "2 / 30 = 6.7 %", "wait")
	d := Build(run)
	var got []string
	for _, n := range findingNotes(d) {
		got = append(got, fmt.Sprintf("[%d] %s: %s", n.Number, n.About, n.Sum))
	}
	want := []string{
		"[1] a, b and c: reads: waited 88.0 to 95.0 % of the time", "[2] a: writes: waited 20.0 % of the time",
		"[3] a: reads: 1 / 10 = 10 %", "[4] b: reads: 2 / 30 = 6.7 %",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	cited := map[string][]int{}
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			cited[r.Trial] = r.Figures[0].Footnotes
		}
	}
	for id, notes := range map[string][]int{"fio/reads@a/directory/srv": {1, 3}, "fio/reads@b/directory/srv": {1, 4}, "fio/reads@c/directory/srv": {1}, "fio/writes@a/directory/srv": {2}} {
		if diff := cmp.Diff(notes, cited[id]); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
}

// Where a host has several subjects, a note for several hosts is about the same one on each.
func TestANoteForSeveralHostsIsAboutOneSubject(t *testing.T) {
	var run assay.Run
	for _, host := range []string{"a", "b"} {
		run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: host})
		for _, name := range []string{"/srv", "/tank"} {
			run.Results = append(run.Results, assay.Result{
				Trial:   assay.Trial{ID: "fio/reads@" + host + "/directory/" + name, Probe: "fio", Title: "reads", Subject: assay.Subject{ID: host + "/directory/" + name, Name: name, Host: host, Kind: assay.KindDirectory}, Repeats: 1},
				Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "storage.read.iops", Value: 1000}}}},
			})
		}
	}
	for _, c := range []struct{ subjects, want []string }{
		{
			[]string{"a/directory//srv", "a/directory//tank", "b/directory//srv", "b/directory//tank"},
			[]string{"[1] a: reads on a/directory//srv", "[2] a: reads on a/directory//tank", "[3] b: reads on b/directory//srv", "[4] b: reads on b/directory//tank"},
		},
		{[]string{"a/directory//tank", "b/directory//tank"}, []string{"[1] a and b: reads on directory//tank"}},
	} {
		run.Findings = nil
		for _, subject := range c.subjects {
			run.Findings = append(run.Findings, assay.Finding{Rule: "noise", Severity: assay.Warns, Message: "noise!", Subject: "fio/reads@" + subject, Arithmetic: "waited 91.5 % of the time", Metrics: []string{"storage.read.iops"}})
		}
		var got []string
		for _, n := range findingNotes(Build(run)) {
			got = append(got, fmt.Sprintf("[%d] %s", n.Number, n.About))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Error(diff)
		}
	}
}

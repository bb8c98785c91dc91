package main

import (
	"slices"
	"testing"

	"assay"
)

// What should have a figure and has none fails: a write that returned an error, a tool
// that is gone since an earlier round, a host that is away. What was never measured here
// does not, nor does a drive that sleeps.
func TestTrialsWithoutTheirFigureFail(t *testing.T) {
	t.Parallel()
	trial := func(host, name string, absent *assay.Absence) assay.Trial {
		return assay.Trial{ID: name + "@" + host, Title: name, Subject: assay.Subject{Host: host, Name: "/srv"}, Absent: absent}
	}
	repeats := func(outcome assay.Outcome, why string) []assay.Repeat {
		return []assay.Repeat{{N: 1, Outcome: outcome, Error: why}}
	}
	run := assay.Run{Results: []assay.Result{
		{Trial: trial("a", "write", nil), Repeats: repeats(assay.Broke, "input/output error")},
		{Trial: trial("a", "read", nil), Repeats: repeats(assay.Done, "")},
		{Trial: trial("a", "full", &assay.Absence{Word: assay.Failed, Why: "no room"})},
		{Trial: trial("a", "tcp", &assay.Absence{Word: assay.Unknown, Why: "iperf3 is not installed"})},
		{Trial: trial("a", "rtt", &assay.Absence{Word: assay.Unknown, Why: "only root can ping"})},
		{Trial: trial("a", "health", &assay.Absence{Word: assay.NotSupported, Why: "no SMART"})},
		{Trial: trial("a", "lost", &assay.Absence{Word: assay.Unknown, Why: "b went away", Gone: "b"})},
	}}
	asleep := assay.Result{Trial: trial("a", "asleep", nil), Repeats: repeats(assay.Broke, "the drive is asleep")}
	asleep.Trial.Subject.Kind = assay.KindDrive
	link := assay.Result{Trial: trial("a", "link", &assay.Absence{Word: assay.Unknown, Why: "nothing is known about c"})}
	link.Trial.Peer = "c"
	run.Results = append(run.Results, asleep, link)
	run.Inventory.Hosts = []assay.Host{{Name: "a"}, {Name: "c", Absent: &assay.Absence{Word: assay.Unknown, Why: "no route to host"}}}
	f := found{had: map[string]assay.Trial{}}
	for _, had := range []assay.Trial{trial("a", "tcp", nil), trial("a", "link", nil), trial("a", "health", nil), trial("a", "no longer asked for", nil), trial("c", "write", nil)} {
		f.had[had.ID] = had
	}
	f.fail(run)
	var ids []string
	for _, t := range f.failing {
		ids = append(ids, t.ID)
	}
	if want := []string{"write@a", "full@a", "tcp@a", "lost@a", "link@a", "write@c"}; !slices.Equal(ids, want) {
		t.Errorf("%q fail, want %q", ids, want)
	}
	if want := []string{
		"failed: c can't be queried: no route to host",
		"failed: write, /srv on a: input/output error",
		"failed: full, /srv on a: no room",
		"failed: tcp, /srv on a: iperf3 is not installed",
		"failed: lost, /srv on a: b went away",
	}; !slices.Equal(f.lines, want) {
		t.Errorf("says %q, want %q", f.lines, want)
	}
}

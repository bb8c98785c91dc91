package failover

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/stacks/failover"
)

// began is when the first request of a transcript was sent, by the clock of the requester.
const began = 1795653845

// requests returns the output of an observer whose clock is ahead by that much: a request
// every 10 ms for 20 s, unanswered between from and to.
func requests(ahead, from, to float64) string {
	var b strings.Builder
	for i := range 2000 {
		at := float64(i) * .01
		word := "0.000200 ok"
		if at >= from && at < to {
			word = "1.000000 lost"
		}
		fmt.Fprintf(&b, "%.6f %s\n", began+ahead+at, word)
	}
	return b.String()
}

// transcript returns that of an address that moved from a to b: stopped at 3 s by the
// requester's clock, restored at 13 s. The clock of a is an hour ahead.
func transcript(observed map[string]string, whole string) assay.Transcript {
	tr := assay.Transcript{Probe: probeName}
	step := func(name, text string) {
		tr.Steps = append(tr.Steps, assay.Step{Name: name, Output: assay.Output{
			Stdout: []byte(text), Started: time.Unix(began, 0), Elapsed: 4 * time.Millisecond,
		}})
	}
	const hour = 3600
	step(stepClock+"a", fmt.Sprintf("%.6f\n", began+hour+.002))
	step(stepClock+"c", fmt.Sprintf("%.6f\n", began+.002))
	step(stepClock+"d", fmt.Sprintf("%.6f\n", began-hour+.002))
	step(stepBefore+"a", "2: eth0 inet 10.0.0.9/32\n")
	step(stepDuring+"b", "2: eth0 inet 10.0.0.9/32\n")
	at := float64(began + hour)
	step(stepMeasure, fmt.Sprintf("stopping %.3f\nstopped %.3f\nstarting %.3f\nstarted %.3f\nstop.status 0\nback\n", at+3, at+3.1, at+13, at+13.5))
	for _, host := range []string{"c", "d"} {
		if text, is := observed[host]; is {
			step(stepObserve+host, text)
		}
	}
	if whole != "" {
		step(stepWhole+"c", whole)
	}
	return tr
}

func both(c, d string) map[string]string { return map[string]string{"c": c, "d": d} }

func TestParse(t *testing.T) {
	tr := transcript(both(requests(0, 3.2, 6.2), requests(-3600, 3.2, 6.19)), fmt.Sprintf("%d.0 0\n%d.5 1\n%d.0 1\n%d.1 0\n", began, began+3, began+18, began+19))
	got, err := New().Parse(tr)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{
		"failover.time": 3.01, "failover.time.least": 3, "failover.lost": 300 + 299, "failover.requests": 2000, "failover.back": .01,
		"failover.restart": .5, "failover.whole": 6.1, "failover.latency.before": .0002, "failover.latency.during": .0002,
		"failover.back.lost": 0, "failover.stopped": 10, "failover.onset": .19,
	}
	for _, m := range got {
		if m.Metric == assay.MetricMoment {
			continue
		}
		if math.Abs(m.Value-want[m.Metric]) > .003 {
			t.Errorf("%s is %v, want %v", m.Metric, m.Value, want[m.Metric])
		}
		delete(want, m.Metric)
		switch {
		case m.Metric == "failover.time" && (m.Labels["from"] != "a" || m.Labels["to"] != "b" || m.Labels["observer"] != "c" || m.Labels["interval"] != "0.01"):
			t.Errorf("%s is labelled %v", m.Metric, m.Labels)
		case m.Metric == "failover.whole" && m.Labels["from"] != "start":
			t.Errorf("%s is labelled %v", m.Metric, m.Labels)
		}
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	if notes := New().(assay.Noter).Notes(tr); len(notes) != 0 {
		t.Errorf("notes: %v", notes)
	}
}

// The moments on one clock, relative to the stop.
func TestMoments(t *testing.T) {
	c := requests(0, 3.2, 6.2) + fmt.Sprintf("%d.000000 neighbour 52:54:00:00:00:01\n%d.500000 neighbour -\n%d.900000 neighbour 52:54:00:00:00:02\n", began, began+4, began+5)
	d := strings.ReplaceAll(requests(-3600, 3.2, 6.2), fmt.Sprintf("%d.5", began-3600+14), "x") // no answers from 14.5 to 14.6 s
	tr := transcript(both(c, d), fmt.Sprintf("%d.0 0\n%d.5 1\n%d.1 0\n", began, began+3, began+19))
	found, err := New().Parse(tr)
	if err != nil {
		t.Fatal(err)
	}
	got := assay.Repeat{Measurements: found}.Moments()
	want := []assay.Moment{
		{What: assay.Stopping, By: "a"}, {What: assay.Stopped, By: "a", At: .1},
		{What: assay.LastAnswer, By: "c", At: .19}, {What: assay.LastAnswer, By: "d", At: .19},
		{What: assay.Unanswered, By: "c", At: .2}, {What: assay.Unanswered, By: "d", At: .2},
		{What: assay.NotWhole, By: "c", At: .5}, {What: assay.NeighbourGone, By: "c", At: 1.5}, {What: assay.NeighbourMoved, By: "c", At: 2.9},
		{What: assay.Answer, By: "c", On: "b", At: 3.2}, {What: assay.Answer, By: "d", On: "b", At: 3.2},
		{What: assay.Starting, By: "a", At: 10}, {What: assay.Started, By: "a", At: 10.5},
		{What: assay.LastAnswer, By: "d", At: 11.49}, {What: assay.Answer, By: "d", At: 11.6},
		{What: assay.Whole, By: "c", At: 16.1},
	}
	if len(got) != len(want) {
		t.Fatalf("%d moments, want %d: %+v", len(got), len(want), got)
	}
	for i, m := range got {
		if m.What != want[i].What || m.By != want[i].By || m.On != want[i].On || math.Abs(m.At-want[i].At) > .003 || m.By == "a" != (m.Error == 0) {
			t.Errorf("%+v, want %+v", m, want[i])
		}
	}
}

// worked returns what a load prints whose clock is so far ahead: 100/s for 20 s, nothing from
// 3.2 to 6.2 s, and 30/s from then until 16 s.
func worked(ahead float64) string {
	var b strings.Builder
	for i := range 200 {
		at, times := float64(i)*.1, 10
		switch {
		case at > 3.25 && at < 6.25:
			times = 0
		case at > 6.25 && at < 16.05:
			times = 3
		}
		fmt.Fprintf(&b, "%.6f %d\n", began+ahead+at, times)
	}
	return b.String()
}

// A load runs on the last observer and is timed by its clock; the first observer reports when
// redundancy is whole.
func TestLoad(t *testing.T) {
	tr := transcript(both(requests(0, 3.2, 6.2), requests(-3600, 3.2, 6.2)), fmt.Sprintf("%d.0 0\n%d.5 1\n%d.0 0\n", began, began+3, began+16))
	tr.Steps = append(tr.Steps, assay.Step{Name: stepLoad + "d", Output: assay.Output{Stdout: []byte(worked(-3600))}})
	found, err := New().Parse(tr)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"failover.load.before": 100, "failover.load.stopped": 22.6, "failover.load.recovery": 30, "failover.load.after": 100}
	for _, m := range found {
		if value, is := want[m.Metric]; is && (math.Abs(m.Value-value) > 2 || m.Labels["host"] != "d") {
			t.Errorf("%s is %v of %v, want %v", m.Metric, m.Value, m.Labels, value)
		}
		delete(want, m.Metric)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	turned := []assay.Moment{{What: assay.LoadStood, At: .3}, {What: assay.LoadSlowed, At: 3.2}, {What: assay.LoadBack, At: 13.1}}
	for _, m := range (assay.Repeat{Measurements: found}).Moments() {
		switch m.What {
		case assay.LoadStood, assay.LoadSlowed, assay.LoadBack:
			if len(turned) == 0 || m.What != turned[0].What || m.By != "d" || math.Abs(m.At-turned[0].At) > .7 {
				t.Fatalf("%+v, want %+v", m, turned)
			}
			turned = turned[1:]
		}
	}
	if len(turned) > 0 {
		t.Errorf("missing: %+v", turned)
	}
	// Without a check of redundancy there is no recovery figure.
	tr.Steps = slices.DeleteFunc(tr.Steps, func(s assay.Step) bool { return strings.HasPrefix(s.Name, stepWhole) })
	if found, err = New().Parse(tr); err != nil {
		t.Fatal(err)
	}
	for _, m := range found {
		if m.Metric == "failover.load.recovery" {
			t.Errorf("%+v", m)
		}
	}
}

// What heals by itself is whole before it is restored, counted from the stop.
func TestWhatHeals(t *testing.T) {
	tr := transcript(both(requests(0, 3.2, 6.2), requests(-3600, 3.2, 6.2)), fmt.Sprintf("%d.5 1\n%d.0 0\n", began+3, began+8))
	got, err := New().Parse(tr)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range got {
		if m.Metric == "failover.whole" && (math.Abs(m.Value-5) > .01 || m.Labels["from"] != "stop") {
			t.Errorf("%+v", m)
		}
	}
}

// slow returns the output of an observer of a command that takes 400 ms: those that begin
// between from and to fail, and take a second.
func slow(ahead, from, to float64) string {
	var b strings.Builder
	for at := 0.; at < 20; {
		took, word := .4, "ok"
		if at >= from && at < to {
			took, word = 1, "status-1"
		}
		fmt.Fprintf(&b, "%.6f %.6f %s\n", began+ahead+at, took, word)
		at += took
	}
	return b.String()
}

// A command is slow: one that is running at the restore does not count as unanswered during
// the stop, and no host had its address.
func TestCommands(t *testing.T) {
	tr := transcript(both(slow(0, 3.1, 6.1), slow(-3600, 3.1, 5)), "")
	tr.Steps = slices.DeleteFunc(tr.Steps, func(s assay.Step) bool {
		return strings.HasPrefix(s.Name, stepBefore) || strings.HasPrefix(s.Name, stepDuring)
	})
	got, err := New().Parse(tr)
	if err != nil {
		t.Fatal(err)
	}
	// From 3.2 s on, 3 and 2 commands fail, and the next one succeeds; then one every
	// 400 ms.
	want := map[string]float64{"failover.time": 3.4, "failover.time.least": 2.4, "failover.lost": 5, "failover.back": .4, "failover.latency.before": .4}
	for _, m := range got {
		if value, is := want[m.Metric]; is && math.Abs(m.Value-value) > .01 {
			t.Errorf("%s is %v, want %v", m.Metric, m.Value, value)
		}
		delete(want, m.Metric)
		if m.Metric == "failover.time" && (m.Labels["interval"] != "0.4" || m.Labels["from"]+m.Labels["to"] != "") {
			t.Errorf("%s is labelled %v", m.Metric, m.Labels)
		}
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	// No answer was missed during the stop, but many after the restore.
	found, err := New().Parse(transcript(both(slow(0, 12.5, 16), slow(-3600, 12.5, 16)), ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range found {
		if m.Metric == "failover.time" && math.Abs(m.Value-.4) > .01 || m.Metric == "failover.back" && m.Value < 3 {
			t.Errorf("%s is %v", m.Metric, m.Value)
		}
	}
}

// Without an address, the other hosts need not be asked who has it.
func TestHelpersOfACommand(t *testing.T) {
	e := failover.Entry{Name: "mon", Host: "a", Service: "x", Observers: []string{"b", "c"}, Address: "10.0.0.9"}
	for _, want := range []string{"b c d", "b c"} {
		inv := assay.Inventory{Facts: map[string]assay.Facts{}, Subjects: []assay.Subject{{ID: "a/failover/mon", Kind: assay.KindFailover, Host: "a", Name: "mon", Params: e.Params()}}}
		for _, host := range []string{"a", "b", "c", "d"} {
			inv.Hosts, inv.Facts[host] = append(inv.Hosts, assay.Host{Name: host}), assay.Facts{}
		}
		trials, err := New().Trials(inv, assay.Case{Name: "failover", On: assay.KindFailover})
		if err != nil || len(trials) != 1 || strings.Join(trials[0].Helpers, " ") != want {
			t.Errorf("%+v, %v: want the helpers %s", trials, err, want)
		}
		e.Address, e.Command = "", "ceph -s"
	}
}

// Showing nothing is an error, never a failover in zero time.
func TestWhatShowsNothing(t *testing.T) {
	good := requests(0, 3.2, 6.2)
	without := func(step string) assay.Transcript {
		tr := transcript(both(good, requests(-3600, 3.2, 6.2)), "")
		var rest []assay.Step
		for _, s := range tr.Steps {
			if s.Name != step {
				rest = append(rest, s)
			}
		}
		tr.Steps = rest
		return tr
	}
	unreadable := without("")
	unreadable.Steps[0].Output.Stdout = []byte("date: invalid date\n")
	for says, tr := range map[string]assay.Transcript{
		"the clocks of the hosts": unreadable,
		"nothing was stopped":     without(stepMeasure),
		"the clock of d":          without(stepClock + "d"),
		"nobody observed":         transcript(nil, ""),
		"d: tool printed":         transcript(both(good, ""), ""),
		"nothing took over":       transcript(both(good, requests(-3600, 3.2, 14)), ""),
		"while it was stopped":    transcript(both(good, requests(-7200, 3.2, 6.2)), ""), // of another hour
		"nothing was stopped: ":   {},
	} {
		if got, err := New().Parse(tr); err == nil || says != "d: tool printed" && !strings.Contains(err.Error(), says) {
			t.Errorf("%v, %v: want %s", got, err, says)
		}
	}
}

func TestNotes(t *testing.T) {
	for id, tr := range map[string]assay.Transcript{
		"nothing-missed": transcript(both(requests(0, -1, -1), requests(-3600, -1, -1)), ""),
		"one-observer":   transcript(map[string]string{"c": requests(0, 3.2, 6.2)}, ""),
		"always-whole":   transcript(both(requests(0, 3.2, 6.2), requests(-3600, 3.2, 6.2)), "1.0 0\n"),
	} {
		notes := New().(assay.Noter).Notes(tr)
		if len(notes) != 1 || notes[0].ID != id {
			t.Errorf("%v, want %s", notes, id)
		}
	}
	for name, tr := range map[string]assay.Transcript{
		"one lost":      transcript(both(requests(0, 3.2, 3.205), requests(-3600, -1, -1)), ""),
		"one saw it":    transcript(both(requests(0, -1, -1), requests(-3600, 3.2, 6.2)), ""),
		"after the end": transcript(both(requests(0, 3.2, 6.2), requests(-3600, 14, 15)), ""),
	} {
		if notes := New().(assay.Noter).Notes(tr); len(notes) != 0 {
			t.Errorf("%s: %v", name, notes)
		}
	}
	away := transcript(both(requests(0, 3.2, 6.2), requests(-3600, 3.2, 6.2)), "")
	away.Steps = append(away.Steps, assay.Step{Name: stepAway, Output: assay.Output{Exit: 1, Stderr: []byte("web did not fail back to k2")}})
	if notes := New().(assay.Noter).Notes(away); len(notes) != 1 || notes[0].Text != "web did not fail back to k2; bring it back by hand" {
		t.Errorf("%v", notes)
	}
	tr := transcript(both(requests(0, 3.2, 6.2), requests(-3600, 3.2, 6.2)), "")
	for i := range tr.Steps {
		if tr.Steps[i].Name == stepDuring+"b" {
			tr.Steps[i].Name = stepDuring + "d"
		}
	}
	if notes := New().(assay.Noter).Notes(tr); len(notes) != 1 || notes[0].ID != "observer-inside" {
		t.Errorf("%v", notes)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(slow(0, 3.1, 6.1), "", "")
	f.Add(requests(0, 3.2, 6.2), "1.0 0\n2.0 1\n", "stopping 100.5\nstopped 100.6\nstarting 106.5\nstarted 106.75\nback\n")
	f.Fuzz(func(t *testing.T, observed, whole, measure string) {
		tr := transcript(both(observed, requests(-3600, 3.2, 6.2)), whole)
		for i := range tr.Steps {
			if tr.Steps[i].Name == stepMeasure && measure != "" {
				tr.Steps[i].Output.Stdout = []byte(measure)
			}
		}
		got, err := New().Parse(tr)
		for _, m := range got {
			if err == nil && (math.IsNaN(m.Value) || math.IsInf(m.Value, 0) || m.Value < 0) {
				t.Errorf("%+v", m)
			}
		}
		_ = New().(assay.Noter).Notes(tr)
	})
}

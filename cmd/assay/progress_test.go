package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/plan"
	"assay/run"
)

// planOf returns a plan for hosts pve1 to pveN: on each a CPU test of two
// repeats after a warm-up, a drive without health data, and one look at the
// path to the next host.
func planOf(n int) (plan.Plan, assay.Inventory) {
	p := plan.Plan{Suite: "test", Title: "a test", Estimate: 2 * time.Minute, Budget: time.Minute}
	var inv assay.Inventory
	name := func(i int) string { return fmt.Sprintf("pve%d", i%n+1) }
	add := func(t assay.Trial) {
		t.ID = t.Probe + "/" + t.Case + "@" + t.Subject.ID
		p.Trials = append(p.Trials, t)
		for r := range t.Repeats + 1 {
			if t.Absent == nil && (r > 0 || t.Warmup > 0) {
				p.Schedule = append(p.Schedule, plan.Slot{Trial: len(p.Trials) - 1, Repeat: r})
			}
		}
	}
	for i := range n {
		host := name(i)
		inv.Hosts = append(inv.Hosts, assay.Host{Name: host})
		disk := assay.Subject{ID: host + "/drive/sda", Kind: assay.KindDrive, Host: host, Name: "sda"}
		cpu := assay.Subject{ID: host + "/cpu/cpu", Kind: assay.KindCPU, Host: host, Name: "cpu"}
		inv.Subjects = append(inv.Subjects, disk, cpu)
		add(assay.Trial{Probe: "smart", Case: "health", Title: "drive health", Subject: disk, Repeats: 1, Absent: &assay.Absence{Word: assay.NotSupported}})
		add(assay.Trial{Probe: "sysbench", Case: "cpu-1", Title: "CPU, 1 thread", Subject: cpu, Repeats: 2, Warmup: time.Second, Length: time.Second})
		if n > 1 {
			link := assay.Subject{ID: host + "/link/lan:" + name(i+1), Kind: assay.KindLink, Host: host, Name: "lan", Network: "lan", Peer: name(i + 1)}
			add(assay.Trial{
				Probe: "iperf3", Case: "tcp-1", Title: "TCP, " + host + " → " + name(i+1), Subject: link, Peer: name(i + 1), Repeats: 1, Length: time.Second,
			})
		}
	}
	return p, inv
}

// told sends a voice the events of a run, counted as by the engine.
type told struct {
	*progress
	plan plan.Plan
	done int
}

func (s *told) event(kind run.EventKind, trial, repeat int, fill ...func(*run.Event)) {
	e := run.Event{Kind: kind, Repeat: repeat, Done: s.done, Of: len(s.plan.Schedule), Remaining: time.Duration(len(s.plan.Schedule)-s.done) * time.Second}
	if trial >= 0 {
		t := s.plan.Trials[trial]
		e.Trial, e.Host = &t, t.Subject.Host
	}
	for _, f := range fill {
		f(&e)
	}
	s.tell(e)
	if kind == run.EventEnd {
		s.done++ // the engine counts a repeat after reporting its end
	}
}

func well(metric string, v float64) func(*run.Event) {
	return func(e *run.Event) {
		m, _ := assay.Describe(metric)
		e.Outcome, e.Figures = assay.Done, []assay.Measurement{{Metric: "tool.duration", Value: 1, Unit: assay.Seconds}, {Metric: metric, Value: v, Unit: m.Unit}}
	}
}

func badly(text string) func(*run.Event) {
	return func(e *run.Event) { e.Outcome, e.Text = assay.Broke, text }
}

func at(host, text string) func(*run.Event) {
	return func(e *run.Event) { e.Host, e.Text = host, text }
}

// toldLines returns a run of n hosts, printed as lines.
func toldLines(n int, down ...string) (*told, *bytes.Buffer) {
	p, inv := planOf(n)
	for i := range inv.Hosts {
		for _, name := range down {
			if inv.Hosts[i].Name == name {
				inv.Hosts[i].Absent = &assay.Absence{Word: assay.Unknown, Why: "host " + name + ": cannot be reached"}
			}
		}
	}
	var b bytes.Buffer
	return &told{progress: newProgress(&b, formatText, p, inv), plan: p}, &b
}

const speed = "cpu.events_per_second"

func TestLinesOfOneHost(t *testing.T) {
	s, out := toldLines(1)
	s.event(run.EventPrepare, 1, 0)
	for r := range 3 {
		s.event(run.EventBegin, 1, r)
		s.event(run.EventEnd, 1, r, well(speed, 1234))
	}
	s.event(run.EventNote, -1, 0, at("", "the clock\njumped"))
	s.event(run.EventCleanUp, -1, 0, at("pve1", "pve1/drive/sda"))
	s.end()
	want := `a test: 3 repeats in about 1m
preparing cpu
CPU, 1 thread                                1.23k events/s   0:00 left
note: the clock jumped
removing sda
`
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out, want)
	}
}

func TestLinesOfSeveralHosts(t *testing.T) {
	s, out := toldLines(3, "pve3")
	s.event(run.EventPrepare, 1, 0)
	s.event(run.EventBegin, 1, 0)
	s.event(run.EventEnd, 1, 0, badly("sysbench:\x1b[31m no"))
	s.event(run.EventBegin, 2, 1)
	s.event(run.EventEnd, 2, 1, well("net.tcp.throughput", 1.17e9))
	s.event(run.EventGone, -1, 0, at("pve2", "host pve2: no answer"))
	s.end()
	want := `a test: 3 hosts, 12 repeats in about 1m
pve3 is down: cannot be reached
pve1: preparing cpu
pve1: CPU, 1 thread: warm-up failed: sysbench: [31m no
TCP, pve1 → pve2                             9.36 Gbit/s      0:11 left
pve2 is gone: no answer
`
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out, want)
	}
}

func TestTheTallyOfSeveralHosts(t *testing.T) {
	s, _ := toldLines(3)
	marks := func(want ...string) {
		t.Helper()
		for i, w := range want {
			r := s.tally.board(time.Now()).Rows[i]
			got := fmt.Sprintf("%s %+v|%s|%s", r.Name, r.Cells[1:], strings.TrimSpace(r.Now+" "+r.With), r.Away)
			for _, part := range strings.Split(w, "|") {
				if !strings.Contains(got, part) {
					t.Errorf("%s, want %s", got, part)
				}
			}
		}
	}
	if c := s.tally.board(time.Now()).Rows[0].Cells[0]; c.Of != 0 {
		t.Errorf("what cannot be measured has %+v", c)
	}
	// A link occupies both its hosts.
	s.event(run.EventBegin, 2, 1)
	marks("Running:1|tcp-1 → pve2 on lan", "tcp-1 ← pve1 on lan", "waiting")
	s.event(run.EventEnd, 2, 1, well("net.tcp.throughput", 1.17e9))
	s.event(run.EventBegin, 1, 0)
	marks("Warming:1|warm-up of cpu-1|Figure:9.36 Gbit/s", "waiting")
	s.event(run.EventEnd, 1, 0, badly("no"))
	marks("Of:2 Ended:0 Failed:0") // a warm-up never counts
	s.event(run.EventBegin, 1, 1)
	s.event(run.EventEnd, 1, 1, badly("no"))
	marks("Of:2 Ended:1 Failed:1")
	// If a host is lost, so are the links to it.
	s.event(run.EventGone, -1, 0, at("pve3", "no answer"))
	marks("Lost:0", "{Of:1 Ended:0 Failed:0 Running:0 Warming:0 Lost:1", "{Of:2 Ended:0 Failed:0 Running:0 Warming:0 Lost:2|{Of:1 Ended:0|gone: no answer")
}

// In a continued run, the schedule has only what is left.
func TestTheTallyOfARunThatGoesOn(t *testing.T) {
	p, inv := planOf(2)
	p.Schedule = p.Schedule[2:] // warm-up and first repeat of pve1's CPU are done
	c := newTally(p, inv).board(time.Now()).Rows[0].Cells
	if c[1].Ended != 1 || c[1].Of != 2 || c[2].Ended != 0 {
		t.Errorf("%+v", c)
	}
}

// The engine's estimate includes running repeats in full.
func TestRemainingTime(t *testing.T) {
	p, inv := planOf(2)
	s := newTally(p, inv)
	if left := s.left(s.told); left != time.Minute {
		t.Errorf("%s before the first event, want the budget", left)
	}
	begin := func(trial int) {
		s.take(run.Event{Kind: run.EventBegin, Trial: &p.Trials[trial], Repeat: 1, Remaining: 20 * time.Second})
	}
	begin(1)
	began := s.doing["pve1"].since
	if left := s.left(began.Add(5 * time.Second)); left != 15*time.Second {
		t.Errorf("%s left after 5 s of 20", left)
	}
	begin(4)
	if left := s.left(s.doing["pve2"].since); left != 20*time.Second {
		t.Errorf("%s left when the other host begins, want what the engine says", left)
	}
	if left := s.left(began.Add(time.Hour)); left != 0 {
		t.Errorf("%s left after an hour", left)
	}
}

// Events of two hosts may arrive here in another order than the engine sent
// them.
func TestCountsNeverGoBack(t *testing.T) {
	p, inv := planOf(2)
	s := newTally(p, inv)
	s.take(run.Event{Kind: run.EventEnd, Trial: &p.Trials[1], Repeat: 1, Outcome: assay.Done, Done: 3, At: 9 * time.Second})
	e := s.take(run.Event{Kind: run.EventEnd, Trial: &p.Trials[4], Repeat: 1, Outcome: assay.Done, Done: 2, At: 8 * time.Second, Remaining: time.Second})
	if e.Done != 3 || e.At != 9*time.Second || e.Host != "pve2" || e.Of != len(p.Schedule) {
		t.Errorf("%+v", e)
	}
	if n := figureOf(assay.Measurement{Metric: speed, Value: math.NaN()}); n.Value != nil {
		t.Errorf("no number became %v", *n.Value)
	}
}

// For large blocks the line shows the bandwidth, and which of a host's two drives it is.
func TestLinesOfSeveralDrives(t *testing.T) {
	var p plan.Plan
	for _, name := range []string{"ata-A", "ata-B"} {
		s := assay.Subject{ID: "pve1/block/" + name, Kind: assay.KindBlock, Host: "pve1", Name: "/dev/disk/by-id/" + name}
		p.Trials = append(p.Trials, assay.Trial{ID: "fio/fill-1m@" + s.ID, Probe: "fio", Case: "fill-1m", Title: "1 MiB write", Subject: s, Repeats: 1})
		p.Schedule = append(p.Schedule, plan.Slot{Trial: len(p.Trials) - 1, Repeat: 1})
	}
	var b bytes.Buffer
	s := &told{progress: newProgress(&b, formatText, p, assay.Inventory{Hosts: []assay.Host{{Name: "pve1"}}}), plan: p}
	both := func(e *run.Event) {
		labels := map[string]string{"bs": "1048576"}
		e.Outcome, e.Figures = assay.Done, []assay.Measurement{
			{Metric: "storage.write.iops", Value: 500, Unit: assay.PerSecond, Labels: labels}, {Metric: "storage.write.bandwidth", Value: 5e8, Unit: assay.BytesPerSecond, Labels: labels}}
	}
	for i := range p.Trials {
		s.event(run.EventEnd, i, 1, both)
	}
	for _, want := range []string{"1 MiB write (ata-A)                          500 MB/s", "1 MiB write (ata-B)                          500 MB/s"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

package main

import (
	"strings"
	"testing"

	"assay/run"
)

// toldLive returns a run of n hosts on a terminal, drawn when the test says.
func toldLive(t *testing.T, n, columns, rows int) (*told, *live, *screen) {
	p, inv := planOf(n)
	on := newScreen(t, columns, rows)
	s := &progress{tally: newTally(p, inv)}
	v := &live{lines: &lines{w: stream{on}, plan: p, tally: s.tally}, size: on.size, color: true}
	s.voice = v
	v.begin()
	return &told{progress: s, plan: p}, v, on
}

func (s *screen) want(t *testing.T, lines ...string) {
	t.Helper()
	if want := strings.Join(lines, "\n"); s.text() != want {
		t.Errorf("the screen shows\n%s\nwant\n%s", s.text(), want)
	}
}

const heading = "      health  cpu-1  tcp-1"

func TestLiveOfSeveralHosts(t *testing.T) {
	s, v, on := toldLive(t, 2, 60, 12)
	first := "a test: 2 hosts, 8 repeats in about 1m"
	on.want(t, first, heading, "pve1  –       ·      ·      waiting", "pve2  –       ·      ·      waiting",
		"░░░░░░░░░░░░░░░░░░░ 1:00 left  0 of 8 repeats")

	// Redrawn, it stays in place.
	s.event(run.EventBegin, 2, 1)
	v.draw()
	v.draw()
	on.want(t, first, heading, "pve1  –       ·      ▸1/1   tcp-1 → pve2 on lan", "pve2  –       ·      ·      tcp-1 ← pve1 on lan",
		"░░░░░░░░░░░░░░░░░░░ 0:08 left  0 of 8 repeats")

	// Failures stay above it; a success shows in its cell.
	s.event(run.EventEnd, 2, 1, well("net.tcp.throughput", 1.17e9))
	s.event(run.EventBegin, 1, 1)
	s.event(run.EventEnd, 1, 1, badly("a reason that is longer than a line of this terminal"))
	s.event(run.EventGone, -1, 0, at("pve2", "no answer"))
	above := []string{
		first, "pve1: CPU, 1 thread: repeat 1 failed: a reason that is", "  longer than a line of this terminal", "pve2 is gone: no answer",
	}
	on.want(t, append(above, heading, "pve1  –       1/2✗   ✓      waiting", "pve2  ? gone: no answer",
		"████░░░░░░░░░░░░░░░ 0:06 left  2 of 8 repeats, 1 host down")...)

	// The terminal becomes narrower and rewraps its lines.
	on.narrow(40)
	v.draw()
	if got := on.text(); strings.Count(got, "pve1  ") != 1 || strings.Count(got, "left") != 1 {
		t.Errorf("the picture stands there twice, or not at all:\n%s", got)
	}

	// At the end the picture is gone, and the text above it remains.
	s.voice.end()
	if got := strings.ReplaceAll(on.text(), "\n", ""); got != strings.Join(above, "") {
		t.Errorf("in the end there stands\n%s", on.text())
	}
}

// One host has one line; its figures scroll away above it.
func TestLiveOfOneHost(t *testing.T) {
	s, v, on := toldLive(t, 1, 70, 10)
	s.event(run.EventBegin, 1, 0)
	v.draw()
	on.want(t, "a test: 3 repeats in about 1m", "░░░░░░░░░░░░░░░░░░░░ 0:03 left  CPU, 1 thread, warm-up")
	s.event(run.EventEnd, 1, 0, well(speed, 1))
	for r := 1; r <= 2; r++ {
		s.event(run.EventBegin, 1, r)
		s.event(run.EventEnd, 1, r, well(speed, 1234))
	}
	figure := "CPU, 1 thread                                1.23k events/s   0:00 left"
	v.draw()
	on.want(t, "a test: 3 repeats in about 1m", figure[:70], figure[70:], "████████████████████ 0:00 left  CPU, 1 thread, repeat 2 of 2")
	s.voice.end()
	on.want(t, "a test: 3 repeats in about 1m", figure[:70], figure[70:])
}

// With more hosts than lines, the picture fills the terminal and no more, so
// that redrawing scrolls nothing away.
func TestLiveOfManyHosts(t *testing.T) {
	s, v, on := toldLive(t, 64, 80, 24)
	for range 100 {
		s.event(run.EventBegin, 2, 1)
		v.draw()
	}
	if len(on.above) != 1 || !strings.HasPrefix(on.above[0], "a test: 64 hosts") || !strings.Contains(on.text(), "and 44 more hosts: 0 of 132 repeats done") {
		t.Errorf("%d lines scrolled away; the screen shows\n%s", len(on.above), on.text())
	}
}

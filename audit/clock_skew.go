package audit

import (
	"fmt"
	"math"
	"strings"
	"time"

	"assay"
)

var clockSkew = Rule{
	ID: "clock-skew", Number: 47, Applies: "times measured across two clocks", Severities: "W E",
	Title:   "Two clocks disagree",
	Formula: "label clock_offset, the offset of the two clocks, above a tenth of a time in seconds: W. An end before its start (labels started and ended), a log whose times go backwards (label clock), or a jitter longer than its test, E. A host's clock that gained 1 % more or less than passed between the first and the last look at it, W; 5 %, E",
	Source:  "a one-way time is off by the offset of its clocks, and a rate by that of the seconds it is divided by; the tenth, 1 % and 5 % are choices",
	Example: "clocks 400 µs apart against a tenth of 1.20 ms",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.looks() {
			for _, check := range []func() (assay.Finding, bool){l.endsBeforeStart, l.stepsBack, l.jitterBeyond, l.offset, l.wrongSeconds} {
				if f, is := check(); is {
					found = append(found, f)
				}
			}
		}
		return found
	},
}

const setClocks = "synchronise the clocks and measure again: chronyc makestep && chronyc waitsync 30 0.0001"

// endsBeforeStart checks the times that figures carry.
func (l look) endsBeforeStart() (assay.Finding, bool) {
	started, errStarted := time.Parse(time.RFC3339Nano, l.label("", "started"))
	ended, errEnded := time.Parse(time.RFC3339Nano, l.label("", "ended"))
	if errStarted != nil || errEnded != nil || !ended.Before(started) {
		return assay.Finding{}, false
	}
	return l.finding("clock-skew", assay.Rejects, nil,
		fmt.Sprintf("ended %s, %s before it started at %s", ended.Format(time.RFC3339), seconds(started.Sub(ended).Seconds()), started.Format(time.RFC3339)),
		"no time or rate derived from these can be trusted", setClocks), true
}

// stepsBack looks for a clock that was changed while the tool wrote its log.
func (l look) stepsBack() (assay.Finding, bool) {
	if l.label("", "clock") != "backwards" {
		return assay.Finding{}, false
	}
	step := "the log's times go backwards"
	if v, ok := parseSeconds(strings.TrimPrefix(l.label("", "clock_step"), "-")); ok {
		step += " by " + seconds(v)
	}
	return l.finding("clock-skew", assay.Rejects, nil, step,
		"the clock was changed during the run: times and rates from this log cannot be trusted", setClocks), true
}

// jitterBeyond looks for datagrams delayed by more than the length of the test. A
// constant clock offset is not part of jitter, but one that jumps is, and so is a
// first datagram time that was never set, as in iperf3 before 3.2.
func (l look) jitterBeyond() (assay.Finding, bool) {
	jitter, ok := l.median("net.udp.jitter")
	ran, known := l.median("tool.duration")
	if !ok || !known || !(ran > 0) || jitter <= ran {
		return assay.Finding{}, false
	}
	return l.finding("clock-skew", assay.Rejects, []string{"net.udp.jitter"},
		fmt.Sprintf("jitter %s in a test of %s", seconds(jitter), seconds(ran)),
		"no datagram can be later than the whole test took: the timestamps behind this are wrong",
		"measure again with iperf3 3.2 or later at both ends: "+flow{look: l, protocol: "udp"}.command()), true
}

// offset checks the one-way time that the clock offset distorts most.
func (l look) offset() (assay.Finding, bool) {
	var worst assay.Measurement
	offset := 0.0
	for _, r := range l.reps {
		for _, m := range r.Measurements {
			o, has := parseSeconds(strings.TrimLeft(m.Labels["clock_offset"], "+-"))
			if !has {
				continue
			}
			known, ok := assay.Describe(m.Metric)
			if !ok || known.Unit != assay.Seconds || !(m.Value > 0) || math.IsInf(m.Value, 0) {
				continue
			}
			if o > m.Value*offsetShare && (worst.Metric == "" || o/m.Value > offset/worst.Value) {
				worst, offset = m, o
			}
		}
	}
	if worst.Metric == "" {
		return assay.Finding{}, false
	}
	return l.finding("clock-skew", assay.Warns, []string{worst.Metric},
		fmt.Sprintf("clocks %s apart against a tenth of %s", seconds(offset), seconds(worst.Value)),
		"this time was measured from one machine's clock to another's, and the offset between them is a large part of it",
		"measure the round trip on one clock, or "+setClocks), true
}

// Limits for the error in a clock's speed: a clock that NTP slews is off by a
// thousandth.
const (
	wrongSeconds    = .01
	hopelessSeconds = .05
)

// wrongSeconds checks how fast the host's clock ran during the measurement: a guest that
// gets no CPU time, or a bad clock source, has seconds of the wrong length.
func (l look) wrongSeconds() (assay.Finding, bool) {
	var looks []assay.Snapshot
	for _, r := range l.reps {
		if r.Watch != nil {
			looks = append(looks, r.Watch.Before, r.Watch.After)
		}
	}
	low, high, ok := assay.ClockRate(looks)
	off := math.Abs(assay.ClockError(low, high))
	if !ok || off < wrongSeconds {
		return assay.Finding{}, false
	}
	severity := assay.Warns
	if off >= hopelessSeconds {
		severity = assay.Rejects
	}
	return l.finding("clock-skew", severity, nil,
		fmt.Sprintf("its clock ran at %.3g to %.3g of real time between the first and the last repeat", low, high),
		"the host's seconds are too long or too short, and all rates and times with them",
		"see why: steal (vmstat 1) in a guest that gets too little CPU time, or a bad clock source: cat /sys/devices/system/clocksource/clocksource0/current_clocksource"), true
}

package iperf3

import (
	"fmt"

	"assay"
)

// Values of label summary if there is no complete one.
const (
	noSummary   = "none"        // from whole intervals
	interrupted = "interrupted" // the test ended early, and was summed up then
)

// choice is the figure chosen for a flow.
type choice struct {
	summary
	side    string // receiver or sender
	without string // "", noSummary or interrupted
	derived bool   // the sender's figure minus losses
}

// choose prefers what arrived to what was sent, and a summary to the sum of
// whole intervals. A server's summary of a test that the client aborted divides
// by the wrong time, and is ignored.
func (t *test) choose(f *flow, direction string) (choice, error) {
	early := ""
	if t.interrupted {
		early = interrupted
	}
	trusted := !t.interrupted || t.role != server
	if trusted && t.protocol == "UDP" && !t.interrupted {
		if best, ok := f.datagramChoice(); ok {
			best.without = early
			return best, nil
		}
		if f.got.line != 0 && f.sent.line != 0 {
			return choice{}, fmt.Errorf("iperf3's line %d: nothing arrived at the receiver", f.got.line)
		}
	}
	if trusted && f.got.rate > 0 {
		return choice{summary: f.got, side: "receiver", without: early}, nil
	}
	if trusted && f.sent.rate > 0 {
		return choice{summary: f.sent, side: "sender", without: early}, nil
	}
	if best, ok := f.whole(); ok {
		best.side = "sender"
		if (t.role == server) == (direction == forward) {
			best.side = "receiver"
		}
		return best, nil
	}
	if line := max(f.got.line, f.sent.line); line != 0 {
		return choice{}, fmt.Errorf("iperf3's line %d: nothing was transferred", line)
	}
	if len(f.intervals) > 0 {
		return choice{}, fmt.Errorf("iperf3's line %d: nothing was transferred", f.intervals[0].line)
	}
	return choice{}, assay.WithHint("include the output up to its summary", "iperf3: %w: no summary and no complete interval", assay.ErrNoOutput)
}

// datagramChoice returns what arrived: as the receiver counted it, or what was
// sent minus what the receiver missed, which is all that old versions print.
func (f *flow) datagramChoice() (choice, bool) {
	if f.got.rate > 0 {
		return choice{summary: f.got, side: "receiver"}, true
	}
	s := f.sent
	if !(s.rate > 0) || s.sides || s.total.line == 0 || s.total.value <= s.lost.value {
		return choice{}, false
	}
	share := 1 - s.lost.value/s.total.value
	s.rate, s.bytes = s.rate*share, s.bytes*share
	return choice{summary: s, side: "receiver", derived: share < 1}, true
}

// arrival returns the summary that includes the losses.
func (f *flow) arrival() summary {
	if f.got.total.line != 0 || f.sent.sides {
		return f.got
	}
	return f.sent
}

// kept returns the whole intervals, each once: the last interval of a test
// often covers only its final milliseconds, and an aborted test prints one
// twice.
func (f *flow) kept() []interval {
	var all []interval
	length, reached := 0.0, 0.0
	for _, i := range f.intervals {
		if length == 0 {
			length = i.end - i.start
		}
		if i.end-i.start < length/2 || i.start < reached-length/2 {
			continue
		}
		reached = i.end
		all = append(all, i)
	}
	return all
}

// whole sums up the whole intervals.
func (f *flow) whole() (choice, bool) {
	all := f.kept()
	if len(all) == 0 {
		return choice{}, false
	}
	s := summary{start: all[0].start, end: all[len(all)-1].end, line: all[len(all)-1].line}
	seconds, moved := 0.0, 0.0
	for _, i := range all {
		seconds += i.end - i.start
		moved += i.rate * (i.end - i.start)
		s.bytes += i.bytes
		if i.total.line != 0 {
			s.jitter = i.jitter
			s.lost = figure{s.lost.value + i.lost.value, i.lost.line}
			s.total = figure{s.total.value + i.total.value, i.total.line}
		}
	}
	if !(seconds > 0) || !(moved > 0) || s.bytes > greatest {
		return choice{}, false
	}
	s.rate = moved / seconds
	return choice{summary: s, without: noSummary}, s.rate > 0
}

// samples returns the rates of the whole intervals.
func (f *flow) samples() []assay.Sample {
	var all []assay.Sample
	for _, i := range f.kept() {
		all = append(all, assay.Sample{At: i.end, Value: i.rate})
	}
	return all
}

// resentSamples returns the segments resent in each interval, including the
// short last one: they are a count, not a rate.
func (f *flow) resentSamples() []assay.Sample {
	var all []assay.Sample
	reached := -1.0
	for _, i := range f.intervals {
		if i.resent.line != 0 && i.end > reached {
			all = append(all, assay.Sample{At: i.end, Value: i.resent.value})
			reached = i.end
		}
	}
	return all
}

// resent returns the count of the whole test, or of the intervals used in its
// place.
func (f *flow) resent(best choice) figure {
	if best.without != noSummary && f.sent.resent.line != 0 {
		return f.sent.resent
	}
	total := figure{}
	for _, i := range f.kept() {
		if i.resent.line != 0 {
			total.value += i.resent.value
			total.line = i.resent.line
		}
	}
	return total
}

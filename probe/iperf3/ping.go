package iperf3

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"assay"
	"assay/internal/lazyregexp"
)

// stepPingRefused is a ping that refused so short an interval.
const stepPingRefused = "ping-refused"

// intervals between echo requests, in the order tried: before 2021 iputils let
// only root go below 200 ms, and some builds of busybox do not support
// fractions.
var intervals = []time.Duration{50 * time.Millisecond, 200 * time.Millisecond, time.Second}

const (
	leastEchoes = 4
	mostEchoes  = 10000
)

// ping measures the round-trip time for the repeat's length.
func (s *session) ping(ctx context.Context) error {
	for i, every := range intervals {
		count := min(max(int(s.on.Length/every)+1, leastEchoes), mostEchoes)
		bound := time.Duration(count)*every + exchange
		step, err := s.here(ctx, stepMeasure, bound, "ping", "-n", "-c", strconv.Itoa(count),
			"-i", strconv.FormatFloat(every.Seconds(), 'f', -1, 64), "-W", "1", "-I", s.link.from.address, s.link.to.address)
		if err == nil && !pinged.Match(step.Output.Stdout) && i+1 < len(intervals) {
			step.Name = stepPingRefused
			s.keep(step)
			continue
		}
		s.keep(step)
		if err != nil {
			return err
		}
		if m := pinged.FindSubmatch(step.Output.Stdout); m == nil {
			return fmt.Errorf("%s: ping on %s: %w: %s", s.link, s.link.from.host, assay.ErrNoOutput, complaint(step.Output))
		} else if string(m[2]) == "0" {
			return assay.WithHint(fmt.Sprintf("check the route: ip route get %s from %s on %s; and allow ICMP echo requests in the firewall of %s",
				s.link.to.address, s.link.from.address, s.link.from.host, s.link.to.host),
				"%s: none of %s echo requests was answered", s.link, m[1])
		}
		break
	}
	return nil
}

var (
	// Wording of iputils, "20 received", and of busybox, "20 packets received".
	pinged = lazyregexp.New(`(\d{1,9}) packets transmitted, (\d{1,9}) (?:packets )?received`)
	echoed = lazyregexp.New(`(?m)^\d+ bytes from .*\b(?:icmp_)?seq=(\d{1,9}) .*\btime=([\d.]{1,15}) ms(.*)$`)
)

// parseRTT reads the replies to echo requests. The first is left out: it may
// have waited for the other end's address to be resolved.
func parseRTT(tr assay.Transcript) ([]assay.Measurement, error) {
	step := tr.Step(stepMeasure)
	if step == nil {
		return nil, missing("the transcript has no ping")
	}
	text := step.Output.Stdout
	totals := pinged.FindSubmatchIndex(text)
	if totals == nil {
		return nil, missing("ping printed no statistics: " + complaint(step.Output))
	}
	sent, _ := strconv.Atoi(string(text[totals[2]:totals[3]]))
	got, _ := strconv.Atoi(string(text[totals[4]:totals[5]]))
	samples, twice, err := readEchoes(text, everyOf(step.Argv))
	if err != nil {
		return nil, err
	}
	if sent < 1 || got > sent || len(samples) < 2 {
		return nil, fmt.Errorf("ping: %w: %d of %d echo requests answered, %d times", assay.ErrNoOutput, got, sent, len(samples))
	}
	samples = samples[1:]
	sorted := slices.SortedFunc(slices.Values(samples), func(a, b assay.Sample) int {
		switch {
		case a.Value < b.Value:
			return -1
		case a.Value > b.Value:
			return 1
		}
		return 0
	})
	mean, deviation := moments(samples)
	if !(mean > 0) {
		return nil, fmt.Errorf("ping: round-trip time %g s is impossible", mean)
	}
	line := 1 + countLines(text[:totals[0]])
	var all []assay.Measurement
	add := func(metric string, value float64, unit assay.Unit) {
		all = append(all, assay.Measurement{Metric: metric, Value: value, Unit: unit, Line: line,
			Labels: map[string]string{"tool": "ping", "protocol": "icmp", "direction": forward, "echoes": strconv.Itoa(len(samples))}})
	}
	n := len(sorted)
	add("net.rtt.median", (sorted[(n-1)/2].Value+sorted[n/2].Value)/2, assay.Seconds)
	all[0].Samples = samples
	add("net.rtt.min", sorted[0].Value, assay.Seconds)
	add("net.rtt.mean", mean, assay.Seconds)
	add("net.rtt.max", sorted[n-1].Value, assay.Seconds)
	add("net.rtt.stddev", deviation, assay.Seconds)
	add("net.rtt.loss", float64(sent-got)/float64(sent), assay.One)
	add("net.rtt.duplicates", float64(min(twice, sent))/float64(sent), assay.One)
	return all, nil
}

// readEchoes returns the round-trip time of each first reply, at its request's time, and
// how many requests had more replies.
func readEchoes(text []byte, every float64) (samples []assay.Sample, twice int, err error) {
	answers := map[string]int{}
	first := -1
	for _, m := range echoed.FindAllSubmatch(text, -1) {
		answers[string(m[1])]++
		if n := answers[string(m[1])]; n > 1 {
			if n == 2 {
				twice++
			}
			continue
		}
		number, _ := strconv.Atoi(string(m[1]))
		ms, err := strconv.ParseFloat(string(m[2]), 64)
		if err != nil || !(ms >= 0) || ms > 3600e3 {
			return nil, 0, fmt.Errorf("ping: round-trip time %.20s ms is impossible", m[2])
		}
		if first < 0 {
			first = number
		}
		samples = append(samples, assay.Sample{At: float64(max(0, number-first)) * every, Value: ms / 1e3})
	}
	return samples, twice, nil
}

// everyOf returns the interval given to ping by -i, in s; its default is 1.
func everyOf(argv []string) float64 {
	if i := slices.Index(argv, "-i"); i >= 0 && i+1 < len(argv) {
		if v, err := strconv.ParseFloat(argv[i+1], 64); err == nil && v > 0 && v <= 3600 {
			return v
		}
	}
	return 1
}

// moments returns the mean and the standard deviation.
func moments(samples []assay.Sample) (mean, deviation float64) {
	n := float64(len(samples))
	for _, s := range samples {
		mean += s.Value / n
	}
	for _, s := range samples {
		deviation += (s.Value - mean) * (s.Value - mean) / n
	}
	return mean, math.Sqrt(deviation)
}

func countLines(text []byte) (n int) {
	for _, c := range text {
		if c == '\n' {
			n++
		}
	}
	return n
}

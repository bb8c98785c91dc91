package warp

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// part is the part of a report that a line belongs to.
type part int

const (
	partMain     part = iota // figures of all requests
	partRequests             // their latencies, before 1.0
	partHosts                // throughput by host
	partSeconds              // the fastest and the slowest second
	partOther                // by client, by size, longer intervals: not read
)

// fields match the values in headings, in any order and with any punctuation
// between them.
var fields = struct {
	concurrency, size, hosts, clients, share, requests, total, ran *lazyregexp.Regexp
}{
	concurrency: lazyregexp.New(`\bConcurrency: (\d+)`),
	size:        lazyregexp.New(`\bSize: (\d+) bytes`),
	hosts:       lazyregexp.New(`\bHosts: (\d+)\.`),
	clients:     lazyregexp.New(`\bWarp Instances: (\d+)\.`),
	share:       lazyregexp.New(`, (\d+(?:\.\d+)?)%,`),
	requests:    lazyregexp.New(`\((\d+)(?: reqs)?\)`),
	total:       lazyregexp.New(` - total: (\d+),`),
	ran:         lazyregexp.New(`\b(?:Ran|Ran:|Duration:) (\d[0-9hms.µnu]*s)\b`),
}

var (
	considered = lazyregexp.New(`^Requests considered: (\d+)`)
	operations = lazyregexp.New(`^\* Operations: (\d+)`)
	slowest    = lazyregexp.New(`^\* Slowest: (?:[\d.]+ ?[KMGT]?i?B/s, )?(\d+(?:\.\d+)?) obj/s`)
	segments   = lazyregexp.New(`^(?:Aggregated )?Throughput, split into (\d{1,6}) x (\d[0-9hms.]*s)\b`)
	failures   = lazyregexp.New(`^(?:\* )?Errors: (\d+)\s*$`)
	skipping   = lazyregexp.New(`^Skipping ([A-Z]{3,}),? too few samples`)
	average    = lazyregexp.New(`^\* (?:(?:Average|Throughput): +)?(?:(\d+(?:\.\d+)?) ?([KMGT]?i?B)/s, )?(\d+(?:\.\d+)?) obj/s\b(?:, (\d+) errors)?`)
	byHost     = lazyregexp.New(`^\* \S+: Avg: (?:(\d+(?:\.\d+)?) ?([KMGT]?i?B)/s, )?(\d+(?:\.\d+)?) obj/s\b`)
	lasted     = lazyregexp.New(`\((\d[0-9hms.µnu]*s)[,)]`)
	// A time ends in s, even one of minutes: one that was cut off in the middle
	// of ms is ignored.
	times = lazyregexp.New(`([A-Za-z]+|\d+(?:\.\d+)?%): (\d[0-9hm.µnu]*s)(?:[\s,]|$)`)
)

// fromText parses a human-readable summary.
func fromText(text string) ([]report, error) {
	var (
		all   []report
		mixed bool
		now   = -1 // the report that the lines belong to
		at    part
		said  string // why warp failed, in its own words
		line  int
	)
	for raw := range strings.Lines(text) {
		line++
		ended := strings.HasSuffix(raw, "\n")
		raw = strings.TrimRight(raw, " \t\r\n")
		if op := operation(raw); op != "" {
			all, now, at = append(all, opened(op, raw, line)), len(all), partMain
			continue
		}
		text := strings.TrimLeft(raw, " ")
		mixed = mixed || text == "Mixed operations."
		if m := skipping.FindStringSubmatch(text); m != nil {
			if now < 0 || all[now].op != m[1] {
				all, now = append(all, report{op: m[1], line: line}), len(all)
			}
			all[now].why = assay.WithHint("run it for longer", "%w", errTooFew)
			continue
		}
		if words, ok := strings.CutPrefix(text, "warp: <ERROR> "); ok && said == "" {
			said = fmt.Sprintf("line %d: %.200s", line, words)
		}
		if now < 0 {
			continue
		}
		if next, ok := partOf(text); ok {
			at = next
			if m := considered.FindStringSubmatch(text); m != nil {
				all[now].requests = counted(m[1], line)
			}
			if m := segments.FindStringSubmatch(text); m != nil && all[now].duration.line == 0 {
				all[now].duration = timed(m[2], line)
				all[now].duration.value *= counted(m[1], line).value
			}
			continue
		}
		if failures.MatchString(text) && !ended {
			continue // more digits may have followed
		}
		all[now].read(text, at, line)
	}
	if len(all) == 0 && said != "" {
		return nil, fmt.Errorf("warp's %s", said)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("warp: %w: no heading of a request type", assay.ErrNoOutput)
	}
	return together(all, mixed), nil
}

// partOf returns the part of a report that a line opens.
func partOf(text string) (part, bool) {
	switch {
	case strings.HasPrefix(text, "Requests considered: "):
		if strings.Contains(text, "Multiple sizes") {
			return partOther, true // speeds of single requests follow
		}
		return partRequests, true
	case text == "Throughput:":
		return partMain, true
	case text == "Throughput by host:", text == "Hosts:":
		return partHosts, true
	case strings.HasPrefix(text, "Throughput, split into ") && strings.HasSuffix(text, " x 1s:"):
		return partSeconds, true
	case text == "Throughput by client:", text == "Requests by host:", strings.HasPrefix(text, "Request size "),
		strings.HasPrefix(text, "Throughput, split into "), strings.HasPrefix(text, "Aggregated"), strings.HasPrefix(text, "Cluster Total:"):
		return partOther, true
	}
	return 0, false
}

// opened returns a new report for a heading.
func opened(op, raw string, line int) report {
	r := report{op: op, line: line}
	r.describe(raw, line)
	return r
}

// describe reads the fields of a heading, or of the line after it.
func (r *report) describe(text string, line int) {
	for to, re := range map[*string]*lazyregexp.Regexp{
		&r.concurrency: fields.concurrency, &r.size: fields.size, &r.hosts: fields.hosts, &r.clients: fields.clients, &r.share: fields.share,
	} {
		if m := re.FindStringSubmatch(text); m != nil && strings.Trim(m[1], "0") != "" && len(m[1]) < 16 {
			*to = m[1]
		}
	}
	for _, re := range []*lazyregexp.Regexp{fields.requests, fields.total} {
		if m := re.FindStringSubmatch(text); m != nil {
			r.requests = counted(m[1], line)
		}
	}
	if m := fields.ran.FindStringSubmatch(text); m != nil {
		r.duration = timed(m[1], line)
	}
}

// read parses one line of a part.
func (r *report) read(text string, at part, line int) {
	if m := failures.FindStringSubmatch(text); m != nil {
		r.errors = counted(m[1], line)
		return
	}
	switch at {
	case partHosts:
		if m := byHost.FindStringSubmatch(text); m != nil {
			r.hostsBytes = plus(r.hostsBytes, speed(m[1], m[2], line))
			r.hostsOps = plus(r.hostsOps, numbered(m[3], line))
		}
	case partRequests:
		if strings.HasPrefix(text, "* Avg: ") {
			r.latencies(text, line)
		}
		r.first(text, line)
	case partSeconds:
		if m := slowest.FindStringSubmatch(text); m != nil {
			r.slowest = numbered(m[1], line)
		}
	case partMain:
		r.main(text, line)
	}
}

// main reads the lines after a heading: figures of all requests. The first of
// each kind counts.
func (r *report) main(text string, line int) {
	if strings.HasPrefix(text, "* Objects per request: ") {
		r.describe(text, line)
		return
	}
	if m := operations.FindStringSubmatch(text); m != nil {
		r.requests = counted(m[1], line)
		return
	}
	if strings.HasPrefix(text, "* Reqs: Avg: ") && r.mean.line == 0 {
		r.latencies(text, line)
		return
	}
	r.first(text, line)
	if m := average.FindStringSubmatch(text); m != nil && r.ops.line == 0 {
		r.throughput, r.ops = speed(m[1], m[2], line), numbered(m[3], line)
		if m[4] != "" {
			r.errors = counted(m[4], line)
		}
		if d := lasted.FindStringSubmatch(text); d != nil && r.duration.line == 0 {
			r.duration = timed(d[1], line)
		}
	}
}

// first reads the time to the first byte.
func (r *report) first(text string, line int) {
	if !strings.HasPrefix(text, "* TTFB: ") && !strings.HasPrefix(text, "* First Byte: ") || r.firstByte.line != 0 {
		return
	}
	for _, m := range times.FindAllStringSubmatch(text, -1) {
		if m[1] == "Avg" || m[1] == "Average" {
			r.firstByte = timed(m[2], line)
		}
	}
}

// latencies reads "Avg: 123ms, 50%: 101ms, …, Fastest: 21ms, Slowest: 321ms".
// If objects differ in size, speeds are printed there instead, which are not
// times.
func (r *report) latencies(text string, line int) {
	for _, m := range times.FindAllStringSubmatch(text, -1) {
		f := timed(m[2], line)
		switch m[1] {
		case "Avg":
			r.mean = f
		case "Fastest":
			r.least = f
		case "Slowest":
			r.most = f
		case "StdDev":
			r.stddev = f
		default:
			if p, ok := percent(m[1]); ok {
				r.percentiles = append(r.percentiles, percentile{p, f})
			}
		}
	}
}

// percent parses "99%"; some versions write the 99.9th as "999%".
func percent(s string) (float64, bool) {
	digits, ok := strings.CutSuffix(s, "%")
	if digits == "999" || digits == "9999" {
		digits = "99." + digits[2:]
	}
	p, err := strconv.ParseFloat(digits, 64)
	return p, ok && err == nil && p >= 0 && p <= 100
}

// together drops totals over the kinds of request, and marks the kinds that ran
// at the same time: a total, or a share of all requests, shows that they did.
// Older versions, and outputs without these, ran one kind after the other.
func together(all []report, mixed bool) []report {
	var kept []report
	for _, r := range all {
		mixed = mixed || r.op == "Total" || r.share != ""
		if r.op != "Total" {
			kept = append(kept, r)
		}
	}
	if kept == nil {
		return all
	}
	for i := range kept {
		kept[i].mixed = mixed && len(kept) > 1
	}
	return kept
}

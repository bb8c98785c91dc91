package s3bench

import (
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// loops reads the output of wasabi-tech/s3-benchmark and its forks.
type loops struct {
	labels map[string]string // of the last parameters
	found  []assay.Measurement
}

var (
	settings = lazyregexp.New(`^` + stamp + `Parameters(?:: | \{ )(url=.*)$`)
	loop     = lazyregexp.New(`^` + stamp + `Loop (\d+): (PUT|GET|DELETE|LIST[a-zA-Z0-9]*) time[ =](\d+\.\d+) secs, (.*)$`)
	objects  = lazyregexp.New(`^(?:objects|ops)(?: =)? (\d+),`)
	moved    = lazyregexp.New(`\bspeed(?: =)? (\d+(?:\.\d+)?)([KMGTP]?) ?B/sec`)
	rated    = lazyregexp.New(`(?:^|, )(\d+(?:\.\d+)?) (?:operations|deletes)/sec`)
	slowed   = lazyregexp.New(`\bSlowdowns ?= ?(\d+)$`)
)

func (l *loops) read(now line) {
	text, line := now.text, now.number
	if m := settings.FindStringSubmatch(text); m != nil {
		l.describe(strings.TrimSuffix(m[1], "}"))
		return
	}
	m := loop.FindStringSubmatch(text)
	if m == nil {
		return
	}
	stem := strings.ToLower(m[2])
	if strings.HasPrefix(stem, "list") {
		stem = "list"
	}
	labels := labelled("wasabi-tech/s3-benchmark", m[2], stem, l.labels)
	labels["job"] = strings.ToLower(m[2])
	if m[1] != "1" { // each round is a separate result
		labels["job"] += " loop " + m[1]
	}
	out := collect{labels: labels, stem: "object." + stem + "."}
	if r := moved.FindStringSubmatch(m[4]); r != nil {
		f := figured(r[1], line)
		f.value *= binary[r[2]]
		out.add(out.stem+"throughput", f)
	}
	if r := rated.FindStringSubmatch(m[4]); r != nil {
		out.add(out.stem+"ops", figured(r[1], line))
	}
	if len(out.found) == 0 {
		return // cut off, or nothing was done
	}
	if r := objects.FindStringSubmatch(m[4]); r != nil {
		out.add(out.stem+"requests", figured(r[1], line))
	}
	if r := slowed.FindStringSubmatch(m[4]); r != nil && now.ended {
		out.always(out.stem+"errors", figured(r[1], line))
	}
	out.add("tool.duration", figured(m[3], line))
	l.found = append(l.found, out.found...)
}

// describe keeps url, threads and size from the parameters.
func (l *loops) describe(text string) {
	l.labels = map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "url":
			l.labels["endpoint"] = endpoint(value)
		case "threads":
			if n, ok := number(value); ok && n >= 1 {
				l.labels["concurrency"] = whole(n)
			}
		case "size":
			l.labels["object_size"] = bytesOf(value)
		}
	}
}

package pasted

import (
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/prose"
)

// iostat reads the device table of sysstat's iostat, with or without -x. Of
// several reports it skips the first, the mean since boot, and returns the mean
// of the others; after -y there is no such first one.
var iostat = tool{
	name: "iostat", commands: []string{"iostat"}, first: "Dr", begins: func(line string) bool {
		return iostatHead.MatchString(line) || strings.HasSuffix(line, " Device") && iostatNarrow.MatchString(line) && strings.Contains(line, "r/s ")
	}, read: readIostat,
}

var iostatHead = lazyregexp.New(`^Device:?\s+(?:tps|rrqm/s|r/s)\s+(?:.*\s)?(?:[rw][kM]B/s|[kM]B_read/s|[rw]sec/s|w/s)(?:\s|$)`)

// iostatNarrow matches the header of iostat -s or --human: one table per kind of
// request, with the device last.
var iostatNarrow = lazyregexp.New(`^\s*(?:r/s\s+r[kM]B/s|w/s\s+w[kM]B/s|d/s\s+d[kM]B/s|f/s\s+f_await)\s.*\sDevice$`)

// iostatColumns maps columns to metrics and units. sysstat's kB and MB are
// binary.
var iostatColumns = map[string]struct {
	metric string
	unit   float64
}{
	"r/s": {"storage.read.iops", 1}, "w/s": {"storage.write.iops", 1}, "f/s": {"storage.sync.iops", 1},
	"rkB/s": {"storage.read.bandwidth", 1 << 10}, "wkB/s": {"storage.write.bandwidth", 1 << 10},
	"rMB/s": {"storage.read.bandwidth", 1 << 20}, "wMB/s": {"storage.write.bandwidth", 1 << 20},
	"rsec/s": {"storage.read.bandwidth", 512}, "wsec/s": {"storage.write.bandwidth", 512},
	"kB_read/s": {"storage.read.bandwidth", 1 << 10}, "kB_wrtn/s": {"storage.write.bandwidth", 1 << 10},
	"MB_read/s": {"storage.read.bandwidth", 1 << 20}, "MB_wrtn/s": {"storage.write.bandwidth", 1 << 20},
	"r_await": {"storage.read.latency.mean", 1e-3}, "w_await": {"storage.write.latency.mean", 1e-3}, "f_await": {"storage.sync.latency.mean", 1e-3},
}

func readIostat(p *page) {
	var head []string
	reports := watched{}
	for i, line := range p.lines {
		words := strings.Fields(line)
		switch {
		case iostatHead.MatchString(line):
			head = words
			reports.next()
		case strings.HasSuffix(line, " Device") && iostatNarrow.MatchString(line):
			head = words
			if words[0] == "r/s" {
				reports.next()
			}
		case len(head) > 0 && len(words) == len(head):
			device := words[0]
			if head[len(head)-1] == "Device" {
				device = words[len(words)-1]
			}
			for k, column := range head {
				if c, ok := iostatColumns[column]; ok {
					reports.see(i, device, c.metric, scaled(words[k], c.unit))
				}
			}
		case len(words) == 0:
			head = nil
		}
	}
	reports.intervals = p.omitsFirst()
	p.labels["observed"] = reports.observed("since boot")
	reports.give(p)
}

// scaled parses a figure in the column's unit, or with the suffix that iostat --human
// adds: 45.4M in a kB column.
func scaled(word string, unit float64) float64 {
	digits := strings.TrimRight(word, "kMGT")
	if suffix := word[len(digits):]; len(suffix) == 1 && unit >= 512 {
		return number(digits) * binary[suffix]
	}
	return number(word) * unit
}

// omitsFirst reports whether iostat or zpool iostat leaves out the first report, the mean
// since the start: with -y and an interval, which zpool may have in fractions.
func (p *page) omitsFirst() bool {
	isCount := func(word string) bool { return word != "" && strings.Trim(word, "0123456789.") == "" }
	return p.has("y") && slices.ContainsFunc(p.argv, isCount)
}

// watched collects the reports of a monitoring tool: the first covers the time
// since the start, each other one an interval.
type watched struct {
	n         int
	intervals bool // the first report was omitted: all cover an interval
	order     []watchedKey
	seen      map[watchedKey][]sighting
}

type watchedKey struct{ device, metric string }

type sighting struct {
	report, line int
	value        float64
}

// mostWatched bounds the series of one output.
const mostWatched = 4000

func (w *watched) next() { w.n++ }

func (w *watched) see(line int, device, metric string, v float64) {
	key := watchedKey{device, metric}
	if w.seen == nil {
		w.seen = map[watchedKey][]sighting{}
	}
	if _, known := w.seen[key]; !known {
		if len(w.order) >= mostWatched {
			return
		}
		w.order = append(w.order, key)
	}
	if v >= 0 && v < mostPossible {
		w.seen[key] = append(w.seen[key], sighting{w.n, line, v})
	}
}

// observed returns the time that the figures cover; a single report covers the time since
// the start.
func (w *watched) observed(since string) string {
	switch {
	case w.intervals:
		return prose.Plural(w.n, "interval")
	case w.n > 1:
		return prose.Plural(w.n-1, "interval")
	}
	return since
}

// give adds figures: each device's mean over the intervals, or its value since
// the start if there are none.
func (w *watched) give(p *page) {
	for _, key := range w.order {
		var sum float64
		var samples []assay.Sample
		line := -1
		for _, s := range w.seen[key] {
			if w.n > 1 && s.report == 1 && !w.intervals {
				continue
			}
			// A latency of 0 means an interval without requests.
			if s.value == 0 && strings.Contains(key.metric, ".latency.") {
				continue
			}
			sum += s.value
			samples = append(samples, assay.Sample{At: float64(len(samples) + 1), Value: s.value})
			line = s.line
		}
		if line < 0 {
			continue
		}
		before := len(p.found)
		p.add(line, key.metric, sum/float64(len(samples)), p.with("job", key.device, "drive", key.device))
		if len(p.found) > before && len(samples) > 1 {
			p.found[before].Samples = samples
		}
	}
}

// plain prints a number without an exponent.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

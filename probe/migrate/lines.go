package migrate

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/lazyregexp"
)

// figure is a number in base units and the line it was on, from 1; line 0: not
// printed.
type figure struct {
	value float64
	line  int
}

// record is the log of one migration.
type record struct {
	first       int // line on which it begins
	last        int // last line that was understood
	kind        string
	guest       string
	to          string
	address     string
	online      bool
	restart     bool
	transport   string
	memory      figure
	transferred figure
	throughput  figure
	downtime    figure
	limit       figure
	duration    figure
	sending     time.Time // when sending memory began
	sent        time.Time // and when it was complete
	sentLine    int
	progress    []assay.Sample
	disks       disks
	clock       clock
	finished    bool
	error       string // the first error in the log
	errorLine   int
	nonsense    error
}

const size = `([\d.]+) (B|[KMGTP]i?B)`

var (
	lineStart    = lazyregexp.New(`^starting migration of (VM|CT) (\d+) to node '([^']+)'(?: \(([^)]+)\))?`)
	lineOnline   = lazyregexp.New(`^starting online/live migration on `)
	lineCommand  = lazyregexp.New(`^start migrate command to (unix|tcp):`)
	lineLimit    = lazyregexp.New(`^(?:migration downtime limit|auto-increased downtime to continue migration): ([\d.]+) ms$`)
	lineOldLimit = lazyregexp.New(`^migrate_set_downtime: ([\d.]+)$`)
	lineActive   = lazyregexp.New(`^migration (?:active|device), transferred ` + size + ` of ` + size + ` VM-state, ` + size + `/s`)
	lineOld      = lazyregexp.New(`^migration status: active \(transferred (\d+), ?remaining (\d+)\), total (\d+)\)`)
	lineSpeed    = lazyregexp.New(`^(?:average )?migration speed: ` + size + `/s - downtime (\d+) ms$`)
	lineComplete = lazyregexp.New(`^migration completed, transferred ` + size + ` VM-state`)
	lineStatus   = lazyregexp.New(`^migration status: completed$`)
	lineFinished = lazyregexp.New(`^migration finished successfully \(duration (\d+):(\d\d):(\d\d)\)`)
	lineProblems = lazyregexp.New(`^(?:ERROR: )?migration (?:aborted|finished with problems) \(duration (\d+):(\d\d):(\d\d)\)`)
	lineError    = lazyregexp.New(`^(?:TASK )?ERROR: (.+)|^migration status error: (.+)|^(migration aborted|migration problems)$`)
)

// telling are the lines that no other tool prints.
var telling = []*lazyregexp.Regexp{
	lineOnline, lineCommand, lineLimit, lineActive, lineOld, lineSpeed, lineComplete, lineFinished, lineProblems, lineMirror, lineOldMirror,
}

// read splits a text into its logs, each from "starting migration" on.
func read(text string) []*record {
	var all []*record
	r := &record{first: 1}
	for i, line := range strings.Split(text, "\n") {
		number := i + 1
		said := afterTime(line)
		if lineStart.MatchString(said) && r.guest != "" {
			all = append(all, r)
			r = &record{first: number}
		}
		r.take(said, r.clock.at(line), number)
	}
	if r.last > 0 {
		all = append(all, r)
	}
	return all
}

// take reads one line, if it is a known one. Sizes are powers of 1024
// throughout, including the "MB" of release 6 and before, which is the guest's
// configured memory in MiB divided by the seconds.
func (r *record) take(said string, at time.Time, line int) {
	match := func(pattern *lazyregexp.Regexp) []string {
		m := pattern.FindStringSubmatch(said)
		if m != nil {
			r.last = line
		}
		return m
	}
	if m := match(lineStart); m != nil {
		r.kind, r.guest, r.to, r.address = m[1], m[2], m[3], m[4]
	} else if match(lineOnline) != nil {
		r.online, r.sending = true, at
	} else if m := match(lineCommand); m != nil {
		r.online, r.sending, r.transport = true, at, map[string]string{"unix": "ssh", "tcp": "tcp"}[m[1]]
	} else if m := match(lineLimit); m != nil {
		r.set(&r.limit, m[1], 1e-3, line)
	} else if m := match(lineOldLimit); m != nil {
		r.set(&r.limit, m[1], 1, line)
		if r.transport == "" && !at.IsZero() {
			r.sending = at // just before the command, which was not logged then
		}
	} else if m := match(lineActive); m != nil {
		r.set(&r.memory, m[3], scale(m[4]), line)
		r.sample(at, m[5], scale(m[6]), line)
	} else if m := match(lineOld); m != nil {
		r.set(&r.memory, m[3], 1, line)
	} else if m := match(lineSpeed); m != nil {
		r.set(&r.throughput, m[1], scale(m[2]), line)
		r.set(&r.downtime, m[3], 1e-3, line)
		r.sent, r.sentLine = at, line
	} else if m := match(lineComplete); m != nil {
		r.set(&r.transferred, m[1], scale(m[2]), line)
		r.complete(at, line)
	} else if match(lineStatus) != nil {
		r.complete(at, line)
	} else if m := match(lineFinished); m != nil {
		r.finished = true
		r.took(m[1:4], line)
	} else if m := match(lineError); m != nil {
		if r.error == "" {
			r.error, r.errorLine = m[1]+m[2]+m[3], line
		}
	} else if r.disks.take(said, line) {
		r.last = line
	} else if strings.HasPrefix(said, "shutdown CT ") {
		r.restart = true
	}
}

// complete records the end of sending. If the log gives a speed, that was the
// same moment: its line was written just before.
func (r *record) complete(at time.Time, line int) {
	if r.sent.IsZero() {
		r.sent, r.sentLine = at, line
	}
}

func (r *record) sample(at time.Time, text string, unit float64, line int) {
	var f figure
	r.set(&f, text, unit, line)
	if f.line > 0 && !at.IsZero() && !r.sending.IsZero() && !at.Before(r.sending) {
		r.progress = append(r.progress, assay.Sample{At: at.Sub(r.sending).Seconds(), Value: f.value})
	}
}

// took reads hours, minutes and seconds.
func (r *record) took(parts []string, line int) {
	total := 0.0
	for _, part := range parts {
		v, err := number(part)
		if err != nil {
			r.fail(line, err)
			return
		}
		total = total*60 + v
	}
	r.duration = figure{total, line}
}

// set keeps the last of several: the log writes what is known then.
func (r *record) set(f *figure, text string, unit float64, line int) {
	v, err := number(text)
	if err != nil {
		r.fail(line, err)
		return
	}
	*f = figure{v * unit, line}
}

func (r *record) fail(line int, err error) {
	if r.nonsense == nil {
		r.nonsense = fmt.Errorf("migrate's line %d: %w", line, err)
	}
}

// number accepts only possible measurements: finite, not negative, below 1e15.
func number(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || v < 0 || v > 1e15 {
		return 0, fmt.Errorf("%.40s is not a valid measurement", text)
	}
	return v, nil
}

// scale returns a unit in bytes.
func scale(unit string) float64 {
	return math.Pow(1024, float64(strings.IndexByte("BKMGTP", unit[0])))
}

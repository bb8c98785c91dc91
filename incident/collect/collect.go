// Package collect reads a host's records of its own troubles, with one script run through
// a place. The script writes nothing, bounds its output and run time, and gives a reason
// for every missing record. The package has no rules.
package collect

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/incident"
	"assay/incident/read"
)

//go:embed collect.sh
var script string

// patience is the time limit for reading all records of one host.
const patience = 4 * time.Minute

// Record is one kind of data that a host was queried for.
type Record struct {
	Name  string
	Lines int
	// Absent is the reason why there is none: "not supported: …", "no data",
	// "failed: …".
	Absent string
}

// Clock is the difference between a host's clock and this machine's.
type Clock struct {
	Known  bool
	Offset time.Duration // how far it is ahead
	Within time.Duration // uncertainty of Offset
}

// Answer is the result of querying one host.
type Answer struct {
	Host    string
	Log     incident.Log
	Records []Record
	Clock   Clock
}

// Host queries one host, looking back by since. Event times are on this machine's
// clock.
func Host(ctx context.Context, at assay.Place, since time.Duration) (Answer, error) {
	a := Answer{Host: at.Host().Name}
	if at.Host().OS == assay.Windows {
		return a, fmt.Errorf("host %s runs Windows, whose logs are not read", a.Host)
	}
	a.Clock = clockOf(ctx, at)
	out, err := at.Run(ctx, assay.Cmd{
		Argv:    []string{"sh", "-c", script, "assay", strconv.FormatInt(int64(since/time.Second), 10)},
		Timeout: patience, Limit: assay.OutputLimit,
	})
	if err != nil && len(out.Stdout) == 0 {
		return a, err
	}
	if out.Exit != 0 && len(out.Stdout) == 0 {
		return a, fmt.Errorf("host %s: sh ended with status %d", a.Host, out.Exit)
	}
	r := read.New()
	for _, s := range sections(out.Stdout) {
		if s.absent == "" {
			if rerr := r.Read(a.Host+": "+s.name, a.Host, bytes.NewReader(s.text)); rerr != nil {
				s.absent = "failed: " + rerr.Error()
			}
		}
		a.Records = append(a.Records, Record{Name: s.name, Lines: bytes.Count(s.text, []byte("\n")), Absent: s.absent})
	}
	a.Log = r.Log()
	a.align()
	if errors.Is(err, assay.ErrTimeout) || errors.Is(err, assay.ErrTooLong) {
		a.Records = append(a.Records, Record{Name: "the rest", Absent: "failed: " + err.Error()})
		err = nil
	}
	return a, err
}

// skewed is the clock difference from which it becomes an event: it can separate a
// cause from its consequence, and breaks leases.
const skewed = 2 * time.Second

// align converts the host's times to this machine's clock.
func (a *Answer) align() {
	if !a.Clock.Known {
		return
	}
	for i := range a.Log.Events {
		e := &a.Log.Events[i]
		for _, w := range []*incident.When{&e.First, &e.Last} {
			if w.HasYear() {
				w.Wall = w.Wall.Add(-a.Clock.Offset)
			}
		}
	}
	if off := a.Clock.Offset.Abs(); off > skewed && off > 2*a.Clock.Within {
		a.Log.Events = append(a.Log.Events, incident.Event{
			Kind: incident.ClockSkew, Host: a.Host, Text: "the clock is " + a.Clock.String(), Count: 1, Until: 1,
			Source: incident.Source{File: a.Host + ": clock", Line: 1},
		})
	}
}

// String describes the offset in words.
func (c Clock) String() string {
	if !c.Known {
		return "not known"
	}
	side := "ahead of"
	if c.Offset < 0 {
		side = "behind"
	}
	return fmt.Sprintf("%.2f s %s this machine's (± %.2f s)", c.Offset.Abs().Seconds(), side, c.Within.Seconds())
}

// clockOf reads the host's time once: it was taken between request and reply.
func clockOf(ctx context.Context, at assay.Place) Clock {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"date", "+%s.%N"}, Timeout: 20 * time.Second})
	if err != nil || out.Exit != 0 {
		return Clock{}
	}
	there, fine, err := epoch(strings.TrimSpace(string(out.Stdout)))
	if err != nil {
		return Clock{}
	}
	half := out.Elapsed / 2
	c := Clock{Known: true, Offset: there.Sub(out.Started.Add(half)), Within: half}
	if !fine {
		c.Within += time.Second
	}
	return c
}

// epoch parses the output of date. BusyBox has no fractions and prints ".N" or
// nothing.
func epoch(text string) (t time.Time, fine bool, err error) {
	whole, part, _ := strings.Cut(text, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || seconds < 0 || seconds > 1e11 {
		return time.Time{}, false, fmt.Errorf("%q is no time", text)
	}
	nanos, err := strconv.ParseInt(part, 10, 64)
	if len(part) != 9 || err != nil || nanos < 0 {
		return time.Unix(seconds, 0), false, nil
	}
	return time.Unix(seconds, nanos), true, nil
}

// section is one record in the script's output.
type section struct {
	name, absent string
	text         []byte
}

// sections splits the output into records. Text before the first mark is dropped.
func sections(out []byte) []section {
	var all []section
	for len(out) > 0 {
		end := bytes.IndexByte(out, '\n') + 1
		if end == 0 {
			end = len(out)
		}
		line := string(out[:min(end, 400)])
		if name, is := strings.CutPrefix(line, "@assay "); is {
			all = append(all, section{name: strings.TrimSpace(name)})
		} else if words, is := strings.CutPrefix(line, "@assay-absent "); is {
			name, why, _ := strings.Cut(words, "\t")
			all = append(all, section{name: strings.TrimSpace(name), absent: strings.TrimSpace(why)})
		} else if n := len(all); n > 0 {
			all[n-1].text = append(all[n-1].text, out[:end]...)
		}
		out = out[end:]
	}
	for i := range all { // the blank line before each mark
		all[i].text = bytes.TrimSuffix(all[i].text, []byte("\n\n"))
		if len(all[i].text) > 0 && all[i].text[len(all[i].text)-1] != '\n' {
			all[i].text = append(all[i].text, '\n')
		}
		if len(bytes.TrimSpace(all[i].text)) == 0 {
			all[i].text = nil
		}
	}
	return all
}

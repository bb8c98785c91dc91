package migrate

import (
	"strings"
	"time"

	"assay/internal/lazyregexp"
)

// stamp matches the start of a line: 2025-11-14 21:47:40 from release 5 on, May
// 02 10:57:01 before, or anything put in its place in brackets.
var stamp = lazyregexp.New(`^\s*(?:(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)|([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d)|\[[^\]]*\])?\s*`)

// afterTime returns a line without its time and leading blanks.
func afterTime(line string) string {
	return strings.TrimRight(line[len(stamp.FindString(line)):], " \t\r")
}

// clock reads the times of a log, which are local and in whole seconds.
type clock struct {
	last  time.Time
	shift time.Duration // added since summer time ended, or for a new year
	back  time.Duration // the largest step back from one line to the next, 0 for none
}

// at returns the time of a line, or zero if it has none.
func (c *clock) at(line string) time.Time {
	m := stamp.FindStringSubmatch(line)
	if m == nil || m[1]+m[2] == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.DateTime, m[1])
	if m[2] != "" {
		// Without a year, any that has a 29th of February will do.
		t, err = time.Parse("2006 Jan _2 15:04:05", "2000 "+m[2])
	}
	if err != nil {
		return time.Time{}
	}
	t = t.Add(c.shift)
	if back := c.last.Sub(t); !c.last.IsZero() && back > 0 {
		switch {
		case m[2] != "" && back > 300*24*time.Hour:
			c.shift += 366 * 24 * time.Hour // a new year
			t = t.Add(366 * 24 * time.Hour)
		case back > 59*time.Minute && back <= time.Hour:
			c.shift += time.Hour // summer time ended
			t = t.Add(time.Hour)
		default:
			c.back = max(c.back, back)
		}
	}
	c.last = t
	return t
}

package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/stats"
)

// Order says when and where a column was measured, as against the base.
type Order struct {
	Column int    `json:"column"` // from 0
	Course Course `json:"course"` // of the figure that has the worst
	// Later is in how many of the pairs of a repeat of each side the column's was
	// the later one: 0 where all of its repeats came first, .5 where they took
	// turns. Only repeats of one figure on either side are pairs.
	Later float64 `json:"later"`
	// Apart is the time from the middle of the base to that of the column in s,
	// negative where the column came first; the median over the figures.
	Apart float64 `json:"apart"`
	// Moved is how many of Figures were measured on other hosts than those of the
	// base.
	Moved   int `json:"moved"`
	Figures int `json:"figures"`
}

// Course is how two sides were measured one with the other.
type Course string

// The courses. What drifts (a temperature, a file system that fills, updates) hits
// both sides of those that took turns, and is part of the difference of others.
const (
	TookTurns     Course = "interleaved"
	OneByOne      Course = "one after the other"
	Overlapping   Course = "overlapping" // neither: mostly one after the other
	CourseUnknown Course = "unknown"     // no start times, or nothing to compare
)

// turnsFrom is how many of the pairs of repeats must be in the rarer order for two
// sides to have taken turns. Those of one run do from two rounds on, whatever its
// dice say: of n rounds at least (n-1)/2n of the pairs are so.
const turnsFrom = .25

// order says of each column but the base when and where it was measured.
func (c *Comparison) order(columns []Column) {
	for i := range columns[1:] {
		o := c.orderOf(i+1, columns)
		c.Order = append(c.Order, o.Order)
		c.Notes = append(c.Notes, o.notes()...)
	}
}

// course is an Order with what its notes name.
type course struct {
	Order
	hosts [2][]string // of the figures that moved: the base's and the column's
}

func (c *Comparison) orderOf(i int, columns []Column) course {
	o := course{Order: Order{Column: i, Course: CourseUnknown}}
	var wins, pairs float64
	var gaps []float64
	for _, row := range c.Rows {
		if row.Cells[i] == nil || row.Cells[0] == nil {
			continue
		}
		base, other := began(columns[0], row.Cells[0]), began(columns[i], row.Cells[i])
		o.Figures++
		if slices.Equal(row.Cells[0].Runs, row.Cells[i].Runs) && slices.Equal(row.Cells[0].Trials, row.Cells[i].Trials) {
			continue // the same repeats on both sides have no order
		}
		if !slices.Equal(base.hosts, other.hosts) {
			o.Moved++
			o.hosts[0] = append(o.hosts[0], base.hosts...)
			o.hosts[1] = append(o.hosts[1], other.hosts...)
		}
		if !base.unknown && !other.unknown {
			won, of := later(other.at, base.at), float64(len(base.at)*len(other.at))
			wins, pairs = wins+won, pairs+of
			o.worse(courseOf(won / of))
			gaps = append(gaps, stats.Median(other.at)-stats.Median(base.at))
		}
	}
	if pairs == 0 {
		return o
	}
	o.Later, o.Apart = wins/pairs, stats.Median(gaps)
	return o
}

// courseOf names the course of one figure, of whose pairs so great a share has the
// column's repeat later.
func courseOf(later float64) Course {
	switch rarer := min(later, 1-later); {
	case rarer == 0:
		return OneByOne
	case rarer < turnsFrom:
		return Overlapping
	}
	return TookTurns
}

// worse takes a figure's course for that of all where it is a worse one: one
// figure of which drift is part is enough.
func (o *Order) worse(c Course) {
	worst := []Course{CourseUnknown, TookTurns, Overlapping, OneByOne}
	if slices.Index(worst, c) > slices.Index(worst, o.Course) {
		o.Course = c
	}
}

// later counts the pairs in which a is the later one; at the same time counts half.
func later(as, bs []float64) (pairs float64) {
	sorted := slices.Sorted(slices.Values(bs))
	for _, a := range as {
		before, _ := slices.BinarySearch(sorted, a)
		upTo := before
		for upTo < len(sorted) && sorted[upTo] == a {
			upTo++
		}
		pairs += float64(before+upTo) / 2
	}
	return pairs
}

// beginnings are when and where the repeats of a cell were made.
type beginnings struct {
	at      []float64 // s since 1970
	hosts   []string  // sorted, each once
	unknown bool      // a start is not known
}

func began(c Column, cell *Cell) (b beginnings) {
	for _, p := range c.Picks {
		if !slices.Contains(cell.Trials, p.Result.Trial.ID) || !slices.Contains(cell.Runs, p.Run.ID) {
			continue
		}
		b.hosts = append(b.hosts, p.Result.Trial.Subject.Host)
		for _, r := range p.Result.Counted() {
			b.unknown = b.unknown || r.Started.IsZero()
			b.at = append(b.at, seconds(r.Started))
		}
	}
	slices.Sort(b.hosts)
	b.hosts = slices.Compact(b.hosts)
	return b
}

// notes say what of the order is part of the difference.
func (o course) notes() (notes []string) {
	name, gap := letter(o.Column), roughly(o.Apart)
	words := map[bool]string{true: "after", false: "before"}[o.Apart > 0]
	switch o.Course {
	case TookTurns:
		notes = append(notes, fmt.Sprintf("A and %s were measured interleaved: any drift affected both", name))
	case OneByOne:
		notes = append(notes, fmt.Sprintf("%s was measured %[3]s %[2]s A (midpoint to midpoint): any drift in between is part of the difference", name, words, gap))
	case Overlapping:
		notes = append(notes, fmt.Sprintf("%s was mostly measured %[3]s %[2]s A (midpoint to midpoint): any drift in between is part of the difference", name, words, gap))
	}
	if o.Moved > 0 {
		which := ""
		if o.Moved < o.Figures {
			which = fmt.Sprintf(" in %d of %d figures", o.Moved, o.Figures)
		}
		notes = append(notes, fmt.Sprintf("A on %s, %s on %s%s: the hosts are part of the difference", hostNames(o.hosts[0]), name, hostNames(o.hosts[1]), which))
	}
	return notes
}

// letter names a column, from 0, as tables do: A, B, … Z.
func letter(column int) string {
	if column >= 26 {
		return fmt.Sprintf("column %d", column+1)
	}
	return string(rune('A' + column))
}

func hostNames(hosts []string) string {
	hosts = slices.Compact(slices.Sorted(slices.Values(hosts)))
	const most = 4
	if len(hosts) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(hosts[:most-1], ", "), len(hosts)-most+1)
	}
	if i := slices.Index(hosts, ""); i >= 0 {
		hosts[i] = "an unnamed host"
	}
	return strings.Join(hosts, ", ")
}

// roughly prints so many seconds, whatever their sign, as people speak of time.
func roughly(s float64) string {
	if s < 0 {
		s = -s
	}
	for _, unit := range []struct {
		name string
		s    float64
	}{{"days", 86400}, {"h", 3600}, {"min", 60}} {
		if s >= 2*unit.s {
			return fmt.Sprintf("%.3g %s", s/unit.s, unit.name)
		}
	}
	return fmt.Sprintf("%.3g s", s)
}

func seconds(t time.Time) float64 { return float64(t.UnixNano()) / 1e9 }

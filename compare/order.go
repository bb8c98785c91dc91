package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/stats"
)

// Order is when and where a column was measured relative to the base.
type Order struct {
	Column int    `json:"column"` // from 0
	Course Course `json:"course"` // of the figure that has the worst
	// Later is the share of repeat pairs, one from each side, in which the
	// column's came later: 0 if all of its repeats came first, .5 if the sides
	// took turns. Pairs are formed only within one figure.
	Later float64 `json:"later"`
	// Apart is the time from the base's midpoint to the column's in s, negative
	// if the column came first; the median over the figures.
	Apart float64 `json:"apart"`
	// Moved is how many of Figures were measured on other hosts than the base's.
	Moved   int `json:"moved"`
	Figures int `json:"figures"`
}

// Course is how two sides were measured relative to each other.
type Course string

// The courses. Drift (a temperature, a file system that fills, updates) hits both
// sides if they took turns; otherwise it is part of the difference.
const (
	TookTurns     Course = "interleaved"
	OneByOne      Course = "one after the other"
	Overlapping   Course = "overlapping" // neither: mostly one after the other
	CourseUnknown Course = "unknown"     // no start times, or nothing to compare
)

// turnsFrom is the least share of repeat pairs in the rarer order for two sides to
// have taken turns. Those of one run reach it from two rounds on, however
// shuffled: n rounds have at least (n-1)/2n of the pairs so.
const turnsFrom = .25

// order sets when and where each column but the base was measured.
func (c *Comparison) order(columns []Column) {
	for i := range columns[1:] {
		o := c.orderOf(i+1, columns)
		c.Order = append(c.Order, o.Order)
		c.Notes = append(c.Notes, o.notes()...)
	}
}

// course is an Order with what its notes mention.
type course struct {
	Order
	hosts [2][]string // for moved figures: the base's and the column's
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
			continue // repeats shared by both sides have no order
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

// courseOf returns a figure's course, given the share of its pairs with the
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

// worse adopts a figure's course if it is worse: one figure with drift in it is
// enough.
func (o *Order) worse(c Course) {
	worst := []Course{CourseUnknown, TookTurns, Overlapping, OneByOne}
	if slices.Index(worst, c) > slices.Index(worst, o.Course) {
		o.Course = c
	}
}

// later counts the pairs in which a is later; a tie counts half.
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

// beginnings are the start times and hosts of a cell's repeats.
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

// notes returns notes on how the order affects the difference.
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

// letter names a column, from 0, as spreadsheets do: A, B, … Z.
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

// roughly formats a number of seconds, ignoring its sign, the way people give
// times.
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

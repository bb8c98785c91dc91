package trend

import (
	"fmt"
	"time"

	"assay/stats"
)

// Point is one run in the history of a metric.
type Point struct {
	Run   string
	At    time.Time // when the run began
	Value float64   // the median over its repeats, in base units
}

// Options control the search. The zero value is usable.
type Options struct {
	// Least is the minimum number of runs in a segment; 0 means 4, and less
	// than 2 is not possible.
	Least int
	// Level is the chance that a history without any change shows one; 0 means
	// .01. Below .005 long histories show nothing: see Trend.Orders.
	Level float64
	// Seed seeds the random orders that the history is compared with. The same
	// history and seed give the same result.
	Seed uint64
}

// The defaults of Options.
const (
	DefaultLeast = 4
	DefaultLevel = .01
)

// Trend is a history cut into segments.
type Trend struct {
	Segments []Segment // in order, without gaps; none for an empty history
	Changes  []Change  // Changes[i] lies between Segments[i] and Segments[i+1]
	// Memory is the lag-1 autocorrelation of the noise that was allowed for,
	// 0..0.9.
	Memory float64
	// Orders is how many random orders the history was compared with: 999,
	// fewer for long histories (199 at least), 0 if nothing could be found.
	Orders int
}

// Segment is the points From..To-1, which share one level.
type Segment struct {
	From, To int
	Level    stats.Summary // of the points' values, in base units
}

// Change is a change point.
type Change struct {
	At int // index of the first point of the new level
	// Earliest and Latest bound At, both included, at a confidence of about .95
	// if the step is well above the noise, and about .9 if it was barely found.
	Earliest, Latest int
	P                float64 // already corrected for all places searched
	Ratio            Effect  // new over old; Level 0 if a value is not positive
	Shift            Effect  // new - old, in base units
}

// Find cuts a history into segments. The points are in run order; their times
// are ignored. A value that is not finite is an error.
func Find(points []Point, o Options) (Trend, error) {
	if o.Least == 0 {
		o.Least = DefaultLeast
	}
	if o.Level == 0 {
		o.Level = DefaultLevel
	}
	if o.Least < 2 || !(o.Level > 0 && o.Level < 1) {
		return Trend{}, fmt.Errorf("segments of at least %d runs at level %v: at least 2, and between 0 and 1", o.Least, o.Level)
	}
	values := make([]float64, len(points))
	for i, p := range points {
		if !stats.Finite(p.Value) {
			return Trend{}, fmt.Errorf("run %s: its value %v is not finite", p.Run, p.Value)
		}
		values[i] = p.Value
	}
	s := search{values: values, o: o}
	s.run()
	return s.trend(), nil
}

// trend builds the result.
func (s *search) trend() Trend {
	t := Trend{Memory: s.memory, Orders: len(s.null)}
	from := 0
	for i := 0; i <= len(s.found) && from < len(s.values); i++ {
		to := s.end(i)
		t.Segments = append(t.Segments, Segment{From: from, To: to, Level: stats.Summarise(s.values[from:to])})
		from = to
	}
	for i, at := range s.found {
		before, after := s.values[s.start(i):at], s.values[at:s.end(i+1)]
		best := s.around(i)
		t.Changes = append(t.Changes, Change{
			At: at, Earliest: best.earliest, Latest: best.latest, P: s.p(best.statistic),
			Ratio: ratioOf(before, after), Shift: shiftOf(before, after),
		})
	}
	return t
}

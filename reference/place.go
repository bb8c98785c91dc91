package reference

import (
	"math"
	"slices"
	"strings"

	"assay/internal/order"
)

// Thing is the subject of a user's figure, as far as it is known.
type Thing struct {
	Replicated bool   // a volume across several hosts
	Model      string // what the one drive under it calls itself; "" unknown
	Bytes      int64  // its size
}

// Apart is a difference in how published figures were measured, and how many of
// them it applies to.
type Apart struct {
	Words string // on the bare device
	N     int
}

// Class is every figure published for one kind of thing under comparable
// settings.
type Class struct {
	Name   string // an NVMe SSD with PLP
	Low    float64
	High   float64
	N      int // figures
	Rated  bool
	Median float64
	Apart  []Apart  // how some of them differ
	Titles []string // of the sources
}

// Placement is where a figure ranks among published ones. Like, Below and Above
// are nil if there is none; at least one is not.
type Placement struct {
	Value float64
	N     int     // comparable figures in all
	Fewer int     // how many of these are lower
	Like  *Class  // its range contains the value, or nearly
	Below *Class  // the nearest one entirely below
	Above *Class  // the nearest one entirely above
	Far   *Figure // a well-known one far off, in the direction of FarUp
	FarUp bool    // Far is more
	Own   *Figure // the vendor's rating of this very model
	Apart []Apart // how those that the words name differ
	Named int     // figures that the words name
}

// likeSlack is how far outside a class's range a figure may be and still be
// like it: two drives of one class differ by more. farOff is where near ends.
const (
	likeSlack = 1.25
	farOff    = 5
)

// fewest is how many figures a class needs before a value can be called far
// beyond it: being a hundred times as fast as the only published USB stick
// means nothing.
const fewest = 3

// Placer ranks figures among published ones. It caches lookups, since a run with
// thousands of links has many figures measured in the same way.
type Placer struct{ shelves map[likeness]shelf }

// likeness is what the figures on one shelf share.
type likeness struct {
	metric     string
	s          Settings
	replicated bool
}

// shelf is every published figure with one likeness.
type shelf struct {
	figures []Figure
	classes []Class
}

// Place finds where a value, in the metric's base unit, ranks among published
// figures measured in the same way. ok is false if there are none, or few and
// all of them far off: then nothing can be said.
func (pl *Placer) Place(metric string, value float64, s Settings, on Thing) (p Placement, ok bool) {
	of := likeness{metric, s, on.Replicated}
	from, known := pl.shelves[of]
	if !known {
		from = shelfOf(figures(), of)
		if pl.shelves == nil {
			pl.shelves = map[likeness]shelf{}
		}
		pl.shelves[of] = from
	}
	return from.place(value, s, on)
}

func placeAmong(all []Figure, metric string, value float64, s Settings, on Thing) (p Placement, ok bool) {
	return shelfOf(all, likeness{metric, s, on.Replicated}).place(value, s, on)
}

func shelfOf(all []Figure, of likeness) (out shelf) {
	for i := range all {
		f := &all[i]
		if f.Metric != of.metric || f.Kind == OfStack && !of.replicated && strings.HasPrefix(of.metric, "storage.") {
			continue
		}
		if _, ok := f.comparable(of.s); ok {
			out.figures = append(out.figures, *f)
		}
	}
	out.classes = classesOf(out.figures, of.s)
	return out
}

// place finds where a value ranks on a shelf, which it does not modify.
func (from shelf) place(value float64, s Settings, on Thing) (p Placement, ok bool) {
	if !(value > 0) || math.IsInf(value, 0) || s.Cache == "warm" || len(from.figures) == 0 {
		return p, false
	}
	alike, classes := from.figures, from.classes
	p = Placement{Value: value, N: len(alike)}
	for i := range alike {
		if alike[i].High < value {
			p.Fewer++
		}
	}
	p.Like = nearest(classes, value)
	for i, c := range classes {
		if c.High < value && (p.Below == nil || c.High > p.Below.High) {
			p.Below = &classes[i]
		}
		if c.Low > value && (p.Above == nil || c.Low < p.Above.Low) {
			p.Above = &classes[i]
		}
	}
	if p.isAlone() {
		return Placement{}, false
	}
	p.Far, p.FarUp = landmark(alike, value, p.named())
	p.Own = ownRating(alike, on)
	for _, c := range p.named() {
		p.Named += c.N
		for _, a := range c.Apart {
			p.Apart = count(p.Apart, a)
		}
	}
	if p.Far != nil {
		p.Named++
		words, _ := p.Far.comparable(s)
		for _, w := range words {
			p.Apart = count(p.Apart, Apart{w, 1})
		}
	}
	return p, true
}

// isAlone reports whether a value is so far beyond the few published ones that they
// are no comparison.
func (p Placement) isAlone() bool {
	switch {
	case p.Like != nil || p.Below != nil && p.Above != nil:
		return false
	case p.Below != nil:
		return p.Below.N < fewest && p.Value > farOff*p.Below.High
	}
	return p.Above.N < fewest && p.Value < p.Above.Low/farOff
}

// classesOf groups figures by class, ratings apart from measurements, and sorts
// the classes by median, lowest first.
func classesOf(all []Figure, s Settings) []Class {
	var classes []Class
	values := map[int][]float64{}
	for _, f := range all {
		i := slices.IndexFunc(classes, func(c Class) bool { return c.Name == f.Class && c.Rated == f.Rated })
		if i < 0 {
			i = len(classes)
			classes = append(classes, Class{Name: f.Class, Rated: f.Rated, Low: f.Low, High: f.High})
		}
		c := &classes[i]
		c.N++
		c.Low, c.High = min(c.Low, f.Low), max(c.High, f.High)
		values[i] = append(values[i], math.Sqrt(f.Low*f.High))
		words, _ := f.comparable(s)
		for _, w := range words {
			c.Apart = count(c.Apart, Apart{w, 1})
		}
		c.Titles = addOnce(c.Titles, f.Source.Title)
	}
	for i := range classes {
		classes[i].Median = median(values[i])
	}
	order.Stable(classes, func(a, b Class) int {
		switch {
		case a.Median < b.Median:
			return -1
		case a.Median > b.Median:
			return 1
		}
		return 0
	})
	return classes
}

func count(list []Apart, more Apart) []Apart {
	i := slices.IndexFunc(list, func(a Apart) bool { return a.Words == more.Words })
	if i < 0 {
		return append(list, more)
	}
	list[i].N += more.N
	return list
}

func addOnce(list []string, word string) []string {
	if slices.Contains(list, word) {
		return list
	}
	return append(list, word)
}

func median(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	if n%2 == 1 {
		return values[n/2]
	}
	return (values[n/2-1] + values[n/2]) / 2
}

// nearest returns the class whose range contains the value, give or take
// likeSlack: if several do, the one whose median is nearest as a ratio.
func nearest(classes []Class, value float64) *Class {
	var best *Class
	distance := func(c Class) float64 { return math.Abs(math.Log(value / c.Median)) }
	for i, c := range classes {
		if value < c.Low/likeSlack || value > c.High*likeSlack {
			continue
		}
		if best == nil || distance(c) < distance(*best) {
			best = &classes[i]
		}
	}
	return best
}

// landmark returns the nearest well-known figure that is farOff above, or else
// below, in a class that is not already named.
func landmark(all []Figure, value float64, named []Class) (f *Figure, up bool) {
	isNew := func(l *Figure) bool {
		return l.Landmark && !slices.ContainsFunc(named, func(c Class) bool { return c.Name == l.Class })
	}
	for i := range all {
		if l := &all[i]; l.Low >= farOff*value && (f == nil || l.Low < f.Low) && isNew(l) {
			f = l
		}
	}
	if f != nil {
		return f, true
	}
	for i := range all {
		if l := &all[i]; l.High <= value/farOff && (f == nil || l.High > f.High) && isNew(l) {
			f = l
		}
	}
	return f, false
}

// ownRating returns the vendor's rating of the drive itself.
func ownRating(all []Figure, on Thing) *Figure {
	d, known := Drive(on.Model, on.Bytes)
	if !known || on.Replicated {
		return nil
	}
	name := ratedName(d.Vendor, d.Model, d.Bytes/1e9)
	for i := range all {
		if all[i].Rated && all[i].What == name {
			return &all[i]
		}
	}
	return nil
}

// named returns the classes that the words mention.
func (p Placement) named() []Class {
	if p.Like != nil {
		return []Class{*p.Like}
	}
	var out []Class
	for _, c := range []*Class{p.Below, p.Above} {
		if c != nil {
			out = append(out, *c)
		}
	}
	return out
}

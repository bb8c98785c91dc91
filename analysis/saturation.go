package analysis

import (
	"fmt"
	"maps"
	"slices"

	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/stats"
)

// growth is what two totals say of each other.
type growth int

const (
	unclear growth = iota // the interval allows both
	tooFew                // there are too few repeats for an interval
	grows
	stops
	falls
)

// growthFrom says whether the total of b hosts is more than that of a. It is where
// the whole interval of their ratio lies above 1. It is not where the interval
// reaches to 1 and leaves out half of what b hosts would have that do not disturb
// each other; where it does not leave that out, it says neither.
func growthFrom(totals map[int][]float64, a, b int) growth {
	ratio, ok := stats.Ratio(totals[a], totals[b], stats.Confidence)
	half := 1 + (float64(b)/float64(a)-1)/2
	switch {
	case !ok:
		return unclear
	case ratio.Level == 0:
		return tooFew
	case ratio.Low > 1:
		return grows
	case ratio.High < 1:
		return falls
	case ratio.High < half:
		return stops
	}
	return unclear
}

// judge finds where the total stops growing, and says it. totals are the repeats
// by how many hosts; those that are not believed are not among them.
func (s *Scaling) judge(totals map[int][]float64) {
	counts := slices.Sorted(maps.Keys(totals))
	name := s.Tier + ": " + s.Title
	if len(counts) < 2 {
		s.Text = name + ": can't tell whether it scales" + s.unusable()
		return
	}
	last := counts[len(counts)-1]
	doubt := ""
	for i, from := range counts[:len(counts)-1] {
		to := counts[i+1]
		switch step := growthFrom(totals, from, to); {
		case step == grows, later(totals, from, counts[i+1:]):
		case step == stops, step == falls:
			s.Saturated = from
			s.Text = fmt.Sprintf("%s stops growing at %s: %s in total", name, prose.Plural(from, "host"), s.total(from))
			if growthFrom(totals, from, last) == falls {
				s.Text += fmt.Sprintf(", and falls to %s with %d", s.total(last), last)
			}
			return
		case doubt != "":
		case step == tooFew:
			doubt = fmt.Sprintf("; %d and %d repeats are too few to tell whether %s do more than %d",
				len(totals[from]), len(totals[to]), prose.Plural(to, "host"), from)
		default:
			doubt = fmt.Sprintf("; can't tell whether %s do more than %d: the repeats vary too much", prose.Plural(to, "host"), from)
		}
	}
	if doubt != "" {
		s.Text = fmt.Sprintf("%s reaches %s in total with %s%s", name, s.total(last), prose.Plural(last, "host"), doubt)
		return
	}
	s.Text = fmt.Sprintf("%s still grows at %s: %s in total", name, prose.Plural(last, "host"), s.total(last))
	if share := s.at(last).Share(); share != "" {
		s.Text += fmt.Sprintf(", %s of what they reach one at a time", share)
	}
}

// unusable says of which numbers of hosts there is no total that is believed.
func (s *Scaling) unusable() string {
	var rejected, none []string
	for _, p := range s.Points {
		switch {
		case p.Figure == nil:
			none = append(none, prose.Plural(p.Hosts, "host"))
		case p.Figure.Rejected:
			rejected = append(rejected, prose.Plural(p.Hosts, "host"))
		}
	}
	text := ""
	switch len(rejected) {
	case 0:
	case 1:
		text = ": the total of " + rejected[0] + " is rejected"
	default:
		text = ": the totals of " + prose.And(rejected) + " are rejected"
	}
	if len(none) > 0 {
		text += ", none for " + prose.And(none)
	}
	return text
}

// later says that some greater number of hosts has more than from: then the total
// had not stopped growing there.
func later(totals map[int][]float64, from int, counts []int) bool {
	return slices.ContainsFunc(counts, func(k int) bool { return growthFrom(totals, from, k) == grows })
}

func (s *Scaling) at(hosts int) ScalingPoint {
	for _, p := range s.Points {
		if p.Hosts == hosts {
			return p
		}
	}
	return ScalingPoint{}
}

func (s *Scaling) total(hosts int) string {
	if f := s.at(hosts).Figure; f != nil {
		return quantity.Of(s.Metric, f.Value)
	}
	return "unknown"
}

// Share prints a point's efficiency: "98 %", "" where it is not known.
func (p ScalingPoint) Share() string {
	if p.Efficiency == 0 {
		return ""
	}
	return quantity.Two(100*p.Efficiency) + " %"
}

// ShareInterval prints where the efficiency lies: "[97 %, 99 %]", "" where that is
// not known.
func (p ScalingPoint) ShareInterval() string {
	if p.Efficiency == 0 || p.Low == p.High {
		return ""
	}
	return "[" + quantity.Two(100*p.Low) + " %, " + quantity.Two(100*p.High) + " %]"
}

// Name names a curve: "longhorn: 4 KiB random write, IOPS".
func (s Scaling) Name() string {
	name := s.Tier + ": " + s.Title
	if heading := quantity.Heading(s.Label, s.Metric); heading != "" {
		name += ", " + heading
	}
	return name
}

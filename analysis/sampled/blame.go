package sampled

import (
	"cmp"
	"math"
	"slices"

	"assay/stats"
)

// Way is one measured way from one host to another.
type Way struct {
	From, To         string
	FromRack, ToRack string // "" where nobody says
	Rate             float64
	Retransmits      float64
}

// Part is what ways share.
type Part string

// The parts that can be at fault.
const (
	Sender   Part = "sender"      // what a host sends
	Receiver Part = "receiver"    // what a host receives
	Host     Part = "host"        // both
	UplinkTo Part = "into rack"   // what comes into a rack from others
	Uplink   Part = "out of rack" // what goes from a rack to others
	Rack     Part = "rack"        // all that begins or ends there
)

// Symptom is what is wrong.
type Symptom string

// The symptoms.
const (
	Slow  Symptom = "slow"
	Lossy Symptom = "lossy"
)

// Fault is a part that is blamed for all of its bad ways.
type Fault struct {
	Part    Part
	Name    string // host or rack
	Symptom Symptom
	Bad, Of int     // its bad ways, of those that nothing else explains
	Share   float64 // median rate of its bad ways, relative to the usual
	Usual   float64 // that rate
}

// Thresholds for a bad way, and for blaming a part.
const (
	// slowShare is the share of the faster quarter's rate below which a way is slow:
	// links of one kind reach more.
	slowShare = .7
	// lossyFrom is a level that slow start and full queues seldom reach, and most ways
	// of a part never do; lossyTimes is how far above the usual it must be.
	lossyFrom, lossyTimes = 200, 15
	// badShare of a part's ways must be bad: for a host with one slow partner in
	// ten, one in ten is.
	badShare = .7
	// leastWays and leastHosts are the minimum ways of a part, and hosts of a rack.
	leastWays, leastHosts = 5, 3
	// byChance is the accepted probability that any part at all has this many bad
	// ways if bad ways fall anywhere.
	byChance = .001
	// leastOften is the least chance at which a way is assumed to look bad.
	leastOften = .03
)

// Blame finds the parts at fault: first the one that explains the most bad ways, then
// the one that explains most of the rest. A rack takes precedence over its hosts, and
// a host over its own ways.
func Blame(ways []Way) []Fault {
	var all []Fault
	for _, s := range []Symptom{Slow, Lossy} {
		all = append(all, blame(ways, s)...)
	}
	// A part that loses packets is slow because of it.
	return slices.DeleteFunc(all, func(f Fault) bool {
		return f.Symptom == Lossy && slices.ContainsFunc(all, func(o Fault) bool { return o.Symptom == Slow && o.Name == f.Name })
	})
}

func blame(ways []Way, s Symptom) []Fault {
	if len(ways) == 0 {
		return nil
	}
	usual := usualOf(ways)
	left := make([]judged, 0, len(ways))
	for _, w := range ways {
		left = append(left, judged{Way: w, bad: usual.isBad(w, s)})
	}
	var all []Fault
	for len(left) >= leastWays {
		f, is := worst(left)
		if !is {
			break
		}
		f.Symptom = s
		f.Share, f.Usual = shareOf(left, f, usual), usual.rate
		all = append(all, f)
		left = slices.DeleteFunc(left, func(w judged) bool { return f.Has(w.Way) })
	}
	return all
}

type judged struct {
	Way
	bad bool
}

// usual holds the figures of a healthy way.
type usual struct{ rate, retransmits float64 }

func usualOf(ways []Way) usual {
	var rates, retransmits []float64
	for _, w := range ways {
		rates, retransmits = append(rates, w.Rate), append(retransmits, w.Retransmits)
	}
	slices.Sort(rates)
	slices.Sort(retransmits)
	// If two racks of five are slow, most ways are slow.
	return usual{rates[len(rates)-1-len(rates)/4], retransmits[len(retransmits)/4]}
}

func (u usual) isBad(w Way, s Symptom) bool {
	if s == Slow {
		return w.Rate < slowShare*u.rate
	}
	return w.Retransmits >= math.Max(lossyFrom, lossyTimes*u.retransmits)
}

// Has reports whether a way belongs to the part.
func (f Fault) Has(w Way) bool {
	between := w.FromRack != w.ToRack
	switch f.Part {
	case Sender:
		return w.From == f.Name
	case Receiver:
		return w.To == f.Name
	case Host:
		return w.From == f.Name || w.To == f.Name
	case UplinkTo:
		return between && w.ToRack == f.Name
	case Uplink:
		return between && w.FromRack == f.Name
	case Rack:
		return w.FromRack == f.Name || w.ToRack == f.Name
	}
	return false
}

// OfRack reports whether the part belongs to a rack rather than a host.
func (f Fault) OfRack() bool { return f.Part == UplinkTo || f.Part == Uplink || f.Part == Rack }

// suspect counts the ways of a part.
type suspect struct {
	bad, of int

	hosts map[string]bool
}

type key struct {
	part Part
	name string
}

// parts yields the parts that a way belongs to, in the order in which they explain
// it: widest first.
func (w Way) parts(yield func(key, string) bool) {
	if w.ToRack != "" && w.ToRack != w.FromRack {
		_ = yield(key{UplinkTo, w.ToRack}, w.To) && yield(key{Rack, w.ToRack}, w.To)
	}
	if w.FromRack != "" && w.ToRack != w.FromRack {
		_ = yield(key{Uplink, w.FromRack}, w.From) && yield(key{Rack, w.FromRack}, w.From)
	}
	if w.FromRack != "" && w.FromRack == w.ToRack {
		yield(key{Rack, w.FromRack}, w.From)
	}
	_ = yield(key{Sender, w.From}, w.To) && yield(key{Receiver, w.To}, w.From) && yield(key{Host, w.From}, w.To) && yield(key{Host, w.To}, w.From)
}

// worst returns the part that explains the most bad ways, among those with more
// than chance allows.
func worst(left []judged) (Fault, bool) {
	suspects := map[key]*suspect{}
	bad := 0
	for _, w := range left {
		if w.bad {
			bad++
		}
		w.parts(func(k key, host string) bool {
			s := suspects[k]
			if s == nil {
				s = &suspect{hosts: map[string]bool{}}
				suspects[k] = s
			}
			s.of++
			if w.bad {
				s.bad++
				s.hosts[host] = true
			}
			return true
		})
	}
	// Most of the bad ways come from faults; chance is what good parts show.
	often := math.Max(leastOften, float64(bad)/float64(len(left))/2)
	var found []Fault
	for k, s := range suspects {
		if s.of < leastWays || len(s.hosts) < leastHosts || float64(s.bad) < badShare*float64(s.of) {
			continue
		}
		if chance(s.bad, s.of, often)*float64(len(suspects)) < byChance {
			found = append(found, Fault{Part: k.part, Name: k.name, Bad: s.bad, Of: s.of})
		}
	}
	if len(found) == 0 {
		return Fault{}, false
	}
	return slices.MaxFunc(found, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Bad, b.Bad), cmp.Compare(b.Of, a.Of), cmp.Compare(b.Part, a.Part), cmp.Compare(b.Name, a.Name))
	}), true
}

// shareOf returns the median rate of a part's bad ways as a share of the usual
// rate.
func shareOf(left []judged, f Fault, u usual) float64 {
	var rates []float64
	for _, w := range left {
		if w.bad && f.Has(w.Way) {
			rates = append(rates, w.Rate)
		}
	}
	return stats.Median(rates) / u.rate
}

// chance returns how likely k or more of n events are, each with probability p.
func chance(k, n int, p float64) float64 {
	sum := 0.
	for i := k; i <= n; i++ {
		choose, _ := math.Lgamma(float64(n + 1))
		a, _ := math.Lgamma(float64(i + 1))
		b, _ := math.Lgamma(float64(n - i + 1))
		sum += math.Exp(choose - a - b + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}

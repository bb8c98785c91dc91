package hypotheses

import (
	"slices"

	"assay"
)

// Suspect is a host, or the path between two, of which something stands out, with all
// that is known of it and of those it is compared with.
type Suspect struct {
	Host, Peer string   // Peer is the other end of a path
	Networks   []string // on which it stands out
	Seen       map[Load]Sight
	Others     []string               // hosts that it is compared with
	Facts      map[string]assay.Facts // by host
	Counted    map[string]Counted     // by host
	Labels     map[string]map[string]string
	Rules      map[string][]string // hosts on whose figures a rule of the audit has a finding
	Unchecked  map[string][]string // hosts for which it lacked a fact
	Interfaces map[string]string   // that carried the traffic of each host on the first of Networks
	Strays     []Stray             // paths from or to it that went another way than asked
	Rate       float64             // B/s, the throughput on its slowest network
	Spread     float64             // the widest standard deviation of its slow storage figures, as a share; 0 unknown
	Figure     float64             // a second, of its slowest storage figure; 0 unknown
	FigureText string
	Silent     bool              // large packets vanish without a word on its paths
	Twins      []string          // hosts that have an address of it as well
	Tested     map[string]Tested // by the case that was measured to decide
}

// Tested is what a measurement that was made to decide shows.
type Tested struct {
	Own, Theirs []float64 // of the suspect, and of others for comparison
	Many        float64   // operations a second of the suspect where it is given all it can do
	Synced      float64   // synchronous ones
	At          string    // the rate of a load that has one
}

// Sight is what the figures of one load show.
type Sight struct {
	Odd   bool // it stands out as worse; else it is like the others'
	Ratio float64
}

// Stray is a path that did not go the way that was asked for, "storage" or "straight
// over storage", but "over management" or "through host4".
type Stray struct{ From, To, Network, Asked, Took string }

// Counted is what the kernel of a host counted during its trials: medians over the
// repeats. Negative is unknown.
type Counted struct {
	Steal       float64 // share of the CPU time
	Throttled   float64 // share of the periods of a CPU quota that were used up
	Throttles   float64 // thermal events in a repeat
	Clock       float64 // Hz under full load
	Swapped     float64 // B in a repeat
	NICErrors   float64 // in a repeat, the worst
	NICDrops    float64
	LinksLost   map[string]float64 // times that an interface's link went down from the first repeat to the last, by interface
	Sent        map[string]float64 // B/s that an interface sent for nobody's test
	DriveHeat   float64            // °C, the hottest
	MediaErrors float64            // of all drives, ever
	Foreign     float64            // B/s that the measured drives moved for nobody's test
	Got         float64            // share of one CPU that a test of one thread got
	Idle        float64            // share of the CPU time that nobody used meanwhile
	Work        float64            // events a second of the CPU time that it got
	Process     string             // the busiest that is not a tool's, where it takes much
	Share       float64            // of one CPU that it took
	ClockError  float64            // of the speed of its clock, with its sign; 0 where it may be right
	ClockTold   bool               // it was seen how fast its clock runs
}

// NothingCounted is where no counter was read.
func NothingCounted() Counted {
	return Counted{Steal: -1, Throttled: -1, Throttles: -1, Clock: -1, Swapped: -1, NICErrors: -1, NICDrops: -1, DriveHeat: -1, MediaErrors: -1, Foreign: -1, Got: -1, Idle: -1, Work: -1}
}

func (s *Suspect) own() assay.Facts { return s.Facts[s.Host] }

// nic is the interface that carried a host's traffic, where it is known.
func (s *Suspect) nic(host string) (assay.NICFacts, bool) {
	i := slices.IndexFunc(s.Facts[host].NICs, func(n assay.NICFacts) bool { return n.Name == s.Interfaces[host] })
	if i < 0 {
		return assay.NICFacts{}, false
	}
	return s.Facts[host].NICs[i], true
}

// fastest is the speed of the interface that carried a host's traffic; where that is
// not known, as with a bridge, of its fastest.
func (s *Suspect) fastest(host string) float64 {
	if n, known := s.nic(host); known && n.Speed > 0 {
		return n.Speed
	}
	speed := 0.
	for _, n := range s.Facts[host].NICs {
		if !n.Virtual && n.State != "down" {
			speed = max(speed, n.Speed)
		}
	}
	return speed
}

// odd reports whether any of the loads stands out.
func (s *Suspect) odd(loads ...Load) bool {
	return slices.ContainsFunc(loads, func(l Load) bool { return s.Seen[l].Odd })
}

// Remedy is what mends the fault that a fact of the host shows, whatever the figures; ""
// where none does.
func (s *Suspect) Remedy(fact string) string {
	for _, h := range All {
		if h.Of != OfHost {
			continue
		}
		for _, c := range h.Clues {
			if a := c.Ask(s); c.Test == "" && a.Is == Yes && a.Own == fact {
				return h.Remedy
			}
		}
	}
	return ""
}

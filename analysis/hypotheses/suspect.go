package hypotheses

import (
	"slices"

	"assay"
)

// Suspect is a host, or the path between two, that stands out, with everything known
// about it and about those it is compared with.
type Suspect struct {
	Host, Peer string   // Peer is the other end of a path
	Networks   []string // on which it stands out
	Seen       map[Load]Sight
	Others     []string               // hosts that it is compared with
	Facts      map[string]assay.Facts // by host
	Counted    map[string]Counted     // by host
	Labels     map[string]map[string]string
	Rules      map[string][]string // hosts with findings on their figures, by audit rule
	Unchecked  map[string][]string // hosts for which a rule lacked a fact
	Interfaces map[string]string   // carrying each host's traffic on the first of Networks
	Strays     []Stray             // paths from or to it that took another route
	Rate       float64             // B/s, the throughput on its slowest network
	Spread     float64             // widest standard deviation of its slow storage figures, as a share; 0 unknown
	Figure     float64             // its slowest storage figure, per second; 0 unknown
	FigureText string
	Silent     bool              // its paths silently drop large packets
	Twins      []string          // hosts that share an address with it
	Tested     map[string]Tested // by deciding case
}

// Tested is the result of a deciding measurement.
type Tested struct {
	Own, Theirs []float64 // of the suspect, and of others for comparison
	Many        float64   // operations per second of the suspect at full load
	Synced      float64   // synchronous ones
	At          string    // the rate of a load that has one
}

// Sight is what the figures of one load show.
type Sight struct {
	Odd   bool // stands out as worse; otherwise like the others'
	Ratio float64
}

// Stray is a path that took another route than requested: not "storage" or "straight
// over storage", but "over management" or "through host4".
type Stray struct{ From, To, Network, Asked, Took string }

// Counted is what a host's kernel counted during its trials, as medians over the
// repeats. Negative means unknown.
type Counted struct {
	Steal       float64 // share of the CPU time
	Throttled   float64 // share of CPU quota periods that were used up
	Throttles   float64 // thermal events per repeat
	Clock       float64 // Hz under full load
	Swapped     float64 // B per repeat
	NICErrors   float64 // per repeat, the worst
	NICDrops    float64
	LinksLost   map[string]float64 // link losses from the first repeat to the last, by interface
	Sent        map[string]float64 // B/s sent outside the tests, by interface
	DriveHeat   float64            // °C, the hottest
	MediaErrors float64            // of all measured drives, lifetime total
	Foreign     float64            // B/s that the measured drives moved outside the tests
	Got         float64            // share of one CPU that a one-thread test got
	Idle        float64            // share of the CPU time that was idle meanwhile
	Work        float64            // events per second of CPU time that it got
	Process     string             // the busiest one besides the tools, if it takes much
	Share       float64            // of one CPU that it took
	ClockError  float64            // relative error of its clock's speed, signed; 0 where it may be right
	ClockTold   bool               // whether the clock's speed was observed
}

// NothingCounted returns a Counted without any counter read.
func NothingCounted() Counted {
	return Counted{Steal: -1, Throttled: -1, Throttles: -1, Clock: -1, Swapped: -1, NICErrors: -1, NICDrops: -1, DriveHeat: -1, MediaErrors: -1, Foreign: -1, Got: -1, Idle: -1, Work: -1, Share: -1}
}

func (s *Suspect) own() assay.Facts { return s.Facts[s.Host] }

// nic returns the interface that carried a host's traffic, if it is known.
func (s *Suspect) nic(host string) (assay.NICFacts, bool) {
	i := slices.IndexFunc(s.Facts[host].NICs, func(n assay.NICFacts) bool { return n.Name == s.Interfaces[host] })
	if i < 0 {
		return assay.NICFacts{}, false
	}
	return s.Facts[host].NICs[i], true
}

// fastest returns the speed of one link of the interface that carried a host's traffic or,
// if that is not known, of the host's fastest interface.
func (s *Suspect) fastest(host string) float64 {
	if n, known := s.nic(host); known && n.Speed > 0 {
		if bond, is := s.bondUnder(host, n); is {
			return bond.Speed
		}
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

// bondUnder returns the bond under a bridge or VLAN: the kernel gives that the speed of all
// links of the bond.
func (s *Suspect) bondUnder(host string, n assay.NICFacts) (bond assay.NICFacts, is bool) {
	if !n.Virtual || n.Driver == assay.Bonding || n.Speed <= 0 {
		return assay.NICFacts{}, false
	}
	for _, bond := range s.Facts[host].NICs {
		if bond.Driver == assay.Bonding && bond.State != "down" && bond.Rate() == n.Speed {
			return bond, true
		}
	}
	return assay.NICFacts{}, false
}

// odd reports whether any of the loads stands out.
func (s *Suspect) odd(loads ...Load) bool {
	return slices.ContainsFunc(loads, func(l Load) bool { return s.Seen[l].Odd })
}

// Remedy returns the fix for the fault that a fact of the host shows, whatever the
// figures; "" if it shows none.
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

package sampledtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"assay/analysis/sampled"
	"assay/plan/sampling"
)

// Cluster describes the cluster that Simulate generates.
type Cluster struct {
	Hosts, PerRack, Faults, Rounds int
}

// Kinds are the kinds of fault that Simulate plants.
var Kinds = []string{"host receives slowly", "host sends slowly", "host loses incoming packets", "cable of a host", "uplink of a rack, one way", "switch of a rack"}

// Planted is one such fault, at a host or rack.
type Planted struct {
	Kind  int
	Name  string
	share float64 // share of the rate that remains
}

// Simulate measures a generated cluster in rounds, and also returns a function that
// measures one more way. Rates of hosts vary by 5 %, readings by 10 % (log-normal);
// one in fifty meets other traffic and drops to 30 to 70 %; retransmits are log-normal
// about 20 with a deviation of 1. Faults leave 15 to 55 % of the rate; loss leaves 85
// % and multiplies retransmits by fifty.
func Simulate(c Cluster, dice *rand.Rand) ([]sampled.Way, []Planted, func(sampling.Pair) sampled.Way) {
	var hosts []sampling.Host
	own := map[string]float64{}
	for i := range c.Hosts {
		h := sampling.Host{Name: fmt.Sprintf("host%d", i)}
		if c.PerRack > 0 {
			h.Rack = fmt.Sprintf("rack%d", i/c.PerRack)
		}
		hosts = append(hosts, h)
		own[h.Name] = math.Exp(.05 * dice.NormFloat64())
	}
	planted := plant(c, hosts, dice)
	racks := map[string]string{}
	for _, h := range hosts {
		racks[h.Name] = h.Rack
	}
	measure := func(p sampling.Pair) sampled.Way {
		w := sampled.Way{From: p.From, To: p.To, FromRack: racks[p.From], ToRack: racks[p.To]}
		w.Rate = 1e9 * math.Min(own[p.From], own[p.To]) * math.Exp(.1*dice.NormFloat64())
		if dice.IntN(50) == 0 {
			w.Rate *= .3 + .4*dice.Float64()
		}
		w.Retransmits = 20 * math.Exp(dice.NormFloat64())
		for _, f := range planted {
			f.spoil(&w)
		}
		return w
	}
	var ways []sampled.Way
	for _, round := range sampling.Rounds(hosts, c.Rounds, dice) {
		for _, p := range round {
			ways = append(ways, measure(p))
		}
	}
	return ways, planted, measure
}

// FollowUp measures the suspects' further ways and adds them.
func FollowUp(ways []sampled.Way, measure func(sampling.Pair) sampled.Way) []sampled.Way {
	for _, s := range sampled.Suspects(ways) {
		for _, p := range s.Ways {
			ways = append(ways, measure(p))
		}
	}
	return ways
}

// plant puts faults of random kinds on hosts and racks that have none.
func plant(c Cluster, hosts []sampling.Host, dice *rand.Rand) []Planted {
	kinds := len(Kinds)
	if c.PerRack == 0 {
		kinds -= 2
	}
	var all []Planted
	for len(all) < c.Faults {
		h := hosts[dice.IntN(len(hosts))]
		f := Planted{Kind: dice.IntN(kinds), Name: h.Name, share: .15 + .4*dice.Float64()}
		if f.ofRack() {
			f.Name = h.Rack
		}
		// Faults that share a way could not be told apart.
		near := func(o Planted) bool {
			return o.Name == h.Name || o.Name == h.Rack || f.ofRack() && racked(hosts, o.Name) == h.Rack
		}
		if !slices.ContainsFunc(all, near) {
			all = append(all, f)
		}
	}
	return all
}

func racked(hosts []sampling.Host, name string) string {
	for _, h := range hosts {
		if h.Name == name {
			return h.Rack
		}
	}
	return ""
}

func (p Planted) ofRack() bool { return p.Kind >= 4 }

// spoil applies the fault to a way.
func (p Planted) spoil(w *sampled.Way) {
	from, to := w.From == p.Name, w.To == p.Name
	switch p.Kind {
	case 0:
		from = false
	case 1:
		to = false
	case 2:
		if to {
			w.Rate *= .85
			w.Retransmits *= 50
		}
		return
	case 4:
		from, to = false, w.ToRack == p.Name && w.FromRack != p.Name
	case 5:
		from, to = w.FromRack == p.Name, w.ToRack == p.Name
	}
	if from || to {
		w.Rate *= p.share
	}
}

// parts are the right parts to blame for each kind.
var parts = [][]sampled.Part{{sampled.Receiver}, {sampled.Sender}, {sampled.Receiver}, {sampled.Host}, {sampled.UplinkTo}, {sampled.Rack}}

// Scores returns which planted faults were found, with the right part, and how many
// healthy hosts or racks were blamed.
func Scores(planted []Planted, found []sampled.Fault) (right []bool, innocent int) {
	for _, p := range planted {
		right = append(right, slices.ContainsFunc(found, func(f sampled.Fault) bool {
			return f.Name == p.Name && slices.Contains(parts[p.Kind], f.Part)
		}))
	}
	for _, f := range found {
		if !slices.ContainsFunc(planted, func(p Planted) bool { return p.Name == f.Name }) {
			innocent++
		}
	}
	return right, innocent
}

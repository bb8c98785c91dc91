package plan

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"assay"
	"assay/plan/sampling"
)

// Limits on the rounds of a link sample: more find nothing new, fewer find too
// little.
const (
	leastRounds = 12
	mostRounds  = 40
	// sampledShare is how much of the budget the rounds of all samples may take.
	sampledShare = .5
)

// sample reduces each network with too many hosts to a sample of its links, with as
// many rounds as the budget allows, and adds a note. It returns the names of the
// sampled networks.
func (p *Plan) sample(inv assay.Inventory, cases []assay.Case) (assay.Inventory, map[string]bool) {
	sampled := map[string]bool{}
	members := map[string][]sampling.Host{}
	for _, n := range inv.Networks {
		if all := linked(inv, n.Name); len(all) > sampling.Most {
			sampled[n.Name], members[n.Name] = true, all
		}
	}
	rounds := roundsIn(p.Budget, cases, len(sampled))
	if len(sampled) == 0 || rounds == 0 {
		return inv, nil
	}
	// #nosec G404 -- a choice to be reproduced, not a secret
	dice := rand.New(rand.NewPCG(uint64(p.Seed), 1))
	chosen := map[[3]string]bool{}
	for _, n := range inv.Networks {
		if !sampled[n.Name] {
			continue
		}
		links := 0
		for _, round := range sampling.Rounds(members[n.Name], rounds, dice) {
			for _, pair := range round {
				if way := [3]string{n.Name, pair.From, pair.To}; !chosen[way] {
					chosen[way] = true
					links++
				}
			}
		}
		hosts := len(members[n.Name])
		p.Notes = append(p.Notes, assay.Note{ID: "sample", Text: fmt.Sprintf(
			"%s: a sample of %d of %d links between %d hosts is measured, in %d rounds: what a host or rack has at fault shows in them; what one pair of hosts has shows only if it is among them",
			n.Name, links, hosts*(hosts-1), hosts, rounds)})
	}
	inv.Subjects = slices.DeleteFunc(slices.Clone(inv.Subjects), func(s assay.Subject) bool {
		return s.Kind == assay.KindLink && sampled[s.Network] && !chosen[[3]string{s.Network, s.Host, s.Peer}]
	})
	return inv, sampled
}

// linked returns the hosts that have a link on a network, with the racks or switches
// that their labels name.
func linked(inv assay.Inventory, network string) []sampling.Host {
	on := map[string]bool{}
	for _, s := range inv.Subjects {
		if s.Kind == assay.KindLink && s.Network == network {
			on[s.Host], on[s.Peer] = true, true
		}
	}
	var all []sampling.Host
	for _, h := range inv.Hosts {
		if on[h.Name] {
			all = append(all, sampling.Host{Name: h.Name, Rack: cmp.Or(h.Labels["rack"], h.Labels["switch"])})
		}
	}
	return all
}

// roundsIn returns for how many rounds of the links of some networks there is time; 0
// if no case is about links.
func roundsIn(budget time.Duration, cases []assay.Case, networks int) int {
	var round time.Duration
	for _, c := range cases {
		if c.On == assay.KindLink {
			round += seconds(c.Seconds) + time.Second + distance // including startup
		}
	}
	if round == 0 || networks == 0 {
		return 0
	}
	fit := sampledShare * float64(budget) / float64(round) / float64(networks)
	return min(max(int(fit), leastRounds), mostRounds)
}

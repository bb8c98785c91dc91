package cluster

import (
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/internal/nearest"
)

// ChooseTiers returns the tiers that words name, in file order, with only the hosts
// and nodes selected; all tiers if there are no words. A word is a tier, TIER@NODE,
// or a host, group or node that measures a tier, which then measures it alone.
func (c Cluster) ChooseTiers(words []string) ([]Tier, error) {
	if len(c.Tiers) == 0 {
		return nil, assay.WithHint("add some under tiers: (see the README)", "%s has no tiers", c.File)
	}
	if len(words) == 0 {
		return c.Tiers, nil
	}
	chosen := make([]clients, len(c.Tiers))
	for _, word := range words {
		found := false
		for i, t := range c.Tiers {
			of := c.clientsOf(t, word)
			chosen[i].add(of)
			found = found || of.any()
		}
		if !found {
			return nil, assay.WithHint(nearest.Hint(word, c.tierWords()), "%s has no tier, or host or node of a tier, named %q", c.File, word)
		}
	}
	var all []Tier
	for i, t := range c.Tiers {
		if chosen[i].any() {
			all = append(all, chosen[i].of(t))
		}
	}
	return all, nil
}

// TiersOf returns a run's tiers as the file defines them now, each with those of its
// hosts and nodes that measured it.
func (c Cluster) TiersOf(run []assay.Tier) ([]Tier, error) {
	var all []Tier
	for _, was := range run {
		t := c.Tier(was.Name)
		if t == nil {
			return nil, assay.WithHint(nearest.Hint(was.Name, c.tierNames()), "%s no longer has tier %q", c.File, was.Name)
		}
		one := clients{whole: len(t.Hosts)+len(t.Nodes) == 0, hosts: was.Hosts}
		for _, node := range was.Nodes {
			one.nodes = append(one.nodes, node)
		}
		now := one.of(*t)
		if len(now.Hosts)+len(now.Nodes) == 0 && !one.whole {
			return nil, fmt.Errorf("%s: tier %s is now measured from other hosts", c.File, t.Name)
		}
		all = append(all, now)
	}
	return all, nil
}

// Sort separates words that name hosts and groups from words that name tiers and
// what measures them; a word may do both. One that does neither is an error.
func (c Cluster) Sort(words []string) (hosts, tiers []string, err error) {
	for _, word := range words {
		_, isHost := c.members(word)
		isTier := slices.ContainsFunc(c.Tiers, func(t Tier) bool { return c.clientsOf(t, word).any() })
		if isHost {
			hosts = append(hosts, word)
		}
		if isTier {
			tiers = append(tiers, word)
		}
		if !isHost && !isTier {
			known := append(c.names(), c.tierWords()...)
			return nil, nil, assay.WithHint(nearest.Hint(word, known), "%s has no host, group or tier %q", c.File, word)
		}
	}
	return hosts, tiers, nil
}

// clients are the selected clients of one tier.
type clients struct {
	whole        bool
	hosts, nodes []string
}

// clientsOf returns the clients of a tier that a word selects.
func (c Cluster) clientsOf(t Tier, word string) clients {
	if word == t.Name {
		return clients{whole: true}
	}
	var of clients
	members, _ := c.members(word)
	for _, host := range t.Hosts {
		if slices.Contains(members, host) {
			of.hosts = append(of.hosts, host)
		}
	}
	name, isPod := strings.CutPrefix(word, t.Name+"@")
	for _, node := range t.Nodes {
		if node == word || isPod && node == name {
			of.nodes = append(of.nodes, node)
		}
	}
	return of
}

func (c *clients) add(more clients) {
	c.whole = c.whole || more.whole
	c.hosts, c.nodes = append(c.hosts, more.hosts...), append(c.nodes, more.nodes...)
}

func (c clients) any() bool { return c.whole || len(c.hosts)+len(c.nodes) > 0 }

// of returns the tier with only these clients.
func (c clients) of(t Tier) Tier {
	if !c.whole {
		t.Hosts = slices.DeleteFunc(slices.Clone(t.Hosts), func(h string) bool { return !slices.Contains(c.hosts, h) })
		t.Nodes = slices.DeleteFunc(slices.Clone(t.Nodes), func(n string) bool { return !slices.Contains(c.nodes, n) })
	}
	return t
}

func (c Cluster) tierNames() []string {
	names := make([]string, len(c.Tiers))
	for i, t := range c.Tiers {
		names[i] = t.Name
	}
	return names
}

// tierWords returns the names of tiers and of what measures them.
func (c Cluster) tierWords() []string {
	words := c.tierNames()
	for _, t := range c.Tiers {
		words = append(words, slices.Concat(t.Hosts, t.Nodes)...)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

package cluster

import (
	"slices"

	"assay"
	"assay/internal/nearest"
)

// Choose returns the hosts that words name, each a host or a group, in file
// order; all hosts if there are no words. An unknown word is an error with the
// nearest name as its hint.
func (c Cluster) Choose(words []string) ([]Host, error) {
	if len(words) == 0 {
		return c.Hosts, nil
	}
	chosen := map[string]bool{}
	for _, word := range words {
		members, ok := c.members(word)
		if !ok {
			return nil, assay.WithHint(nearest.Hint(word, c.names()), "%s has no host or group %q", c.File, word)
		}
		for _, name := range members {
			chosen[name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(c.Hosts), func(h Host) bool { return !chosen[h.Name] }), nil
}

func (c Cluster) members(word string) ([]string, bool) {
	if c.Host(word) != nil {
		return []string{word}, true
	}
	for _, g := range c.Groups {
		if g.Name == word {
			return g.Hosts, true
		}
	}
	return nil, false
}

// names returns the names of all hosts and groups.
func (c Cluster) names() []string {
	names := hostNames(c.Hosts)
	for _, g := range c.Groups {
		names = append(names, g.Name)
	}
	return names
}

func hostNames(hosts []Host) []string {
	names := make([]string, len(hosts))
	for i, h := range hosts {
		names[i] = h.Name
	}
	return names
}

package report

import (
	"slices"
	"strings"

	"assay"
	"assay/internal/prose"
)

// ofHost puts the host before the headings of its facts.
func ofHost(host string, groups []FactGroup) []FactGroup {
	for i := range groups {
		if groups[i].Title != host {
			groups[i].Title = host + ": " + groups[i].Title
		}
	}
	return groups
}

// joined merges hosts with equal facts: "all hosts: CPU", "pve1 and pve2:
// Storage". The headings begin with the host, or are the host alone.
func joined(groups []FactGroup, hosts []string) []FactGroup {
	var out []FactGroup
	var on [][]string
	for _, g := range groups {
		host, what, _ := strings.Cut(g.Title, ": ")
		i := slices.IndexFunc(out, func(o FactGroup) bool { return o.Title == what && slices.Equal(o.Rows, g.Rows) })
		if i < 0 {
			out, on = append(out, FactGroup{what, g.Rows}), append(on, nil)
			i = len(out) - 1
		}
		on[i] = append(on[i], host)
	}
	for i := range out {
		who := prose.And(on[i])
		if len(hosts) > 2 && len(on[i]) == len(hosts) {
			who = "all hosts"
		}
		out[i].Title = strings.TrimSuffix(who+": "+out[i].Title, ": ")
	}
	return out
}

// missingOn lists each fact that hosts lack once, with the hosts unless it is
// all of them.
func missingOn(inv assay.Inventory) []assay.MissingFact {
	var order []assay.MissingFact
	asked := 0
	hosts := map[assay.MissingFact][]string{}
	for _, h := range inv.Hosts {
		if h.Absent == nil {
			asked++
		}
		for _, m := range inv.Facts[h.Name].Missing {
			if len(hosts[m]) == 0 {
				order = append(order, m)
			}
			if !slices.Contains(hosts[m], h.Name) {
				hosts[m] = append(hosts[m], h.Name)
			}
		}
	}
	for i, m := range order {
		if on := hosts[m]; len(on) < asked {
			order[i].Fact = strings.Join(on, ", ") + ": " + m.Fact
		}
	}
	return order
}

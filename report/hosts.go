package report

import (
	"slices"
	"strings"

	"assay"
)

// hostsFirst gives the run with titles that say the host first, where it has
// several hosts: a row must not have to be told apart by its small print.
func hostsFirst(run assay.Run) assay.Run {
	if len(run.Inventory.Hosts) < 2 {
		return run
	}
	run.Results = slices.Clone(run.Results)
	for i := range run.Results {
		t := &run.Results[i].Trial
		switch s := t.Subject; {
		case len(t.Others) > 0:
			t.Title = s.Tier + ": " + t.Title
		case s.Kind == assay.KindLink:
			title, where := linkTitle(*t)
			t.Title = where + ": " + title
		case s.Host != "":
			t.Title = s.Host + ": " + t.Title
		}
	}
	return run
}

// linkTitle parts the title of a trial on a link into what is measured and
// where: "TCP, one flow" and "pve1 → pve2 on storage".
func linkTitle(t assay.Trial) (title, where string) {
	s := t.Subject
	for _, arrow := range []string{" → ", " ↔ "} {
		where = s.Host + arrow + s.Peer + " on " + s.Network
		if title, found := strings.CutSuffix(t.Title, ", "+where); found {
			return title, where
		}
		if title, found := strings.CutPrefix(t.Title, where+": "); found {
			return title, where
		}
	}
	return t.Title, s.Host + " → " + s.Peer + " on " + s.Network
}

// ofHost puts the host before the headings of its facts.
func ofHost(host string, groups []FactGroup) []FactGroup {
	for i := range groups {
		if groups[i].Title != host {
			groups[i].Title = host + ": " + groups[i].Title
		}
	}
	return groups
}

// joined puts the hosts together of which the same is to be said: "all hosts:
// CPU", "pve1 and pve2: Storage". Headings say the host first, or alone.
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
		who := andList(on[i])
		if len(hosts) > 2 && len(on[i]) == len(hosts) {
			who = "all hosts"
		}
		out[i].Title = strings.TrimSuffix(who+": "+out[i].Title, ": ")
	}
	return out
}

// missingOn says once what several hosts lack, and on which of them where it
// is not all.
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

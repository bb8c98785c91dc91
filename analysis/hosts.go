package analysis

import (
	"slices"
	"strings"

	"assay"
)

// hostsFirst returns the run with titles that start with the host, if it has
// several hosts: rows must not differ only in the small print.
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

// linkTitle splits the title of a link trial into what is measured and where:
// "TCP, one flow" and "pve1 → pve2 on storage".
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

package run

import (
	"slices"

	"assay"
)

// across is a kind that lends no space and has parts on several hosts.
type across interface {
	// Across returns the kind with access to all hosts, by name.
	Across(hosts map[string]assay.Place) assay.Journalled
}

// among gives the kinds that have parts on several hosts access to all hosts.
func among[T assay.Journalled](kinds []T, places map[string]assay.Place) []T {
	all := slices.Clone(kinds)
	for i, k := range all {
		if s, is := any(k).(across); is {
			all[i] = s.Across(places).(T)
		}
		if s, is := any(k).(assay.Spread); is {
			all[i] = any(s.Among(places)).(T)
		}
	}
	return all
}

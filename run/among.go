package run

import (
	"slices"

	"assay"
)

// among gives the kinds that have parts on several hosts the ways to all of these.
func among[T assay.Journalled](kinds []T, places map[string]assay.Place) []T {
	all := slices.Clone(kinds)
	for i, k := range all {
		if s, is := any(k).(assay.Spread); is {
			all[i] = any(s.Among(places)).(T)
		}
	}
	return all
}

package analysis

import (
	"fmt"

	"assay/stats"
)

// unlike returns the facts in which a drive differs from others of its model, in a way that
// may slow it.
func (d Drive) unlike(twins []Drive) (all []Unlikeness) {
	words := func(what string, of func(Drive) string) {
		count, most := map[string]int{}, ""
		for _, t := range twins {
			if v := of(t); v != "" {
				if count[v]++; count[v] > count[most] || most == "" {
					most = v
				}
			}
		}
		if own := of(d); own != "" && most != "" && own != most && count[own] == 0 {
			all = append(all, Unlikeness{what, own, most})
		}
	}
	words("firmware", func(d Drive) string { return d.Firmware })
	words("link", func(d Drive) string { return d.Link })
	number := func(what string, of func(Drive) *float64, worse func(own, theirs float64) bool, text func(float64) string) {
		var theirs []float64
		for _, t := range twins {
			if v := of(t); v != nil {
				theirs = append(theirs, *v)
			}
		}
		if own := of(d); own != nil && len(theirs) > 0 && worse(*own, stats.Median(theirs)) {
			all = append(all, Unlikeness{what, text(*own), text(stats.Median(theirs))})
		}
	}
	share := func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }
	number("spare", func(d Drive) *float64 { return d.Spare }, func(own, theirs float64) bool { return own < theirs-spareGap }, share)
	number("endurance used", func(d Drive) *float64 { return d.Used }, func(own, theirs float64) bool { return own > theirs+usedGap }, share)
	number("temperature", func(d Drive) *float64 { return d.Heat }, func(own, theirs float64) bool { return own > theirs+heatGap }, func(v float64) string { return fmt.Sprintf("%.0f °C", v) })
	return all
}

package audit

import (
	"fmt"

	"assay"
	"assay/stats"
)

var autocorr = Rule{
	ID: "autocorr", Number: 35, Applies: "all", Severities: "I",
	Title:   "Successive samples are correlated",
	Formula: "n_eff = n (1 - rho) / (1 + rho) < n / 2, with rho the corrected lag-1 autocorrelation of the samples inside the repeats",
	Source:  "the variance of the mean of a first-order autoregressive series; corrected for short series after Marriott and Pope 1954",
	Example: "275 samples with rho .577 are worth 73.7",
	Check: func(e Evidence) []assay.Finding {
		const id = "autocorr"
		var found []assay.Finding
		for _, l := range e.looks() {
			for _, metric := range l.headlines() {
				samples := l.samples(metric)
				if len(samples) == 0 {
					continue // one value per repeat: repeats are no time series
				}
				if len(samples) < steadySamples && l.foreign() {
					continue // nobody derives an error from so few
				}
				if len(samples) < steadySamples {
					found = append(found, l.unchecked(id, []string{metric}, "autocorrelation of the samples",
						fmt.Sprintf("this needs %d samples, and there are %d: measure longer", steadySamples, len(samples))))
					continue
				}
				a, ok := stats.Autocorrelation(samples)
				if !ok || a.Effective >= worthHalf*float64(a.N) {
					continue // ok is false if the samples do not vary
				}
				found = append(found, l.finding(id, assay.Informs, []string{metric},
					fmt.Sprintf("%d samples with rho %.3f are worth %s", a.N, a.Rho, figure(a.Effective)),
					"the samples within a repeat are not independent; the interval shown is computed from whole repeats and needs no widening",
					"never derive an error bar from the samples of a single run"))
			}
		}
		return found
	},
}

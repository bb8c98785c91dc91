package multiclient

import "assay"

// Shares returns each host's value of a metric in a repeat, by host; none if one
// host measured alone.
func Shares(r assay.Repeat, metric string) map[string]float64 {
	shares := map[string]float64{}
	for _, m := range r.Measurements {
		if host := m.Labels[labelHost]; m.Metric == metric && host != "" {
			shares[host] = m.Value
		}
	}
	return shares
}

package analysis

import (
	"strings"
)

// Layer names the part of a machine that a metric is about, as the sections of a
// report are named: "Storage", "Network"; "Other" where none is.
func Layer(metric string) string {
	for _, k := range sectionKinds {
		if strings.HasPrefix(metric, k.probesMetric) {
			return k.title
		}
	}
	return "Other"
}

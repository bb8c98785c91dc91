package analysis

import (
	"strings"
)

// Layer returns the part of a machine that a metric is about, named like the
// sections of a report: "Storage", "Network"; "Other" if there is none.
func Layer(metric string) string {
	for _, k := range sectionKinds {
		if strings.HasPrefix(metric, k.probesMetric) {
			return k.title
		}
	}
	return "Other"
}

package main

import (
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/report"
	"assay/run/session"
)

// inBytes are the settings that are sizes in bytes, over all probes; other numbers
// are counts.
var inBytes = []string{"size", "bs", "block", "part", "space", "store_memory"}

// settingsLine prints a trial's requested settings, sorted.
func settingsLine(t assay.Trial) string {
	var words []string
	for k, v := range t.Settings {
		// Raw byte counts are for machines; sensors and addresses are lists for the
		// probe.
		if n, err := strconv.ParseInt(v, 10, 64); err == nil && n >= 1024 && slices.Contains(inBytes, k) {
			v = report.Bytes(n)
		}
		if k == "job" { // the job's lines have the rest
			return strings.ReplaceAll(v, "\n", " ")
		}
		if k != "sensors" && k != "addresses" && v != session.NoAddress {
			words = append(words, k+"="+v)
		}
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

func list(names []string) string { return strings.Join(names, ", ") }

package hypotheses

import (
	"maps"
	"slices"
	"strings"

	"assay"
)

// cpuMitigations are different mitigations: what enters the kernel often is slower, a
// user-space loop is not.
var cpuMitigations = Hypothesis{
	ID: "cpu-mitigations", Layer: "cpu", Name: "different mitigations of CPU vulnerabilities", Usual: 3, Slower: true,
	Slows:   slows(.4, RandomReads, RandomWrites, DeviceReads).and(.25, rates...).and(.25, SyncWrites, RoundTrips, OnEveryNetwork),
	Clues:   []Clue{{Ask: alone(mitigations, func(string) bool { return true }), If: .97, Else: .03, Says: "its mitigations differ"}},
	Decides: "boot it with the others' kernel command line and measure again",
	Remedy:  "Boot {host} with the others' kernel and command line: grep . /sys/devices/system/cpu/vulnerabilities/*",
}

func mitigations(f assay.Facts) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(f.CPU.Mitigations)) {
		words = append(words, name+": "+f.CPU.Mitigations[name])
	}
	return strings.Join(words, "; ")
}

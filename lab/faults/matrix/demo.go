package matrix

import (
	"fmt"
	"strings"

	"assay/internal/prose"
)

// DemoFaults is the number of faults in the lab of make demo; hosts.Standard defines
// them.
const DemoFaults = 3

// Demo returns run n of that lab.
func Demo(n int) Case {
	return Case{fmt.Sprintf("demo-%d", n), []Placed{
		{Kind: "heat", Host: "host1"}, {Kind: "disk-slow", Host: "host3"}, {Kind: "link-gigabit", Host: "host4", Way: Both},
	}}
}

// apart separates runs of the demo's lab from the others.
func apart(all []Outcome) (demos, others []Outcome) {
	for _, o := range all {
		if len(o.Faults) == DemoFaults {
			demos = append(demos, o)
		} else {
			others = append(others, o)
		}
	}
	return demos, others
}

// ofDemos reports how often the demo's faults were named, all of them and no other
// host.
func ofDemos(demos []Outcome) string {
	if len(demos) == 0 {
		return ""
	}
	exact, accused := 0, 0
	named, explained := map[string]int{}, map[string]int{}
	for _, o := range demos {
		all := 0
		for _, f := range o.Found {
			if f.Culprit == Right {
				all++
				named[f.Kind]++
			}
			if f.Cause == Right {
				explained[f.Kind]++
			}
		}
		if len(o.Innocent) > 0 {
			accused++
		}
		if all == DemoFaults && len(o.Innocent) == 0 {
			exact++
		}
	}
	var each []string
	for _, f := range demos[0].Found {
		each = append(each, fmt.Sprintf("%s of %s named %d times, cause right %d", f.Kind, f.Host, named[f.Kind], explained[f.Kind]))
	}
	return fmt.Sprintf("\nThe lab of `make demo`, %s: exactly its three faulty hosts named in %d; an innocent host accused in %d (%s).\n",
		prose.Plural(len(demos), "run"), exact, accused, strings.Join(each, "; "))
}

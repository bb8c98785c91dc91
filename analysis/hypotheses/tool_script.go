package hypotheses

import (
	"slices"
	"strings"

	"assay"
)

// toolScript is a wrapper around one of the other tools.
var toolScript = Hypothesis{
	ID: "tool-script", Layer: "system", Name: "a wrapper around a tool", Usual: 2, Standing: true, Slower: true,
	Slows:   slows(.4, rates...).and(.4, cpu...).and(.4, memory...).and(.2, RoundTrips),
	Clues:   []Clue{{Ask: alone(tools, func(t string) bool { return strings.Contains(t, "(a script)") }), If: .97, Else: .0005, Proves: true, Says: "its tools are {own}, theirs {theirs}"}},
	Decides: "type -a iperf3 sysbench on it",
	Remedy:  "Remove the script that shadows the tool on {host}: type -a iperf3 sysbench",
}

// toolVersion is another version of one of them.
var toolVersion = Hypothesis{
	ID: "tool-version", Layer: "system", Name: "another version of a tool", Usual: 3, Standing: true, Slower: true,
	Slows:   slows(.2, rates...).and(.2, cpu...).and(.2, memory...),
	Clues:   []Clue{{Ask: alone(tools, func(t string) bool { return !strings.Contains(t, "(a script)") }), If: .97, Else: .003, Proves: true, Says: "its tools are {own}, theirs {theirs}"}},
	Decides: "run the others' version on it",
	Remedy:  "Install the others' versions on {host}",
}

// tools are the tools that measure the network, CPU and memory, with their versions; ""
// where one is not known.
func tools(f assay.Facts) string {
	var words []string
	for _, name := range []string{"iperf3", "sysbench"} {
		t := f.Tool(name)
		if t.Path == "" || t.Version == "" {
			continue
		}
		text := name + " " + t.Version
		if t.Script {
			text += " (a script)"
		}
		words = append(words, text)
	}
	slices.Sort(words)
	return strings.Join(words, " and ")
}

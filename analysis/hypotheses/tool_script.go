package hypotheses

import "assay"

// toolScript is a wrapper around one of the other tools.
var toolScript = Hypothesis{
	ID: "tool-script", Layer: "system", Name: "a wrapper around a tool", Usual: 2, Standing: true, Slower: true,
	Slows:   slows(.4, rates...).and(.4, cpu...).and(.4, memory...).and(.2, RoundTrips),
	Clues:   []Clue{{Ask: anyTool(isScript), If: .97, Else: .0005, Proves: true, Says: "its tools are {own}, theirs {theirs}"}},
	Decides: "type -a iperf3 sysbench on that host",
	Remedy:  "Remove the script that shadows the tool on {host}: type -a iperf3 sysbench",
}

// toolVersion is another version of one of the other tools.
var toolVersion = Hypothesis{
	ID: "tool-version", Layer: "system", Name: "another version of a tool", Usual: 3, Standing: true, Slower: true,
	Slows:   slows(.2, rates...).and(.2, cpu...).and(.2, memory...),
	Clues:   []Clue{{Ask: anyTool(func(t string) bool { return !isScript(t) }), If: .97, Else: .003, Proves: true, Says: "its tools are {own}, theirs {theirs}"}},
	Decides: "run the others' version on that host",
	Remedy:  "Install the others' versions on {host}",
}

// anyTool asks about each of the tools that measure the network, CPU and memory: a busy
// host may not have reported a tool's version in time.
func anyTool(slow func(text string) bool) func(*Suspect) Answer {
	return func(s *Suspect) (a Answer) {
		for _, name := range []string{"iperf3", "sysbench"} {
			of := alone(func(f assay.Facts) string { return toolOf(f, name) }, slow)(s)
			if a.Is != Yes && of.Is != Unknown {
				a = of
			}
		}
		return a
	}
}

// toolOf returns a tool with its version, or "" if that is not known.
func toolOf(f assay.Facts, name string) string {
	t := f.Tool(name)
	if t.Path == "" || t.Version == "" {
		return ""
	}
	text := name + " " + t.Version
	if t.Script {
		text += " (a script)"
	}
	return text
}

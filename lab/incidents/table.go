package incidents

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Table formats the scores of rounds as Markdown, with the verdicts that were not
// right.
func Table(rounds []Round) string {
	var b strings.Builder
	b.WriteString("| what was planted | layer | rounds | right | undecided | wrong | nothing said | longest diagnosis |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, k := range Kinds() {
		of := slices.DeleteFunc(slices.Clone(rounds), func(r Round) bool { return r.Kind.Name != k.Name })
		if len(of) == 0 {
			continue
		}
		var layers []string
		for _, l := range k.Layers {
			layers = append(layers, string(l))
		}
		layer := strings.Join(layers, " or ")
		if layer == "" {
			layer = "none"
		}
		b.WriteString(row(k.Does, layer, of))
	}
	b.WriteString(row("all", "", rounds))
	first := true
	for _, r := range rounds {
		if r.Outcome == Right {
			continue
		}
		if first {
			b.WriteString("\nNot right:\n\n")
			first = false
		}
		fmt.Fprintf(&b, "- %s: %s: %s\n", r.Kind.Name, r.Outcome, r.Said)
	}
	return b.String()
}

func row(what, layer string, of []Round) string {
	n := map[Outcome]int{}
	longest := time.Duration(0)
	for _, r := range of {
		n[r.Outcome]++
		longest = max(longest, r.Took)
	}
	return fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d | %.0f s |\n", what, layer, len(of), n[Right], n[Undecided], n[Wrong], n[Silent], longest.Seconds())
}

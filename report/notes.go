package report

import (
	"slices"
)

// AmongNote says what a section of these lines is about.
const AmongNote = "What others published of the same load; where their settings differ too much, nothing is said."

// AmongSources are the titles of all that the lines rest on.
func AmongSources(lines []Among) []string {
	var all []string
	for _, a := range lines {
		for _, p := range a.Nearest {
			for _, title := range p.Sources {
				if !slices.Contains(all, title) {
					all = append(all, title)
				}
			}
		}
	}
	return all
}

// ScalingNote says what the section shows.
const ScalingNote = "The total of all hosts, each measuring at the same moment, and what share that is of what the same hosts have one at a time."

package report

import (
	"slices"
)

// AmongNote says what a section of these lines is about.
const AmongNote = "Published figures for the same load; those with too different settings are left out."

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
const ScalingNote = "The total of all hosts measuring at the same time, and its share of what the same hosts reach one at a time."

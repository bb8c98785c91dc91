package term

import (
	"fmt"
	"slices"
	"strings"

	"assay/report"
)

// unchecked says in a few lines which checks were skipped, and how to enable
// them; the other voices have the whole list.
func (p *page) unchecked(d report.Document) {
	if len(d.Open) == 0 && len(d.Missing) == 0 {
		return
	}
	p.put()
	var wanted, rules []string
	for _, f := range d.Open {
		rules = addNew(rules, clean(f.Rule))
		wanted = addNew(wanted, clean(f.Missing))
	}
	const most = 6
	if len(d.Open) > 0 {
		text := plural(len(rules), "rule")
		if more := len(d.Open); more > len(rules) {
			text += fmt.Sprintf(" (%d times)", more)
		}
		text += ": " + few(rules, most)
		if len(wanted) > 0 {
			text += "; unknown: " + few(wanted, most)
		}
		p.hang(line{"not checked: ", yellow}, text, plain)
	}
	var hints, unhinted []string
	for _, m := range d.Missing {
		if m.Hint != "" {
			hints = append(hints, fmt.Sprintf("%s (%s)", clean(m.Fact), clean(m.Hint)))
		} else {
			unhinted = append(unhinted, fmt.Sprintf("%s (%s)", clean(m.Fact), clean(m.Why)))
		}
	}
	if len(hints) > 0 {
		p.hang(line{"to know:     ", dim}, few(hints, 4), plain)
	}
	if len(unhinted) > 0 {
		p.hang(line{"unknown:     ", dim}, few(unhinted, 4), plain)
	}
}

// addNew adds a word that is not there yet.
func addNew(words []string, w string) []string {
	if w == "" || slices.Contains(words, w) {
		return words
	}
	return append(words, w)
}

// few names the first n and counts the others.
func few(words []string, n int) string {
	if len(words) <= n {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:n], ", "), len(words)-n)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

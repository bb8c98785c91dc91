package report

import (
	"slices"

	"assay/internal/prose"
	"assay/report/block"
)

// findingBlocks returns the findings, each under the number that cites it.
func findingBlocks(d Document) block.Blocks {
	if len(d.Findings) == 0 {
		return nil
	}
	return block.Blocks{block.Heading{Level: 1, Text: "Footnotes"}, block.Footnotes{Notes: findingNotes(d)}}
}

func findingNotes(d Document) (notes []block.Footnote) {
	titles := titlesOf(d)
	for _, g := range groupsOf(d.Findings) {
		same := g.same()
		says := severities[same.Severity]
		alike := g.alike()
		for i, of := range alike {
			f := of[0]
			n := block.Footnote{Number: f.Number, Is: says.kind, Word: says.word, Name: f.Rule, About: of.about(titles), Sum: of.sum()}
			if i == 0 {
				n.Text = f.Message
			}
			switch {
			case i+1 < len(alike) && alike[i+1][0].Advice == f.Advice && same.Advice == "":
				// The next finding's advice covers this one too.
			case len(alike) == 1 || same.Advice == "":
				n.Advice = f.Advice
			case i == 0:
				n.Shared = same.Advice
			}
			notes = append(notes, n)
		}
	}
	return notes
}

// titlesOf maps each trial to the title of its first row, with its subject if
// several trials share the title.
func titlesOf(d Document) map[string]string {
	titles, subjects, owner, shared := map[string]string{}, map[string]string{}, map[string]string{}, map[string]bool{}
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			if _, known := titles[r.Trial]; known {
				continue
			}
			titles[r.Trial], subjects[r.Trial] = r.Title, r.Subject
			if first, taken := owner[r.Title]; taken && first != r.Trial {
				shared[r.Title] = true
			}
			owner[r.Title] = r.Trial
		}
	}
	for trial, title := range titles {
		if shared[title] {
			titles[trial] = joinWords(" on ", title, subjects[trial])
		}
	}
	return titles
}

func machineBlocks(groups []FactGroup) block.Blocks {
	if len(groups) == 0 {
		return nil
	}
	return block.Blocks{block.Heading{Level: 1, Text: "Machine"}, FactValues(groups)}
}

// uncheckedBlocks lists the skipped checks and how to enable them: in a few
// lines, then one by one.
func uncheckedBlocks(d Document) block.Blocks {
	if len(d.Open) == 0 && len(d.Missing) == 0 {
		return nil
	}
	var rules, wanted, each, hinted, unhinted []string
	for _, f := range d.Open {
		rules, wanted = addNew(rules, f.Rule), addNew(wanted, f.Missing)
		text := f.Rule + ": " + f.Subject
		if f.Missing != "" {
			text += ", unknown: " + f.Missing
		}
		each = append(each, text)
	}
	for _, m := range d.Missing {
		if m.Hint != "" {
			hinted = append(hinted, m.Fact+" ("+m.Hint+")")
		} else {
			unhinted = append(unhinted, m.Fact+" ("+m.Why+")")
		}
		text := "unknown: " + m.Fact + ", " + m.Why
		if m.Hint != "" {
			text += "; to know it: " + m.Hint
		}
		each = append(each, text)
	}
	all := block.Blocks{block.Heading{Level: 1, Text: "Skipped checks (missing facts)"}}
	if len(rules) > 0 {
		text := prose.Plural(len(rules), "rule")
		if n := len(d.Open); n > len(rules) {
			text += " (" + prose.Plural(n, "time") + ")"
		}
		text += ": " + prose.Few(rules)
		if len(wanted) > 0 {
			text += "; unknown: " + prose.Few(wanted)
		}
		all = append(all, block.Sentence{Is: block.Doubt, Word: "not checked", Text: text})
	}
	if len(hinted) > 0 {
		all = append(all, block.Sentence{Is: block.Next, Word: "to know", Text: prose.Enumerate(hinted, 4)})
	}
	if len(unhinted) > 0 {
		all = append(all, block.Sentence{Is: block.Next, Word: "unknown", Text: prose.Enumerate(unhinted, 4)})
	}
	return append(all, block.Details{Summary: "Each of them", Brief: "One by one: --format markdown.", Blocks: block.Blocks{block.List{Items: each}}})
}

// addNew appends a word that is not there yet.
func addNew(words []string, w string) []string {
	for _, known := range words {
		if known == w {
			return words
		}
	}
	if w == "" {
		return words
	}
	return append(words, w)
}

// amongNote explains a section of published figures.
const amongNote = "Published figures for the same load; those with too different settings are left out."

// amongBlocks shows where figures lie among published ones.
func amongBlocks(lines []Among) block.Blocks {
	if len(lines) == 0 {
		return nil
	}
	var items []string
	for _, a := range lines {
		item := joinWords(": ", a.Title, a.Text)
		if a.Apart != "" {
			item += ". Published: " + a.Apart
		}
		items = append(items, item)
	}
	all := block.Blocks{block.Heading{Level: 1, Text: "Compared with published results"}, block.Sentence{Text: amongNote, Quiet: true}, block.List{Items: items}}
	if sources := amongSources(lines); len(sources) > 0 {
		all = append(all, block.Details{Summary: "Sources", Brief: prose.Plural(len(sources), "source") + ": --format markdown lists them.", Blocks: block.Blocks{block.List{Items: sources}}})
	}
	return all
}

// amongSources returns the titles of all sources behind the lines.
func amongSources(lines []Among) []string {
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

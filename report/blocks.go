package report

import (
	"strconv"
	"strings"

	"assay"
	"assay/internal/quantity"
	"assay/report/block"
)

// Blocks is the document of a run in blocks, the most important first.
func Blocks(d Document) block.Document {
	out := block.Document{Name: d.Run.ID, Title: d.Run.title(), About: d.Run.about()}
	out.Add(noteBlocks(d.Run.Notes)...)
	out.Add(verdictBlocks(d.Verdict)...)
	out.Add(awayBlocks(d.Away)...)
	out.Add(tierBlocks(d.Tiers)...)
	out.Add(scalingBlocks(d.Scaling)...)
	out.Add(sideBlocks(d)...)
	out.Add(sectionBlocks(d)...)
	out.Add(amongBlocks(d.Among)...)
	out.Add(heatBlocks(d.Plots.Heat)...)
	out.Add(findingBlocks(d)...)
	out.Add(machineBlocks(d.Facts)...)
	out.Add(uncheckedBlocks(d)...)
	return out
}

// Findings is only what the audit said of a run.
func Findings(d Document) block.Document {
	out := block.Document{Name: d.Run.ID, Title: d.Run.title(), About: d.Run.about()}
	out.Add(noteBlocks(d.Run.Notes)...)
	out.Add(findingBlocks(d)...)
	if len(d.Findings) == 0 {
		out.Add(block.Sentence{Text: "No rule found anything to say."})
	}
	out.Add(uncheckedBlocks(d)...)
	return out
}

func (h Header) title() string {
	title := strings.TrimSpace("assay " + h.Suite)
	if hosts := h.On(); hosts != "" {
		title += " on " + hosts
	}
	return title
}

// about says which run this is, when it was and how long it took.
func (h Header) about() []string {
	var words []string
	add := func(there bool, text string) {
		if there {
			words = append(words, text)
		}
	}
	elapsed := quantity.Amount(h.Elapsed, assay.Seconds)
	if h.Budget > 0 {
		elapsed += " of " + quantity.Amount(h.Budget, assay.Seconds)
	}
	add(h.ID != "", h.ID)
	add(!h.Started.IsZero(), h.Started.UTC().Format("2006-01-02 15:04 UTC"))
	add(h.Elapsed > 0, elapsed)
	add(h.Version != "", "assay "+h.Version)
	add(h.ID != "" && h.Seed != 0, "seed "+strconv.FormatInt(h.Seed, 10))
	switch h.Status {
	case assay.RunDone, "":
	case assay.RunPartial:
		words = append(words, "partial: some of what was planned has no number")
	default:
		words = append(words, string(h.Status))
	}
	return words
}

func noteBlocks(notes []assay.Note) block.Blocks {
	var all block.Blocks
	for _, n := range notes {
		all = append(all, block.Sentence{Is: block.Note, Text: n.Text})
	}
	return all
}

// verdictBlocks are what to remember if nothing else is read.
func verdictBlocks(sentences []Sentence) block.Blocks {
	if len(sentences) == 0 {
		return nil
	}
	all := block.Blocks{block.Heading{Level: 1, Text: "Verdict"}}
	for _, s := range sentences {
		all = append(all, block.Sentence{Is: block.Kind(s.Kind), Text: s.Text})
	}
	return all
}

// awayBlocks list the hosts that could not be asked or were lost.
func awayBlocks(hosts []Away) block.Blocks {
	if len(hosts) == 0 {
		return nil
	}
	all := block.Blocks{block.Heading{Level: 1, Text: "Hosts that were away"}}
	for _, a := range hosts {
		all = append(all, block.Sentence{Is: block.Doubt, Word: a.Host, Text: a.When() + ": " + a.Absent.Why + "; " + a.Cost(), Advice: a.Absent.Hint})
	}
	return all
}

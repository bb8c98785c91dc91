package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/quantity"
	"assay/report/block"
)

// Blocks returns the document of a run as blocks, the most important first.
func Blocks(d Document) block.Document {
	out := block.Document{Name: d.Run.ID, Title: d.Run.title(), About: d.Run.about(), Tally: tally(d), Data: d}
	out.Add(verdictBlocks(d.Verdict)...)
	out.Add(remarkBlocks(d.Run.Remarks)...)
	out.Add(pictureBlocks(d.Side)...)
	out.Add(fitBlocks(d.Fits)...)
	out.Add(waterfallBlocks(d.Waterfalls)...)
	out.Add(waitBlocks(d.Waits)...)
	out.Add(driveBlocks(d.Drives)...)
	out.Add(purgeBlocks(d.Purges)...)
	out.Add(awayBlocks(d.Away)...)
	out.Add(tierBlocks(d.Tiers)...)
	out.Add(scalingBlocks(d.Scaling)...)
	out.Add(sideBlocks(d)...)
	out.Add(furtherBlocks(d.Further)...)
	out.Add(noteBlocks(d.Run.Notes)...)
	out.Add(sectionBlocks(d)...)
	out.Add(amongBlocks(d.Among)...)
	out.Add(heatBlocks(d.Plots.Heat)...)
	out.Add(findingBlocks(d)...)
	out.Add(machineBlocks(d.Facts)...)
	out.Add(uncheckedBlocks(d)...)
	return out
}

// Findings returns only the audit's findings on a run.
func Findings(d Document) block.Document {
	out := block.Document{Name: d.Run.ID, Title: d.Run.title(), About: d.Run.about()}
	out.Add(remarkBlocks(d.Run.Remarks)...)
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

// about returns which run this is, when it ran and how long it took.
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
	for _, l := range h.Labels {
		add(true, l.Name+"="+l.Value)
	}
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

// remarkBlocks returns what people wrote about the run.
func remarkBlocks(remarks []assay.Remark) block.Blocks {
	if len(remarks) == 0 {
		return nil
	}
	all := block.Blocks{block.Heading{Level: 1, Text: "Written about it"}}
	for _, r := range remarks {
		all = append(all, block.Sentence{Is: block.Note, Text: fmt.Sprintf("%s (written %s)", r.Text, r.At.UTC().Format("2006-01-02 15:04 UTC"))})
	}
	return all
}

// mostAlike is how many notes of one kind are shown before the rest are folded
// away.
const mostAlike = 2

// noteBlocks returns a run's own notes. If there are many of one kind, the first few
// represent all.
func noteBlocks(notes []assay.Note) block.Blocks {
	if len(notes) == 0 {
		return nil
	}
	all := block.Blocks{block.Heading{Level: 1, Text: "Notes"}}
	told := map[string]bool{}
	for _, n := range notes {
		if n.ID == "" {
			all = append(all, noteBlock(n))
		}
		if n.ID == "" || told[n.ID] {
			continue
		}
		told[n.ID] = true
		alike := slices.DeleteFunc(slices.Clone(notes), func(other assay.Note) bool { return other.ID != n.ID })
		for _, shown := range alike[:min(len(alike), mostAlike)] {
			all = append(all, noteBlock(shown))
		}
		if rest := alike[min(len(alike), mostAlike):]; len(rest) > 0 {
			var items []string
			for _, r := range rest {
				items = append(items, r.Text)
			}
			summary := fmt.Sprintf("%d more like the last", len(rest))
			all = append(all, block.Details{Summary: summary, Brief: "  " + summary + ": --format markdown", Blocks: block.Blocks{block.List{Items: items}}})
		}
	}
	return all
}

func noteBlock(n assay.Note) block.Block { return block.Sentence{Is: block.Note, Text: n.Text} }

// verdictBlocks returns what to remember if nothing else is read.
func verdictBlocks(sentences []Sentence) block.Blocks {
	return headed("Verdict", sentences)
}

// furtherBlocks returns what the verdict has no room for, and what else there is to
// do.
func furtherBlocks(sentences []Sentence) block.Blocks {
	isNext := func(s Sentence) bool { return s.Kind == string(block.Next) }
	found := slices.DeleteFunc(slices.Clone(sentences), isNext)
	todo := slices.DeleteFunc(slices.Clone(sentences), func(s Sentence) bool { return !isNext(s) })
	return append(headed("Also found", found), headed("Also to do", todo)...)
}

func headed(heading string, sentences []Sentence) block.Blocks {
	if len(sentences) == 0 {
		return nil
	}
	all := block.Blocks{block.Heading{Level: 1, Text: heading}}
	for _, s := range sentences {
		all = append(all, block.Sentence{Is: block.Kind(s.Kind), Text: s.Text})
	}
	return all
}

// awayBlocks lists the hosts that could not be queried or were lost.
func awayBlocks(hosts []analysis.Away) block.Blocks {
	if len(hosts) == 0 {
		return nil
	}
	all := block.Blocks{block.Heading{Level: 1, Text: "Hosts that were away"}}
	for _, a := range hosts {
		all = append(all, block.Sentence{Is: block.Doubt, Word: a.Host, Text: awayWhen(a) + ": " + a.Absent.Why + "; " + awayCost(a), Advice: a.Absent.Hint})
	}
	return all
}

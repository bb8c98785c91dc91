package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/analysis"
	"assay/report/block"
)

// courseBlocks returns the time lines of a section's trials: a picture, and a table of
// what happened when.
func courseBlocks(s Section, courses []analysis.Course) (all block.Blocks) {
	for _, c := range courses {
		if slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Trial == c.Trial }) {
			all = append(all, block.Heading{Level: 2, Text: "Time line: " + c.Title, Aside: chosenWords(c)}, lanesBlock(c), momentsTable(c))
		}
	}
	return all
}

// chosenWords names the repeat that is shown.
func chosenWords(c analysis.Course) string {
	if c.Of == 1 {
		return ""
	}
	return "repeat " + strconv.Itoa(c.Repeat) + " of " + strconv.Itoa(c.Of) + ", the one with the longest time without an answer"
}

// stateKinds maps states to how they are shown.
var stateKinds = map[analysis.State]block.Kind{analysis.Well: block.Good, analysis.Turning: block.Limit, analysis.Out: block.Bad}

// aspectWords are the words for a lane: its title, to which the host is appended, and each
// of its states.
var aspectWords = map[analysis.Aspect]struct {
	title  string
	states [3]string
}{
	analysis.Running:    {"on ", [3]string{"runs", "in between", "stopped"}},
	analysis.Moving:     {"the guest", [3]string{"runs", "moves", ""}},
	analysis.Answering:  {"seen from ", [3]string{"answers", "", "no answer"}},
	analysis.Writing:    {"writes in the guest", [3]string{"go on", "", "the longest takes"}},
	analysis.Loading:    {"load on ", [3]string{"full rate", "less than half", "none"}},
	analysis.Redundancy: {"redundancy", [3]string{"whole", "", "degraded"}},
}

// mostGaps is how many gaps without an answer are listed one by one.
const mostGaps = 2

func lanesBlock(c analysis.Course) block.Lanes {
	b := block.Lanes{From: block.Number(c.From), To: block.Number(c.To)}
	for _, l := range c.Lanes {
		words := aspectWords[l.Of]
		lane := block.Lane{Title: words.title}
		if strings.HasSuffix(words.title, " ") {
			lane.Title += l.By
		}
		if l.How != "" {
			lane.Title += " by " + l.How
		}
		var said []string
		for _, s := range l.Stretches {
			text := words.states[s.State] + " for " + lasting(s.To-s.From)
			if l.Of == analysis.Writing {
				text = words.states[s.State] + " " + lasting(s.To-s.From)
			}
			if s.State == analysis.Well {
				text = words.states[s.State] // it may last beyond the picture
			} else if s.State == analysis.Out || l.Of == analysis.Moving || l.Of == analysis.Loading {
				said = append(said, text)
			}
			lane.Stretches = append(lane.Stretches, block.Stretch{From: block.Number(s.From), To: block.Number(s.To), Is: stateKinds[s.State], Text: text})
		}
		if n := len(said); n > mostGaps && l.Of == analysis.Answering {
			said = []string{fmt.Sprintf("%d times %s, %s at most", n, words.states[analysis.Out], lasting(l.LongestOut()))}
		}
		lane.Words = strings.Join(said, ", ")
		if l.Of == analysis.Answering {
			lane.Marks = marksOf(c, l.By)
		}
		b.Lanes = append(b.Lanes, lane)
	}
	return b
}

// marksOf returns what an observer saw apart from answers.
func marksOf(c analysis.Course, by string) (marks []block.Mark) {
	for _, m := range c.Moments {
		if m.By == by && (m.What == assay.NeighbourGone || m.What == assay.NeighbourMoved) {
			marks = append(marks, block.Mark{At: block.Number(m.At), Text: momentWords(m)})
		}
	}
	return marks
}

func momentsTable(c analysis.Course) block.Table {
	t := block.Table{Columns: []block.Column{{Heading: "what"}, {Heading: "host"}, {Heading: "after", Right: true}}}
	off, by := 0., ""
	for _, m := range c.Moments {
		off = max(off, m.Error)
		if m.What.Begins() {
			by = m.By
		}
		t.Rows = append(t.Rows, block.Row{Cells: []block.Cell{{Text: momentWords(m)}, {Text: m.By}, {Text: onAxis(m.At)}}})
	}
	switch {
	case off == 0:
	case by == "":
		t.Legend = "Times are off by at most " + lasting(off) + " between hosts."
	default:
		t.Legend = "Times are by the clock of " + by + "; those of other hosts are off by at most " + lasting(off) + "."
	}
	return t
}

// onAxis formats a moment in s, with the same number of digits as all others:
// "3.078 s".
func onAxis(s float64) string {
	s = math.Round(s*1000) / 1000
	if s == 0 {
		s = 0 // zero has a sign, too
	}
	return strings.ReplaceAll(strconv.FormatFloat(s, 'f', 3, 64), "-", "−") + " s"
}

// happeningWords describes each event.
var happeningWords = map[assay.Happening]string{
	assay.Stopping: "the stop begins", assay.Stopped: "it is stopped", assay.Starting: "it is being put back", assay.Started: "it runs again",
	assay.Migrating: "the migration begins", assay.Migrated: "the migration is over",
	assay.LastAnswer: "last answer", assay.Unanswered: "first request without an answer", assay.Answer: "answers again",
	assay.WriteBegan: "the longest write in the guest begins", assay.Written: "it is written",
	assay.NeighbourGone: "no MAC address in the ARP table any more", assay.NeighbourMoved: "another MAC address in the ARP table",
	assay.LoadSlowed: "the load falls below half its rate", assay.LoadStood: "the load stands still", assay.LoadBack: "the load is back at its rate",
	assay.NotWhole: "redundancy is lost", assay.Whole: "redundancy is restored",
}

func momentWords(m assay.Moment) string {
	words := happeningWords[m.What]
	if words == "" {
		words = string(m.What) // from a later version
	}
	if m.On != "" {
		words += ", now on " + m.On
	}
	if m.How != "" {
		words += " (" + m.How + ")"
	}
	return words
}

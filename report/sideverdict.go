package report

import (
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/prose"
)

// mostOutliers is how many of them a verdict names before it counts the rest,
// mostAdvice how many of them it gives advice on, and mostDoubts how much else it
// says.
const (
	mostOutliers = 4
	mostAdvice   = 4
	mostDoubts   = 5
)

// sideVerdict is the verdict on several hosts: who stands out and why, and
// what is not to be believed. What each host is good at is in the tables; said
// here it would read as if the host were odd.
func sideVerdict(d Document, run assay.Run) []Sentence {
	out := slices.Concat(standingOut(d.Side), awaySentences(d), health(d), standing(d, run), company(d), doubts(d))
	next := sideAdvice(d, run)
	out = append(out[:min(len(out), mostOutliers+mostDoubts)], knownSentences(d)...)
	return append(out, next...)
}

// standingOut names the hosts that are worse than the others.
func standingOut(s *Side) []Sentence {
	var out []Sentence
	left := 0
	for _, o := range s.Outliers {
		switch {
		case o.Better:
		case len(out) == mostOutliers:
			left++
		default:
			kind := "bad"
			if o.Cause != "" && o.Section != "thermal" {
				kind = "limit" // it does what it can
			}
			out = append(out, Sentence{kind, o.Text})
		}
	}
	if left > 0 {
		out = append(out, Sentence{"bad", fmt.Sprintf("%s: see the hosts side by side.", prose.Plural(left, "more outlier"))})
	}
	if rows := s.Comparable(); len(out) == 0 && rows > 0 {
		out = append(out, Sentence{"good", fmt.Sprintf("No host stands out: in %s with three or more hosts, all hosts are similar or vary too much to tell.", prose.Plural(rows, "table row"))})
	}
	return out
}

// Unsaid gives the outliers that the verdict does not name: those that are
// better than the others, and those for which it had no room.
func (d Document) Unsaid() []Outlier {
	if d.Side == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(d.Side.Outliers), func(o Outlier) bool {
		return slices.ContainsFunc(d.Verdict, func(s Sentence) bool { return s.Text == o.Text })
	})
}

// sideAdvice is what to do about the hosts that stand out, or else what one
// would do about a single host.
func sideAdvice(d Document, run assay.Run) []Sentence {
	var out []Sentence
	once := false
	for _, o := range d.Side.Outliers {
		if o.Next != "" && len(out) < mostAdvice {
			out = append(out, Sentence{"next", o.Next})
			once = once || strings.Contains(o.Next, analysis.ReadOnce)
		}
	}
	if len(out) == 0 {
		return nextStep(d)
	}
	out = append(out, awayAdvice(d)...)
	if once {
		out = append(out, Sentence{"next", "A single reading may be chance: before replacing hardware, measure longer: " + longerRun(run) + "."})
	}
	return out
}

// longerRun is the command that measures the same with more repeats.
func longerRun(run assay.Run) string {
	words := []string{"assay run"}
	if run.Inventory.File != "" {
		words = append(words, "-i "+run.Inventory.File)
	}
	if run.Suite != "" {
		words = append(words, "--suite "+run.Suite)
	}
	return strings.Join(append(words, "--time-budget 30m"), " ")
}

package report

import (
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// mostSentences is how long a verdict may get.
const mostSentences = 6

// verdict says in a few plain sentences what the machine is good and bad at,
// what limits it, what was not believable, and what to do next.
func verdict(d Document, run assay.Run) []Sentence {
	switch {
	case d.Tiers != nil:
		return tierVerdict(d, run)
	case d.Side != nil:
		return sideVerdict(d, run)
	}
	best, worst := strengths(d)
	out := slices.Concat(
		awaySentences(d),
		standing(d, run),
		company(d),
		doubts(d),
		health(d),
		worst,
		bottleneck(d),
		best,
		heatSentence(d),
	)
	next := nextStep(d)
	out = append(out[:min(len(out), mostSentences-len(next))], knownSentences(d)...)
	return append(out, next...)
}

// standing says what of the plan is missing, where something is.
func standing(d Document, run assay.Run) []Sentence {
	rows, absent, firstWhy := 0, 0, ""
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			rows++
			if r.Absent != nil && r.Absent.Word != assay.NotSupported && (r.Absent.Gone == "" || run.Status == assay.RunInterrupted) {
				absent++
				if firstWhy == "" {
					firstWhy = r.Title + ": " + r.Absent.Why
				}
			}
		}
	}
	switch {
	case run.Status == assay.RunInterrupted:
		return []Sentence{{"doubt", fmt.Sprintf("The run was interrupted: %d of %d rows have no number.", absent, rows)}}
	case absent > 0:
		return []Sentence{{"doubt", fmt.Sprintf("%d of %d rows have no number; first: %s.", absent, rows, strings.TrimSuffix(firstWhy, "."))}}
	}
	return nil
}

// company says that the machine was busy with something else, which explains
// much of what follows.
func company(d Document) []Sentence {
	n := 0
	var hosts []string
	for _, f := range d.Findings {
		if f.Rule != analysis.BusyRule {
			continue
		}
		n++
		_, subject, _ := strings.Cut(f.Subject, "@")
		if host, _, _ := strings.Cut(subject, "/"); host != "" && !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	if n == 0 {
		return nil
	}
	who, whose := "The machine was", "its"
	switch {
	case d.several() && len(hosts) == 1:
		who = hosts[0] + " was"
	case d.several() && len(hosts) > 1:
		who, whose = prose.Few(hosts)+" were", "their"
	}
	return []Sentence{{"doubt", fmt.Sprintf("%s not idle: other work or other guests competed for %s resources during %s; expect extra variance.", who, whose, prose.Plural(n, "trial"))}}
}

// several says that what is said of one host must name it.
func (d Document) several() bool { return d.Side != nil || d.Tiers != nil }

// doubts says what was not believable, or that all of it was.
func doubts(d Document) []Sentence {
	var rejected []string
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			if slices.ContainsFunc(r.Figures, func(f Figure) bool { return f.Rejected }) {
				rejected = append(rejected, r.Title)
			}
		}
	}
	figures := countFigures(d)
	warned := countWarned(d)
	if len(rejected) == 0 && len(d.Findings) > 0 && d.Findings[0].Severity == assay.Rejects {
		// It is about something that the tables do not show.
		rejected = append(rejected, titleOf(d, d.Findings[0].Subject))
	}
	switch {
	case figures == 0:
		return nil
	case len(rejected) > 0:
		first := d.Findings[0]
		return []Sentence{{"doubt", fmt.Sprintf("Rejected: %s. %s [%d].", prose.Enumerate(rejected, 4), prose.Sentence(first.Message), first.Number)}}
	case warned > 0:
		return []Sentence{{"doubt", fmt.Sprintf("No number was rejected; see the footnotes on %d of %s.", warned, prose.Plural(figures, "figure"))}}
	}
	return []Sentence{{"good", fmt.Sprintf("All %d figures passed the audit: none contradicts the hardware, the kernel's counters or itself.", figures)}}
}

// countWarned counts the figures that a warning is about.
func countWarned(d Document) int {
	warnings := map[int]bool{}
	for _, f := range d.Findings {
		warnings[f.Number] = f.Severity == assay.Warns
	}
	n := 0
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			for _, f := range r.Figures {
				if slices.ContainsFunc(f.Footnotes, func(note int) bool { return warnings[note] }) {
					n++
				}
			}
		}
	}
	return n
}

// titleOf gives the title of a trial's row, or what else names it.
func titleOf(d Document, trial string) string {
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			if r.Trial == trial {
				return r.Title
			}
		}
	}
	return trial
}

func countFigures(d Document) int {
	n := 0
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			n += len(r.Figures)
		}
	}
	return n
}

// bottleneck names what binds: the figure that comes closest to its ceiling.
func bottleneck(d Document) []Sentence {
	var top *Bar
	for i, b := range d.Plots.Ceilings {
		if b.Unit == assay.BytesPerSecond && !b.Rejected && (top == nil || b.Ceiling.Share > top.Ceiling.Share) {
			top = &d.Plots.Ceilings[i]
		}
	}
	switch {
	case top == nil && len(rowsOf(d, "storage")) > 0:
		return []Sentence{{"limit", "Can't tell what limits storage: the bus under this directory is unknown."}}
	case top == nil:
		return nil
	case top.Ceiling.Share > .85:
		return []Sentence{{"limit", fmt.Sprintf("%s runs at %.0f %% of %s: that is the bottleneck, not the device.", prose.Sentence(top.Title), 100*top.Ceiling.Share, top.Ceiling.Name)}}
	default:
		return []Sentence{{"limit", fmt.Sprintf("No figure comes close to its bus limit: the closest, %s, uses %.0f %% of %s; the bottleneck is the device or the software above it.", top.Title, 100*top.Ceiling.Share, top.Ceiling.Name)}}
	}
}

func heatSentence(d Document) []Sentence {
	for _, r := range rowsOf(d, "thermal") {
		rise, load := analysis.Believed(r, "thermal.rise"), analysis.Believed(r, "thermal.load")
		if rise == nil || load == nil {
			continue
		}
		kind, tail := "note", "this machine has no throttling counters"
		if t := analysis.Believed(r, "thermal.throttles"); t != nil {
			kind, tail = "good", "no throttling events"
			if t.Value > 0 {
				kind, tail = "bad", fmt.Sprintf("it throttled %s times", quantity.Of(t.Metric, t.Value))
			}
		}
		return []Sentence{{kind, fmt.Sprintf("Under full load the CPU heats up by %s to %s; %s.", quantity.Of(rise.Metric, rise.Value), quantity.Of(load.Metric, load.Value), tail)}}
	}
	return nil
}

// nextStep is the advice of the gravest finding, else what would let more be
// checked.
func nextStep(d Document) []Sentence {
	if away := awayAdvice(d); len(away) > 0 {
		return away
	}
	// A machine that is not left alone is the cause; the rest are symptoms.
	isBusy := func(f Footnote) bool { return f.Rule == analysis.BusyRule }
	causesFirst := append(slices.DeleteFunc(slices.Clone(d.Findings), func(f Footnote) bool { return !isBusy(f) }),
		slices.DeleteFunc(slices.Clone(d.Findings), isBusy)...)
	for _, f := range causesFirst {
		if f.Advice != "" && f.Severity != assay.Informs {
			return []Sentence{{"next", prose.Sentence(f.Advice) + "."}}
		}
	}
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			if r.Absent != nil && r.Absent.Hint != "" && r.Absent.Word != assay.NotSupported {
				return []Sentence{{"next", prose.Sentence(r.Absent.Hint) + "."}}
			}
		}
	}
	for _, s := range d.Sections {
		if slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Quick }) {
			return []Sentence{{"next", "This was a quick run; for solid figures, measure longer: assay run --time-budget 30m."}}
		}
	}
	return nil
}

func rowsOf(d Document, section string) []Row {
	for _, s := range d.Sections {
		if s.ID == section {
			return s.Rows
		}
	}
	return nil
}

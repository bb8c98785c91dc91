package analysis

import (
	"slices"
	"strings"

	"assay"
)

// cachedAboveRule is the audit rule for figures from a hypervisor's memory.
const cachedAboveRule = "hypervisor-cache"

// BusyRule is the audit rule for a machine that is not left alone.
const BusyRule = "noisy-neighbour"

// flushRule is the audit rule for writes faster than the drive can make them durable.
const flushRule = "flush-too-fast"

// Tone is what a point means to the reader.
type Tone string

// Limit marks what performs as well as it can, Next what to do.
const (
	Good  Tone = "good"
	Bad   Tone = "bad"
	Limit Tone = "limit"
	Doubt Tone = "doubt"
	Note  Tone = "note"
	Next  Tone = "next"
)

// Point is one statement of a verdict: one sentence of a report.
type Point struct {
	Tone Tone
	Says any // one of the types of points below, and in points.go
}

// mostPoints is the most points in a verdict, before the one on what is unknown; the
// rest follow further down.
const mostPoints = 6

// points are the possible points of a verdict by topic, each with the most important
// first.
type points struct {
	wrong  []Point // with hosts, links and drives, or with the run
	fit    []Point // what storage is good for
	fine   []Point // that nothing is wrong
	limits []Point
	doubts []Point // what not to trust, and why
	rest   []Point
	aside  []Point // too detailed for a verdict
	next   []Point
}

// points gathers what the run shows.
func (f Found) points() points {
	switch {
	case f.Tiers != nil:
		return f.tierPoints()
	case f.Side != nil:
		return f.sidePoints()
	}
	best, worst := f.strengths()
	heat := f.heat()
	return points{
		wrong:  slices.Concat(f.interrupted(), f.cachedAbove(), f.awayPoints(), f.health()),
		limits: slices.Concat(f.failovers(), f.migrations(), f.bottleneck()),
		doubts: slices.Concat(f.company(), f.rejected()),
		rest:   slices.Concat(worst, best, heat),
		aside:  slices.Concat(f.lacking(), f.Known.Points()),
		next:   f.nextStep(),
	}
}

// conclude builds the verdict: what is wrong, else what the storage is good for;
// what limits it, one thing to do, and one line on what is unknown. Further is
// everything that did not fit.
func (f Found) conclude() (verdict, further []Point) {
	p := f.points()
	p.fit = append(f.waitPoints(), f.fitPoints()...)
	p.limits = slices.Concat(f.waterfallPoints(), p.limits, f.saturations())
	room := mostPoints - min(1, len(p.next))
	take := func(from []Point, most int) {
		n := max(0, min(len(from), most, room))
		verdict, further, room = append(verdict, from[:n]...), append(further, from[n:]...), room-n
	}
	take(p.wrong, room-min(1, len(p.fit)))
	take(p.fit, room-min(1, len(p.limits)))
	for _, part := range [][]Point{p.fine, p.limits, p.doubts, p.rest} {
		take(part, room)
	}
	if len(p.next) > 0 {
		verdict, further = append(verdict, p.next[0]), append(further, p.next[1:]...)
	}
	return slices.Concat(verdict, f.loose(), f.suggestionPoint()), append(further, p.aside...)
}

// awayPoints summarises which hosts were away, one point per kind of absence.
func (f Found) awayPoints() []Point {
	var out []Point
	for _, during := range []bool{false, true} {
		of := slices.DeleteFunc(slices.Clone(f.Away), func(a Away) bool { return a.During() != during })
		if len(of) > 0 {
			out = append(out, Point{Doubt, HostsAway{of}})
		}
	}
	return out
}

// interrupted reports that the run broke off.
func (f Found) interrupted() []Point {
	if f.Run.Status != assay.RunInterrupted {
		return nil
	}
	return []Point{{Doubt, f.rowsLacking()}}
}

// lacking reports planned figures that are missing, in a run that completed.
func (f Found) lacking() []Point {
	if l := f.rowsLacking(); !l.Interrupted && l.Rows > 0 {
		return []Point{{Doubt, l}}
	}
	return nil
}

func (f Found) rowsLacking() RowsLacking {
	l := RowsLacking{Interrupted: f.Run.Status == assay.RunInterrupted}
	for r := range f.rows {
		l.Of++
		if r.Absent != nil && r.Absent.Word != assay.NotSupported && (r.Absent.Gone == "" || l.Interrupted) {
			if l.Rows == 0 {
				l.First = r
			}
			l.Rows++
		}
	}
	return l
}

// loose reports what is unknown, in one point; or that nothing is.
func (f Found) loose() []Point {
	l := Loose{Audited: f.audited()}
	if l.Figures == 0 {
		return nil
	}
	if rows := f.rowsLacking(); !rows.Interrupted {
		l.Rows, l.Of = rows.Rows, rows.Of
	}
	if f.Known != nil {
		l.Open, l.Wanted, l.Precise = len(f.Known.Open), f.Known.Wanted, f.Known.Of
	}
	var rules []string
	for _, n := range f.Open {
		if !slices.Contains(rules, n.Rule) {
			rules = append(rules, n.Rule)
		}
	}
	l.Rules = len(rules)
	if l.Nothing() {
		return []Point{{Good, l}}
	}
	return []Point{{Note, l}}
}

// rows visits all rows.
func (f Found) rows(yield func(Row) bool) {
	for _, s := range f.Sections {
		for _, r := range s.Rows {
			if !yield(r) {
				return
			}
		}
	}
}

// rowsOf returns the rows of a section.
func (f Found) rowsOf(section string) []Row {
	for _, s := range f.Sections {
		if s.ID == section {
			return s.Rows
		}
	}
	return nil
}

// several reports whether a statement about one host must name it.
func (f Found) several() bool { return f.Side != nil || f.Tiers != nil }

// company reports that machines were busy with something else, which explains
// much of what follows.
func (f Found) company() []Point {
	var c NotIdle
	for _, n := range f.Findings {
		if n.Rule != BusyRule {
			continue
		}
		c.Trials++
		_, subject, _ := strings.Cut(n.Subject, "@")
		if host, _, _ := strings.Cut(subject, "/"); f.several() && host != "" && !slices.Contains(c.Hosts, host) {
			c.Hosts = append(c.Hosts, host)
		}
	}
	if c.Trials == 0 {
		return nil
	}
	return []Point{{Doubt, c}}
}

// cachedAbove reports figures that come from a hypervisor's memory. Those that the audit
// rejects for it are reported with the rejected ones.
func (f Found) cachedAbove() []Point {
	var c CachedAbove
	for _, n := range f.Findings {
		if n.Rule != cachedAboveRule || n.Severity != assay.Warns {
			continue
		}
		if c.Results++; c.Results == 1 {
			c.First = n
			if r := rowOf(f.Sections, n.Subject); r != nil {
				c.Row = *r
			}
		}
	}
	if c.Results == 0 {
		return nil
	}
	return []Point{{Doubt, c}}
}

// rejected reports what the audit rejects.
func (f Found) rejected() []Point {
	if a := f.audited(); len(a.Rejected) > 0 && a.Figures > 0 {
		return []Point{{Doubt, a}}
	}
	return nil
}

// audited summarises the audit of all figures.
func (f Found) audited() Audited {
	a := Audited{}
	warnings := map[int]bool{}
	for _, n := range f.Findings {
		warnings[n.Number] = n.Severity == assay.Warns
	}
	for r := range f.rows {
		a.Figures += len(r.Figures)
		if slices.ContainsFunc(r.Figures, func(f Figure) bool { return f.Rejected }) {
			a.Rejected = append(a.Rejected, r.Title)
		}
		for _, figure := range r.Figures {
			if slices.ContainsFunc(figure.Footnotes, func(n int) bool { return warnings[n] }) {
				a.Warned++
			}
		}
	}
	if len(a.Rejected) == 0 && len(f.Findings) > 0 && f.Findings[0].Severity == assay.Rejects {
		// The finding is about something that the tables do not show.
		a.Rejected = append(a.Rejected, f.titleOf(f.Findings[0].Subject))
	}
	if len(a.Rejected) > 0 {
		a.Gravest = f.Findings[0]
	}
	return a
}

// titleOf returns the title of a trial's row, else the trial's ID.
func (f Found) titleOf(trial string) string {
	if r := rowOf(f.Sections, trial); r != nil {
		return r.Title
	}
	return trial
}

// health reports drives with something wrong.
func (f Found) health() []Point {
	var out []Point
	for _, r := range f.rowsOf("health") {
		for _, figure := range r.Figures {
			if figure.Metric == "smart.passed" && figure.Value == 0 || figure.Metric == "smart.media_errors" && figure.Value > 0 {
				out = append(out, Point{Bad, DriveTrouble{Row: r, Figure: figure, Several: f.several()}})
			}
		}
	}
	return out
}

// tooHot is the only critical warning of an NVMe drive that cooling ends.
const tooHot = "temperature out of range"

// onlyTooHot reports whether a drive that does not call itself healthy complains about
// its temperature alone.
func onlyTooHot(r assay.Result) bool {
	return !slices.ContainsFunc(r.Counted(), func(rep assay.Repeat) bool {
		passed := rep.Measurement("smart.passed")
		return passed != nil && passed.Value == 0 && passed.Labels["critical_warning"] != tooHot
	})
}

// nextStep returns the advice of the gravest finding, else what would allow
// more checks.
func (f Found) nextStep() []Point {
	if back := f.returning(); back != nil {
		return back
	}
	// A busy machine is the cause; the rest are symptoms.
	isBusy := func(n Footnote) bool { return n.Rule == BusyRule }
	causesFirst := append(slices.DeleteFunc(slices.Clone(f.Findings), func(n Footnote) bool { return !isBusy(n) }),
		slices.DeleteFunc(slices.Clone(f.Findings), isBusy)...)
	for _, n := range causesFirst {
		if n.Advice != "" && n.Severity != assay.Informs {
			return []Point{{Next, Suggested{n.Advice}}}
		}
	}
	for r := range f.rows {
		if r.Absent != nil && r.Absent.Hint != "" && r.Absent.Word != assay.NotSupported {
			return []Point{{Next, Suggested{r.Absent.Hint}}}
		}
	}
	for r := range f.rows {
		if r.Quick {
			return []Point{{Next, QuickRun{}}}
		}
	}
	return nil
}

// returning returns how to get the figures of the hosts that were away.
func (f Found) returning() []Point {
	for _, a := range f.Away {
		if a.Absent.Hint != "" {
			return []Point{{Next, Returning{a}}}
		}
	}
	return nil
}

// mostSaturated is the most curves that the verdict names.
const mostSaturated = 3

// saturations returns where totals stop growing.
func (f Found) saturations() []Point {
	var said []Point
	left := 0
	for _, c := range f.Scaling {
		switch {
		case c.Saturated == 0:
		case len(said) == mostSaturated:
			left++
		default:
			said = append(said, Point{Limit, c})
		}
	}
	if left > 0 {
		said = append(said, Point{Limit, More{left, "curve"}})
	}
	return said
}

// Points returns how well figures are known, and which had not converged when time
// ran out.
func (k *Known) Points() []Point {
	var out []Point
	if k != nil && k.Met > 0 {
		out = append(out, Point{Note, Converged{*k}})
	}
	if k != nil && len(k.Open) > 0 {
		out = append(out, Point{Note, NotConverged{*k}})
	}
	return out
}

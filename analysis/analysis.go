package analysis

import (
	"slices"
	"strings"

	"assay"
	"assay/internal/order"
	"assay/internal/quantity"
)

// Found is everything there is to say about a run, before it is worded.
type Found struct {
	// Run is the run itself; with several hosts, its titles start with the
	// host.
	Run        assay.Run
	Findings   []Footnote      // E before W before I; numbered from 1, equal numbers are adjacent
	Open       []assay.Finding // rules that lacked a fact
	Away       []Away          // hosts that could not be queried, or were lost during the run
	Sections   []Section
	Short      map[RowID]Shortfall // rows with repeats that do not count
	Among      []Among             // headline figures among published ones
	Tiers      *Tiers              // only if storage tiers were measured
	Scaling    []ScalingCurve      // only if several hosts measured at the same time
	Side       *Side               // only if more than one host has figures
	Outliers   []Outlier           // what stands out in Side: worse ones first, then by how far off
	Known      *Known              // only if a precision was requested
	Fits       []Fit               // what the storage is good for; empty if none was measured
	followUps  []Question          // of sampled links
	mends      map[string]string   // how to make a differing host like the others, with {host}
	Waits      []Wait              // what uses wait for when writing; only if logs were measured
	Waterfalls []Waterfall         // where the time goes; only if layers were measured
	Drives     *Drives             // only if several drives were overwritten
	Purges     []Purge             // what was done to drives before overwriting them
	Courses    []Course            // what happened when; only if something was stopped or moved
	Verdict    []Point             // most important first
	Further    []Point             // what does not fit into the verdict
}

// Of analyses a run. run.Findings are the audit's findings, in any order.
//
// With several hosts, row titles start with the host, and comparable rows are
// set side by side.
func Of(run assay.Run) Found {
	run = hostsFirst(run)
	b := builderOf(run)
	b.away = awayHosts(run)
	sections := b.sections()
	b.run.Results, b.deciders = decidersApart(b.run.Results)
	together := b.scalings()
	found := Found{
		Run: run, Findings: b.footnotes, Open: b.open, Away: b.away,
		Sections: sections, Short: b.short, Among: b.among(sections), Tiers: b.tiers(together), Scaling: together, Known: known(run),
	}
	if len(run.Inventory.Hosts) > 1 {
		found.Side, found.Outliers = b.side(sections)
		found.mends = b.mends(found.Side)
		if found.Side != nil {
			found.followUps = b.followUps(found.Side.Networks)
		}
	}
	found.Fits = b.fits(found.Tiers)
	found.Waterfalls = b.waterfalls()
	found.Drives, found.Purges, found.Courses = b.drivesBeside(), b.purges(), b.courses()
	if found.Waits = b.waits(found.Tiers); len(found.Waits) > 0 {
		found.Fits = slices.DeleteFunc(found.Fits, Fit.mostlyUnknown)
	}
	found.Verdict, found.Further = found.conclude()
	return found
}

// builder holds what the parts of a document share while it is built.
type builder struct {
	run       assay.Run
	footnotes []Footnote
	notes     map[string][]int // indices of footnotes, by subject
	cited     []int            // index of the first footnote of each number
	open      []assay.Finding
	results   map[string]*assay.Result // by trial ID
	shared    map[string]bool          // titles, with their host, of trials on several subjects
	deciders  []assay.Result           // results of deciding trials, apart from run.Results
	away      []Away
	signs     []Sign
	short     map[RowID]Shortfall
	carriers  map[string]map[string]string // interfaces by network and host: see interfaces
	drives    map[string][]string          // by host: see drivesOf
	ranks     map[*Matrix]byValue
}

func builderOf(run assay.Run) *builder {
	b := &builder{run: run, results: make(map[string]*assay.Result, len(run.Results)), shared: map[string]bool{}, notes: map[string][]int{}, short: map[RowID]Shortfall{}}
	subjects := map[string]string{}
	for i := range run.Results {
		t := &run.Results[i].Trial
		b.results[t.ID] = &run.Results[i]
		if name, is := subjects[t.Title]; is && name != t.Subject.Name {
			b.shared[t.Title] = true
		}
		subjects[t.Title] = t.Subject.Name
	}
	b.number()
	return b
}

// result returns the result of a trial, or an empty one if there is none.
func (b *builder) result(trial string) assay.Result {
	if r := b.results[trial]; r != nil {
		return *r
	}
	return assay.Result{}
}

// number sorts the findings by severity, numbers those that were found, and sets aside
// those that could not be checked. Findings that say the same about one case on several
// hosts share a number.
func (b *builder) number() {
	rank := map[assay.Severity]int{assay.Rejects: 0, assay.Warns: 1, assay.Informs: 2, assay.NotChecked: 3}
	sorted := slices.Clone(b.run.Findings)
	order.Stable(sorted, func(x, y assay.Finding) int { return rank[x.Severity] - rank[y.Severity] })
	for _, f := range sorted {
		if f.Severity == assay.NotChecked {
			b.open = append(b.open, f)
			continue
		}
		here := len(b.footnotes)
		if n := len(b.cited); n == 0 || !b.sayTheSame(append(slices.Clip(b.footnotes[b.cited[n-1]:]), Footnote{Finding: f})) {
			b.cited = append(b.cited, here)
		}
		b.notes[f.Subject] = append(b.notes[f.Subject], here)
		b.footnotes = append(b.footnotes, Footnote{Number: len(b.cited), Finding: f})
	}
}

// sayTheSame reports whether findings say the same about one case on several hosts, with
// sums that can be merged into one.
func (b *builder) sayTheSame(notes []Footnote) bool {
	first, hosts := notes[0], map[string]bool{}
	var sums []string
	for _, n := range notes {
		if n.Rule != first.Rule || n.Severity != first.Severity || n.Message != first.Message || n.Advice != first.Advice ||
			b.caseOf(n) == "" || b.caseOf(n) != b.caseOf(first) || !slices.Equal(n.Metrics, first.Metrics) {
			return false
		}
		hosts[hostOfSubject(n.Subject)] = true
		sums = append(sums, n.Arithmetic)
	}
	_, one := quantity.Ranges(sums)
	return one && len(hosts) == len(notes)
}

// caseOf returns the title of a finding's trial without its host, and with its subject
// if several on that host share the title, or "" if it has none.
func (b *builder) caseOf(n Footnote) string {
	trial := b.result(n.Subject).Trial
	title, of := strings.CutPrefix(trial.Title, hostOfSubject(n.Subject)+": ")
	if !of {
		return ""
	}
	if b.shared[trial.Title] {
		title += " on " + trial.Subject.Name
	}
	return title
}

// cites reports whether any footnote of a figure satisfies is.
func (b *builder) cites(f Figure, is func(Footnote) bool) bool {
	return slices.ContainsFunc(f.Footnotes, func(number int) bool { return is(b.footnotes[b.cited[number-1]]) })
}

// mark adds the footnotes of a trial to its figures. A finding about no
// particular metric is noted on the first figure; a rejection rejects them all.
func (b *builder) mark(trial string, figures []Figure) {
	for _, at := range b.notes[trial] {
		note := b.footnotes[at]
		for i := range figures {
			f := &figures[i]
			about := slices.Contains(note.Metrics, f.Metric)
			if about || len(note.Metrics) == 0 && i == 0 {
				f.Footnotes = append(f.Footnotes, note.Number)
			}
			if note.Severity == assay.Rejects && (about || len(note.Metrics) == 0) {
				scattered := slices.Contains(assay.ScatterRules, note.Rule)
				f.Rejected, f.Scattered = true, scattered && (f.Scattered || !f.Rejected)
			}
		}
	}
}

// boolRank sorts true first.
func boolRank(b bool) int {
	if b {
		return 0
	}
	return 1
}

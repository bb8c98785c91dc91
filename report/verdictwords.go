package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// verdictOf puts the points of a verdict into words, one sentence each.
func verdictOf(points []analysis.Point, run assay.Run) []Sentence {
	var out []Sentence
	for _, p := range points {
		out = append(out, Sentence{string(p.Tone), pointWords(p, run)})
	}
	return out
}

// pointWords puts a point into a sentence.
func pointWords(p analysis.Point, run assay.Run) string {
	switch says := p.Says.(type) {
	case analysis.HostsAway:
		return awaySentence(says.Hosts)
	case analysis.RowsLacking:
		if says.Interrupted {
			return fmt.Sprintf("The run was interrupted: %d of %d rows have no number.", says.Rows, says.Of)
		}
		return fmt.Sprintf("%d of %d rows have no number; first: %s: %s.", says.Rows, says.Of, says.First.Title, strings.TrimSuffix(says.First.Absent.Why, "."))
	case analysis.NotIdle:
		return notIdleWords(says)
	case analysis.CachedAbove:
		return cachedAboveWords(says)
	case analysis.Audited:
		return auditedWords(says)
	case analysis.Loose:
		return looseWords(says)
	case analysis.Waterfall:
		return waterfallWords(says)
	case analysis.Suggestion:
		return suggestionWords(says)
	case analysis.Wait:
		return waitWords(says)
	case analysis.Fits:
		return fitWords(says)
	case analysis.DriveTrouble:
		return driveTroubleWords(says)
	case analysis.Bottleneck:
		return bottleneckWords(says)
	case analysis.Migrated:
		return migratedWords(says)
	case analysis.FailedOver:
		return failedOverWords(says)
	case analysis.Heat:
		return heatWords(says)
	case analysis.Converged:
		return convergedWords(says.Known)
	case analysis.NotConverged:
		return notConvergedWords(says.Known, run.ID)
	case analysis.Suggested:
		return prose.Sentence(says.Advice) + "."
	case analysis.QuickRun:
		return "This was a quick run; for solid figures, measure longer: assay run --time-budget 30m."
	case analysis.Returning:
		if says.During() {
			return prose.Sentence(says.Absent.Hint) + "."
		}
		return fmt.Sprintf("To measure %s too: %s.", says.Host, strings.TrimSuffix(says.Absent.Hint, "."))
	case analysis.More:
		return moreWords(says)
	}
	return besideWords(p, run)
}

// besideWords puts into words the points about several hosts or tiers, and about
// what a machine is good and bad at.
func besideWords(p analysis.Point, run assay.Run) string {
	switch says := p.Says.(type) {
	case analysis.Outlier:
		return sentence(says)
	case analysis.Mend:
		return advice(says.Outlier)
	case analysis.NoneStandsOut:
		return noneStandsOutWords(says)
	case analysis.TwoHosts:
		return twoHostsWords(says)
	case analysis.Liken:
		return fmt.Sprintf("Unless %s is meant to differ: %s.", says.Host, strings.ReplaceAll(strings.ToLower(says.Remedy[:1])+says.Remedy[1:], "{host}", says.Host))
	case analysis.Without:
		return withoutWords(says)
	case analysis.Obtain:
		return fmt.Sprintf("To measure all of %s: %s.", says.Host, strings.TrimSuffix(says.Hint, "."))
	case analysis.Unlike:
		return oddFactsWords(says)
	case analysis.SingleReadings:
		return "A single reading may be chance: before replacing hardware, measure longer: " + longerRun(run) + "."
	case analysis.Compared:
		return comparedWords(says)
	case analysis.SlowOSD:
		return slowOSDWords(says)
	case analysis.NetworkMisfit:
		return misfitWords(says)
	case analysis.TierBind:
		return bindWords(says) + "."
	case analysis.ScalingCurve:
		return growthWords(says) + "."
	case analysis.SyncWrites:
		return syncWritesWords(says)
	case analysis.CacheEffect:
		return cacheWords(says)
	case analysis.DepthSweep:
		return depthWords(says)
	case analysis.RandomReads:
		return fmt.Sprintf("%s: %s, %s.", prose.Sentence(says.Title), Number(says.IOPS), classes[says.Class])
	case analysis.Transfers:
		return transferWords(says)
	case analysis.Threads:
		c := says.Scaling.Ceiling
		return fmt.Sprintf("%s do %.2f × the work of one (%.0f %% of linear): %s.", c.Name, says.Scaling.Value, 100*c.Share, threadsWords[p.Tone])
	}
	return ""
}

// mostWithout is the most rows a sentence names of those that a host has no
// figures for.
const mostWithout = 2

// withoutWords says which figures a host lacks, and why.
func withoutWords(w analysis.Without) string {
	rows := slices.Clone(w.Rows[:min(len(w.Rows), mostWithout)])
	if direction := map[analysis.Ways]string{analysis.FromHost: " from it", analysis.ToHost: " to it"}[w.Ways]; direction != "" {
		rows[len(rows)-1] += direction
	}
	if more := len(w.Rows) - len(rows); more > 0 {
		rows = append(rows, prose.Plural(more, "more row"))
	}
	return fmt.Sprintf("%s lacks figures that others have (%s): %s.", w.Host, prose.And(rows), strings.TrimSuffix(w.Why, "."))
}

// mostTraits is the most facts of a host that a sentence names.
const mostTraits = 3

// oddFactsWords says which facts of a host differ from all others'.
func oddFactsWords(u analysis.Unlike) string {
	var facts []string
	for _, t := range u.Traits[:min(len(u.Traits), mostTraits)] {
		facts = append(facts, fmt.Sprintf("%s %s (all others %s)", t.Name, t.Own, t.Theirs))
	}
	if more := len(u.Traits) - len(facts); more > 0 {
		facts = append(facts, fmt.Sprintf("%d more facts (assay hosts)", more))
	}
	if u.Slow {
		return fmt.Sprintf("%s is also set up differently: %s.", u.Host, prose.And(facts))
	}
	return fmt.Sprintf("%s is set up differently: %s. No figure shows an effect.", u.Host, prose.And(facts))
}

func moreWords(m analysis.More) string {
	switch more := prose.Plural(m.N, "more "+m.What); m.What {
	case "curve":
		return fmt.Sprintf("Totals stop growing in %s: see the scaling section.", more)
	case "outlier":
		return more + ": see the hosts side by side."
	default:
		return more + ": see the tables."
	}
}

// notIdleWords says that machines were busy with something else.
func notIdleWords(n analysis.NotIdle) string {
	who, whose := "The machine was", "its"
	switch {
	case len(n.Hosts) == 1:
		who = n.Hosts[0] + " was"
	case len(n.Hosts) > 1:
		who, whose = prose.Few(n.Hosts)+" were", "their"
	}
	return fmt.Sprintf("%s not idle: other work or other guests competed for %s resources during %s; expect extra variance.", who, whose, prose.Plural(n.Trials, "trial"))
}

// cachedAboveWords says which results come from a hypervisor's memory.
func cachedAboveWords(c analysis.CachedAbove) string {
	said := fmt.Sprintf("%s [%d]", c.First.Message, c.First.Number)
	if c.Row.Title != "" {
		said = fmt.Sprintf("%s (%s): %s", c.Row.Title, c.Row.Subject, said)
	}
	if more := c.Results - 1; more > 0 {
		said += fmt.Sprintf("; so it is with %s", prose.Plural(more, "more result"))
	}
	return said + "."
}

// auditedWords says what was rejected.
func auditedWords(a analysis.Audited) string {
	return fmt.Sprintf("Rejected: %s. %s [%d].", prose.Enumerate(byCase(a.Rejected), 4), prose.Sentence(a.Gravest.Message), a.Gravest.Number)
}

// byCase names each case once, with its hosts: "host1: reads" and "host2: reads" become
// "reads (host1 and host2)".
func byCase(titles []string) []string {
	var cases []string
	whose := map[string][]string{}
	for _, title := range titles {
		who, of, is := strings.Cut(title, ": ")
		if !is {
			who, of = "", title
		}
		if !slices.Contains(cases, of) {
			cases = append(cases, of)
		}
		if is {
			whose[of] = append(whose[of], who)
		}
	}
	for i, c := range cases {
		if len(whose[c]) > 0 {
			cases[i] = fmt.Sprintf("%s (%s)", c, prose.Few(whose[c]))
		}
	}
	return cases
}

// looseWords says what is not known, or that everything is.
func looseWords(l analysis.Loose) string {
	if l.Nothing() {
		all := "The only figure"
		if l.Figures != 1 {
			all = fmt.Sprintf("All %d figures", l.Figures)
		}
		text := all + " passed the audit against the hardware's limits and the kernel's counters"
		if l.Precise > 0 {
			text += "; those that were to converge did, to " + within(l.Wanted)
		}
		return text + "."
	}
	var parts []string
	add := func(n int, format string, words ...any) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, words...))
		}
	}
	add(l.Open, "%d of %s did not converge to %s", l.Open, prose.Plural(l.Precise, "figure"), within(l.Wanted))
	add(l.Rows, "%d of %s without a number", l.Rows, prose.Plural(l.Of, "row"))
	add(len(l.Rejected), "%s rejected", prose.Plural(len(l.Rejected), "row"))
	add(l.Warned, "%d of %s with a warning", l.Warned, prose.Plural(l.Figures, "figure"))
	add(l.Rules, "%s skipped for missing facts", prose.Plural(l.Rules, "check"))
	return "Open: " + strings.Join(parts, "; ") + "."
}

func driveTroubleWords(t analysis.DriveTrouble) string {
	drive := t.Row.Settings
	if t.Several {
		drive = hostOf(t.Row) + "'s " + drive
	}
	switch {
	case t.Figure.TooHot:
		return drive + " reports that it is too hot" + temperatureOf(t.Row) + ": give it a heat sink or airflow."
	case t.Figure.Metric == "smart.passed":
		return drive + " reports that it is failing: back it up now."
	}
	return fmt.Sprintf("%s has %s: data it could not correct.", drive, countWords(t.Figure, "media error"))
}

// temperatureOf returns a drive's temperature in parentheses, or "" if unknown.
func temperatureOf(r Row) string {
	for _, f := range r.Figures {
		if f.Metric == "smart.temperature" {
			return " (" + quantity.Of(f.Metric, f.Value) + ")"
		}
	}
	return ""
}

// countWords formats a count with its noun.
func countWords(f analysis.Figure, noun string) string {
	if f.Value != 1 {
		noun += "s"
	}
	return quantity.Of(f.Metric, f.Value) + " " + noun
}

// hostOf returns the host of a row's subject.
func hostOf(r Row) string {
	host, _, _ := strings.Cut(r.Subject, "/")
	return host
}

func bottleneckWords(b analysis.Bottleneck) string {
	switch c := b.Ceiling; {
	case c == nil:
		return "Can't tell what limits storage: its bus is unknown."
	case b.Binds():
		return fmt.Sprintf("The bottleneck is %s, not the device: %s runs at %.0f %% of it.", c.Name, b.Title, 100*c.Share)
	default:
		return fmt.Sprintf("No figure comes close to its bus limit: the closest, %s, uses %.0f %% of %s; the bottleneck is the device or the software above it.", b.Title, 100*c.Share, c.Name)
	}
}

// migratedWords says how long a guest took to migrate, how long each observer saw it stand
// still, and how the network contributed.
func migratedWords(m analysis.Migrated) string {
	of := func(f analysis.Figure) string { return quantity.Of(f.Metric, f.Value) }
	said := fmt.Sprintf("%s, %s: %s, with a downtime of %s as the hypervisor says", m.Guest, caseOf(m.Title), of(m.Duration), of(m.Downtime))
	switch {
	case m.UDP != nil:
		seen := []string{of(*m.UDP) + " by UDP"}
		if m.TCP != nil {
			seen = append(seen, of(*m.TCP)+" by TCP")
		}
		if m.Seen != nil {
			seen = append(seen, of(*m.Seen)+" by ping")
		}
		said += " and, seen from outside, of " + prose.And(seen)
	case m.Seen != nil:
		said += fmt.Sprintf(" and of %s by ping", of(*m.Seen))
	}
	if m.Write != nil {
		said += fmt.Sprintf("; the longest write inside took %s", of(*m.Write))
	}
	parts := append([]string{said}, believedWords(m)...)
	if m.Disks != nil {
		parts = append(parts, of(*m.Disks)+" of its disks were copied")
	}
	if m.Load != nil && m.LoadDuring != nil {
		parts = append(parts, fmt.Sprintf("The load in it dirtied %s before and %s meanwhile", of(*m.Load), of(*m.LoadDuring)))
	}
	switch {
	case m.Link == nil:
	case m.Binds():
		parts = append(parts, fmt.Sprintf("It used %.0f %% of %s: that is the bottleneck", 100*m.Link.Share, m.Link.Name))
	default:
		parts = append(parts, fmt.Sprintf("It used %s of %s, which is not the bottleneck", quantity.Three(100*m.Link.Share)+" %", m.Link.Name))
	}
	return strings.Join(parts, ". ") + "."
}

// caseOf returns a row's title without the leading host.
func caseOf(title string) string {
	if _, of, is := strings.Cut(title, ": "); is {
		title = of
	}
	return strings.ToLower(title[:1]) + title[1:]
}

// believedWords says which of several differing downtimes to believe, and why: one
// sentence each.
func believedWords(m analysis.Migrated) (said []string) {
	of := func(v float64) string { return quantity.Of(m.UDP.Metric, v) }
	switch {
	case m.UDP == nil:
		return nil
	case m.Found() > 0:
		said = append(said, fmt.Sprintf("Believe UDP: the guest stood still for %s, and the network took another %s to find it", of(m.Stood.Value), of(m.Found())))
	case m.Disagrees() && m.Stood != nil:
		said = append(said, fmt.Sprintf("Believe UDP, not the hypervisor: the guest's own clock stood still for %s", of(m.Stood.Value)))
	case m.Disagrees():
		said = append(said, "Believe UDP, not the hypervisor: it is what clients saw")
	}
	if m.Late() {
		said = append(said, "TCP takes longer because it retransmits at growing intervals")
	}
	return said
}

// coarse is the share of a time above which the interval between answers matters.
const coarse = .05

// failedOverWords says who took over, how long there was no answer, and when redundancy was
// whole again.
func failedOverWords(o analysis.FailedOver) string {
	of := func(f *analysis.Figure, v float64) string { return quantity.Of(f.Metric, v) }
	said := fmt.Sprintf("Failover %s (%s stopped on %s): ", o.Name, o.What, o.Host)
	switch {
	case o.Command:
		said += "no answer to " + o.Asked
	case o.From != "" && o.To != "" && o.From != o.To:
		said += fmt.Sprintf("%s moved from %s to %s and was without an answer", o.Asked, o.From, o.To)
	default:
		said += o.Asked + " was without an answer"
	}
	said += " for " + of(&o.Time, o.Time.Value)
	var beside []string
	if o.Least != nil {
		beside = append(beside, "two observers agree within "+of(o.Least, math.Abs(o.Time.Value-o.Least.Value)))
	}
	if o.Interval > coarse*o.Time.Value {
		beside = append(beside, fmt.Sprintf("answers come every %s, and nothing shorter is seen", of(&o.Time, o.Interval)))
	}
	if len(beside) > 0 {
		said += " (" + strings.Join(beside, "; ") + ")"
	}
	if o.Lost != nil && o.Requests != nil {
		said += fmt.Sprintf("; %s of %s requests were lost", of(o.Lost, o.Lost.Value), of(o.Requests, o.Requests.Value))
	}
	switch {
	case o.Whole == nil:
	case o.SinceStop:
		said += fmt.Sprintf("; redundancy was whole again %s after the stop", of(o.Whole, o.Whole.Value))
	default:
		said += fmt.Sprintf("; redundancy was whole again %s after it was put back", of(o.Whole, o.Whole.Value))
	}
	return said + meanwhileWords(o) + "."
}

// phaseWords says when a load did something.
var phaseWords = map[analysis.LoadPhase]string{
	analysis.LoadBefore: "before", analysis.LoadStopped: "while it was stopped", analysis.LoadRecovery: "until redundancy was whole", analysis.LoadAfter: "after",
}

// meanwhileWords says what the load did meanwhile, if there was one.
func meanwhileWords(o analysis.FailedOver) string {
	var did []string
	for _, p := range o.Load {
		did = append(did, quantity.Of(p.Rate.Metric, p.Rate.Value)+" "+phaseWords[p.Of])
	}
	if len(did) == 0 {
		return ""
	}
	return fmt.Sprintf("; the load on %s did %s", o.Loader, prose.And(did))
}

func heatWords(h analysis.Heat) string {
	tail := "no throttling events"
	switch t := h.Throttles; {
	case t == nil:
		tail = "this machine has no throttling counters"
	case t.Value > 0:
		tail = "it throttled " + countWords(*t, "time")
	}
	return fmt.Sprintf("Under full load the CPU heats up by %s to %s; %s.", quantity.Of(h.Rise.Metric, h.Rise.Value), quantity.Of(h.Load.Metric, h.Load.Value), tail)
}

// longerRun returns the command that measures the same with more repeats.
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

// unsaid returns the outliers that the verdict does not name: those that are
// better than the others, and those it had no room for.
func (d Document) unsaid() []Outlier {
	if d.Side == nil {
		return nil
	}
	said := slices.Concat(d.Verdict, d.Further)
	return slices.DeleteFunc(slices.Clone(d.Side.Outliers), func(o Outlier) bool {
		return slices.ContainsFunc(said, func(s Sentence) bool { return s.Text == o.Text })
	})
}

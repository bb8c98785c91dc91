package plan

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/internal/nearest"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/plan/suite"
)

// Options are the user's wishes. Zero values mean the suite's own.
type Options struct {
	Only []string // cases to run: "fio", "fio/randread-4k" or "randread-4k"
	Skip []string // cases to leave out, in the same words
	// Repeats are the least that are made of each trial; more are added for the
	// sake of precision. Where they alone are given, so many are made and no more.
	Repeats int
	Budget  time.Duration
	Seed    int64 // of the order of repeats
	// Precision is how well figures are to be known, as a share of them; AsPlanned
	// has as many repeats as were planned, whatever their spread.
	Precision float64
	// Longest is what a repeat may be stretched to, in place of what settles a figure
	// and of what the case has; one that is known before ends before.
	Longest time.Duration
	// Size is what files have, and regions of devices that are only read, in place of
	// what the space, the time and the memory there are call for; 0 leaves it to them.
	Size int64
}

// AsPlanned is the precision of those who want the planned repeats and no others.
const AsPlanned = -1

// Plan is what will be done, in order.
type Plan struct {
	Suite    string        `json:"suite"`
	Title    string        `json:"title"`
	Trials   []assay.Trial `json:"trials"`
	Schedule []Slot        `json:"schedule"`
	// Prepare bounds the readying of each scratch space.
	Prepare  time.Duration `json:"prepare_ns"`
	Budget   time.Duration `json:"budget_ns"`
	Estimate time.Duration `json:"estimate_ns"` // of the whole
	// Filling is what of it scratch space takes to be lent and written.
	Filling time.Duration `json:"filling_ns,omitempty"`
	Seed    int64         `json:"seed"`
	// Precision is how well figures are to be known. Repeats are added to the
	// schedule until they are, within the budget. 0: none are.
	Precision float64      `json:"precision,omitempty"`
	Notes     []assay.Note `json:"notes,omitempty"`
}

// Slot is one repeat of one trial; Repeat 0 is its warm-up.
type Slot struct {
	Trial  int `json:"trial"` // index in Plan.Trials
	Repeat int `json:"repeat"`
}

const (
	// startup is what a repeat takes beyond its measuring time where the probe
	// says nothing: starting the tool and reading the kernel's counters.
	startup = 350 * time.Millisecond
	// distance is what it takes more on another host: each look at its counters
	// and each command is a session of its own.
	distance = 350 * time.Millisecond
	// around is the time for facts before and the report after.
	around = 3 * time.Second
	// shortest is the least that a repeat may measure: the audit rejects less.
	shortest = time.Second
	// greatShare is the share of the budget that a case which needs its length may have.
	greatShare = .1
	// settled is what the repeats of a figure should measure together; below
	// it, it is a quick look and says so.
	settled = 30 * time.Second
	// plannedShare is how much of the budget repeats may be stretched to take, where
	// the rest is for those that are added until figures are known.
	plannedShare = .6
	// reserve is the share of the budget that the plan leaves alone, for repeats
	// that take longer than planned: without it the last round would be cut.
	reserve = .03
	// prepareShare is how much of the budget readying may take: a device that
	// writes its file slowly has small caches and needs a smaller one.
	prepareShare = .05
	// leastPrepare is what a busy disk needs for the least that can be measured,
	// where the budget is not shorter than eight of it.
	leastPrepare = 5 * time.Second
)

// Make plans a suite. It fails where no case is left or a name is not known.
func Make(inv assay.Inventory, s suite.Suite, probes []assay.Probe, o Options) (Plan, error) {
	cases, err := choose(s, o)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{
		Suite: s.Name, Title: s.Title, Seed: o.Seed,
		Budget: cmp.Or(o.Budget, s.Budget), Precision: precision(s, o),
	}
	repeats := cmp.Or(o.Repeats, s.Repeats)
	inv, sampled := p.sample(inv, cases)
	longest, least, caseOf := map[string]time.Duration{}, map[string]time.Duration{}, map[string]int{}
	for number, c := range cases {
		if o.Longest > 0 && !c.Once {
			c.Longest = o.Longest.Seconds()
		}
		trials, err := trialsOf(inv, asked(inItsWay(c), o.Size, probes), probes)
		if err != nil {
			return Plan{}, at(s, c, err)
		}
		if s.Tiers && !c.Together {
			trials = onePerTier(inv, trials)
		}
		for _, t := range trials {
			t = asLarge(t, assay.Scratch{Bytes: o.Size}, probes)
			dress(&t, c, inv)
			t.Repeats = repeats
			// Of a sample, the other links of a host are the repeats.
			once := c.Once || sampled[t.Subject.Network]
			if once {
				t.Repeats = 1
			}
			caseOf[t.ID] = number
			longest[t.ID] = longestOf(c, p, o, t.Repeats)
			least[t.ID] = max(shortest, min(seconds(c.Shortest), time.Duration(greatShare*float64(p.Budget))))
			if !once && c.Seconds > 0 {
				t.Precision = p.Precision
			}
			p.Trials = append(p.Trials, t)
		}
	}
	if len(p.Trials) == 0 {
		return Plan{}, assay.WithHint("see what is available with: assay doctor",
			"suite %s has nothing to measure here", s.Name)
	}
	p.Prepare = readying(p.Budget)
	p.fit(longest, least, caseOf)
	for i := range p.Trials {
		t := &p.Trials[i]
		bound(t)
		t.Quick = s.Quick || t.Repeats > 1 && t.Length > 0 && time.Duration(t.Repeats)*t.Length < settled*9/10
	}
	p.Schedule = schedule(p.Trials, o.Seed)
	p.Estimate, p.Filling = p.cost(), p.fillings(p.Schedule)
	p.sayShrunk(probes)
	p.tooShortToEnd(o.Longest)
	p.saySettings()
	p.sayMoves()
	p.sayFailovers()
	return p, nil
}

// dress gives a trial what its case says of it, and what it needs beside the time that
// it measures.
func dress(t *assay.Trial, c assay.Case, inv assay.Inventory) {
	t.Order = c.Order
	t.Claims = claims(*t, inv.Resources)
	t.Length = seconds(c.Seconds)
	t.Warmup = seconds(c.Warmup)
	if t.Overhead == 0 {
		t.Overhead = startup
	}
	if inv.File != "" {
		t.Overhead += distance
	}
}

// bound sets when a repeat that hangs is given up.
func bound(t *assay.Trial) {
	if t.Bound == 0 {
		t.Bound = 2*t.Length + t.Overhead + 30*time.Second
	}
}

// precision is what is wanted of the figures: what the user says, or the suite,
// but where the user says how many repeats there are to be.
func precision(s suite.Suite, o Options) float64 {
	switch {
	case o.Precision < 0, o.Precision == 0 && o.Repeats > 0:
		return 0
	case o.Precision > 0:
		return o.Precision
	}
	return s.Precision
}

// longestOf is the most that a repeat may be stretched to: what the user says, but
// where it is the only one, of which the case knows what it is good for. Where
// repeats are added until the figure is known, more of them say more than longer
// ones: what settles a figure is enough for the first.
func longestOf(c assay.Case, p Plan, o Options, repeats int) time.Duration {
	longest := seconds(c.Longest)
	most := o.Longest
	if most == 0 && p.Precision > 0 && !c.Once {
		most = max(seconds(c.Seconds), settled/time.Duration(repeats))
	}
	if most > 0 && (longest == 0 || most < longest) {
		return most
	}
	return longest
}

// Exactly has the plan carried out as it is: nothing is added to it.
func (p *Plan) Exactly() {
	p.Precision = 0
	for i := range p.Trials {
		p.Trials[i].Precision = 0
	}
}

// tooShortToEnd says so where the user wants repeats that end by themselves, and
// the budget makes them too short for that.
func (p *Plan) tooShortToEnd(longest time.Duration) {
	if p.Precision <= 0 || longest < EndsFrom {
		return
	}
	for _, t := range p.Trials {
		if t.Absent == nil && t.Precision > 0 && t.Length < EndsFrom {
			p.Notes = append(p.Notes, assay.Note{ID: "length", Text: fmt.Sprintf(
				"repeats of %s are too short to end early, which takes %s: make them longer with a larger --time-budget, or with fewer cases (--only)",
				t.Length.Round(time.Second), EndsFrom)})
			return
		}
	}
}

// EndsFrom is the least length of a repeat that may end before its time: that of
// the second look at its samples, one a second.
const EndsFrom = 168 * time.Second

// trialsOf asks the case's probe, and marks what lacks its tool.
func trialsOf(inv assay.Inventory, c assay.Case, probes []assay.Probe) ([]assay.Trial, error) {
	var names []string
	for _, p := range probes {
		spec := p.Spec()
		names = append(names, spec.Name)
		if spec.Name != c.Probe {
			continue
		}
		trials, err := p.Trials(inv, c)
		if err != nil {
			return nil, fmt.Errorf("case %s/%s: %w", c.Probe, c.Name, err)
		}
		if err := instead(inv, c, trials, spec, probes); err != nil {
			return nil, fmt.Errorf("case %s/%s: %w", c.Probe, c.Name, err)
		}
		for i := range trials {
			t := &trials[i]
			if t.Absent == nil && t.Scratch == 0 && len(c.Lend) > 0 {
				return nil, assay.WithHint("remove lend:", "case %s/%s: it uses no scratch space of %s: there is nothing to lend", c.Probe, c.Name, t.Subject.ID)
			}
			t.Lend = c.Lend
			if t.Absent == nil && t.Probe == spec.Name {
				t.Absent = unable(inv, *t, spec)
			}
		}
		if c.Together {
			trials = append(trials, atOnce(inv, trials)...)
		}
		return trials, nil
	}
	return nil, assay.WithHint(nearest.Hint(c.Probe, names), "case %s/%s: unknown probe %q", c.Probe, c.Name, c.Probe)
}

// fit chooses how long each repeat measures, so that the whole takes no longer
// than the budget: all are stretched or shortened alike, within their bounds. Where the
// shortest are too long, there are fewer of them, and then fewer trials.
func (p *Plan) fit(longest, least map[string]time.Duration, caseOf map[string]int) {
	room := time.Duration(float64(p.Budget) * (1 - reserve))
	nominal := make([]time.Duration, len(p.Trials))
	for i, t := range p.Trials {
		nominal[i] = t.Length
	}
	slots := schedule(p.Trials, p.Seed) // the order does not depend on lengths
	stretch := func(f float64) time.Duration {
		for i := range p.Trials {
			t := &p.Trials[i]
			if nominal[i] == 0 {
				continue
			}
			t.Length = time.Duration(float64(nominal[i]) * f).Round(10 * time.Millisecond)
			t.Length = max(t.Length, min(least[t.ID], nominal[i]))
			if most := longest[t.ID]; most > 0 {
				t.Length = min(t.Length, most)
			}
			t.Length = max(t.Length, min(shortest, nominal[i]))
		}
		return around + p.Course(slots)
	}
	// cost grows with f, in steps at the bounds: bisection finds the largest
	// factor that fits. 200 is an hour's suite in a week's budget; a user may want
	// the shortest repeat to be longer than that.
	low, high := 0., 200.
	for i, t := range p.Trials {
		if nominal[i] > 0 {
			high = max(high, longest[t.ID].Seconds()/nominal[i].Seconds())
		}
	}
	if stretch(1) <= room {
		low = 1
		if p.Precision > 0 {
			room = max(time.Duration(plannedShare*float64(room)), stretch(1))
		}
	} else {
		high = 1
	}
	for range 40 {
		mid := (low + high) / 2
		if stretch(mid) <= room {
			low = mid
		} else {
			high = mid
		}
	}
	if stretch(low) <= room {
		return
	}
	enough := "--time-budget " + inMinutes(p.enoughFor(func() time.Duration { return stretch(0) })) + " is enough for all"
	// Even the shortest repeats are too long: fewer of them.
	most := p.mostRepeats()
	for ; p.cost() > room && most > 1; most-- {
		for i := range p.Trials {
			p.Trials[i].Repeats = min(p.Trials[i].Repeats, most-1)
		}
	}
	left := "too few for intervals"
	if out := p.leaveOut(room, caseOf, enough); len(out) > 0 {
		left += "; left out: " + strings.Join(out, ", ")
	}
	if p.cost() > room {
		left += "; what does not fit even so is skipped"
	}
	p.Notes = append(p.Notes, assay.Note{ID: "budget", Text: fmt.Sprintf("%s is enough for %s of each trial, %s; %s",
		quantity.Span(p.Budget), prose.Plural(most, "short repeat"), left, enough)})
}

// enoughFor is a budget for what costs so much; with more of it, scratch space has more
// time to be written.
func (p *Plan) enoughFor(cost func() time.Duration) float64 {
	was, budget := p.Prepare, 0.
	defer func() { p.Prepare = was }()
	for range 30 {
		whole := float64(cost()) / (1 - reserve)
		if whole <= budget {
			break
		}
		budget = math.Ceil(whole/float64(time.Minute)) * float64(time.Minute)
		p.Prepare = readying(time.Duration(budget))
	}
	return budget
}

// mostRepeats is what the trial with the most repeats has of them.
func (p *Plan) mostRepeats() int {
	most := 1
	for _, t := range p.Trials {
		if t.Absent == nil {
			most = max(most, t.Repeats)
		}
	}
	return most
}

// inMinutes is a budget of at least d, as a flag takes it.
func inMinutes(d float64) string {
	return fmt.Sprintf("%dm", int(math.Ceil(time.Duration(d).Minutes())))
}

// cost is how long the plan takes.
func (p *Plan) cost() time.Duration {
	return around + p.Course(schedule(p.Trials, p.Seed))
}

// at says where a case stands that is wrong.
func at(s suite.Suite, c assay.Case, err error) error {
	if where := s.Where(c); where != "" {
		return fmt.Errorf("%s: %w", where, err)
	}
	return err
}

// Check returns what is wrong with the cases of a suite that no machine could carry out:
// a probe that there is not, a setting that it does not have.
func Check(s suite.Suite, probes []assay.Probe) error {
	var wrong []error
	for _, c := range s.Cases {
		if _, err := trialsOf(assay.Inventory{}, inItsWay(c), probes); err != nil {
			wrong = append(wrong, at(s, c, err))
		}
	}
	return errors.Join(wrong...)
}

// choose picks the suite's cases by the user's words.
func choose(s suite.Suite, o Options) ([]assay.Case, error) {
	if o.Repeats < 0 || o.Budget < 0 || o.Longest < 0 {
		return nil, fmt.Errorf("repeats, time budget and length cannot be negative")
	}
	var known []string
	for _, c := range s.Cases {
		known = append(known, c.Probe, c.Name, c.Probe+"/"+c.Name)
	}
	for _, word := range slices.Concat(o.Only, o.Skip) {
		if !slices.Contains(known, word) {
			return nil, assay.WithHint(nearest.Hint(word, known),
				"suite %s has no case or probe %q; its cases: %s", s.Name, word, strings.Join(caseNames(s), ", "))
		}
	}
	var out []assay.Case
	for _, c := range s.Cases {
		named := func(words []string) bool {
			return slices.ContainsFunc(words, func(w string) bool {
				return w == c.Probe || w == c.Name || w == c.Probe+"/"+c.Name
			})
		}
		if (len(o.Only) == 0 || named(o.Only)) && !named(o.Skip) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("--only and --skip leave nothing of suite %s", s.Name)
	}
	return out, nil
}

func caseNames(s suite.Suite) []string {
	var out []string
	for _, c := range s.Cases {
		out = append(out, c.Probe+"/"+c.Name)
	}
	return out
}

func seconds(s float64) time.Duration {
	return time.Duration(math.Round(s * float64(time.Second)))
}

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
	Skip []string // cases to leave out, in the same form
	// Repeats is the least number of repeats of each trial; more are added for
	// precision. If it alone is given, exactly that many are made.
	Repeats int
	Budget  time.Duration
	Seed    int64 // of the order of repeats
	// Precision is the wanted precision of figures, as a share of them; AsPlanned
	// means as many repeats as were planned, whatever their spread.
	Precision float64
	// Longest is the limit for stretching a repeat, instead of what settles a figure
	// and of the case's own limit; one that is known earlier ends earlier.
	Longest time.Duration
	// Size is the size of files, and of device regions that are only read, instead of
	// one that suits the available space, time and memory; 0 leaves it to those.
	Size int64
}

// AsPlanned is the precision for exactly the planned repeats.
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
	// Filling is the part of Estimate for lending and writing scratch space.
	Filling time.Duration `json:"filling_ns,omitempty"`
	Seed    int64         `json:"seed"`
	// Precision is the wanted precision of figures. Repeats are added to the
	// schedule until it is reached, within the budget. 0: none are.
	Precision float64      `json:"precision,omitempty"`
	Notes     []assay.Note `json:"notes,omitempty"`
}

// Slot is one repeat of one trial; Repeat 0 is its warm-up.
type Slot struct {
	Trial  int `json:"trial"` // index in Plan.Trials
	Repeat int `json:"repeat"`
}

const (
	// startup is what a repeat takes beyond its measuring time unless the probe
	// says otherwise: starting the tool and reading the kernel's counters.
	startup = 350 * time.Millisecond
	// distance is what it takes more on another host: each read of its counters
	// and each command is a session of its own.
	distance = 350 * time.Millisecond
	// around is the time for facts before and the report after.
	around = 3 * time.Second
	// shortest is the least that a repeat may measure: the audit rejects less.
	shortest = time.Second
	// greatShare is the share of the budget that a case may claim for a length it needs.
	greatShare = .1
	// settled is how long the repeats of a figure should measure together; see
	// assay.QuickBelow.
	settled = 30 * time.Second
	// plannedShare is how much of the budget stretched repeats may take if the rest
	// is for repeats that are added until figures are known.
	plannedShare = .6
	// reserve is the share of the budget that is kept free for repeats that take
	// longer than planned: without it the last round would be cut.
	reserve = .03
	// prepareShare is how much of the budget readying may take: a device that
	// writes its file slowly has small caches, so a smaller file will do.
	prepareShare = .05
	// leastPrepare is what a busy disk needs for the least that can be measured,
	// unless the budget is shorter than eight times that.
	leastPrepare = 5 * time.Second
)

// Make plans a suite. It fails if no case is left or a name is unknown.
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
			// In a sample, a host's other links serve as repeats.
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
		t.Quick = s.Quick || t.Repeats > 1 && t.Length > 0 && time.Duration(t.Repeats)*t.Length < assay.QuickBelow
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

// dress sets what a trial gets from its case, and what it needs beyond its measuring
// time.
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

// bound sets the timeout of a repeat. Two minutes are for a host so busy, or a guest so far, that
// starting a tool takes long.
func bound(t *assay.Trial) {
	if t.Bound == 0 {
		t.Bound = 2*t.Length + t.Overhead + 2*time.Minute
	}
}

// precision returns the wanted precision of figures: the user's, or else the
// suite's, unless the user sets the number of repeats.
func precision(s suite.Suite, o Options) float64 {
	switch {
	case o.Precision < 0, o.Precision == 0 && o.Repeats > 0:
		return 0
	case o.Precision > 0:
		return o.Precision
	}
	return s.Precision
}

// longestOf returns the most that a repeat may be stretched to: the user's limit,
// except for an only repeat, for which the case knows best. If repeats are added
// until the figure is known, more of them tell more than longer ones: what settles
// a figure is enough for the first.
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

// Exactly makes the plan run as it is: nothing is added to it.
func (p *Plan) Exactly() {
	p.Precision = 0
	for i := range p.Trials {
		p.Trials[i].Precision = 0
	}
}

// tooShortToEnd adds a note if the user wants repeats that end by themselves,
// but the budget makes them too short for that.
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

// EndsFrom is the minimum length of a repeat that may end early: the time of the
// second look at its samples, one per second.
const EndsFrom = 168 * time.Second

// trialsOf gets a case's trials from its probe, and marks those that lack its
// tool.
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

// fit chooses how long each repeat measures so that the whole stays within the budget:
// all are stretched or shortened alike, within their bounds. If the shortest are too
// long, it cuts repeats, and then trials.
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
	// Even the shortest repeats are too long: make fewer.
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

// enoughFor returns a budget for that cost; a larger budget gives scratch space more
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

// mostRepeats returns the highest number of repeats of any trial.
func (p *Plan) mostRepeats() int {
	most := 1
	for _, t := range p.Trials {
		if t.Absent == nil {
			most = max(most, t.Repeats)
		}
	}
	return most
}

// inMinutes formats a budget of at least d as a flag takes it.
func inMinutes(d float64) string {
	return fmt.Sprintf("%dm", int(math.Ceil(time.Duration(d).Minutes())))
}

// cost returns how long the plan takes.
func (p *Plan) cost() time.Duration {
	return around + p.Course(schedule(p.Trials, p.Seed))
}

// at adds a faulty case's position to an error.
func at(s suite.Suite, c assay.Case, err error) error {
	if where := s.Where(c); where != "" {
		return fmt.Errorf("%s: %w", where, err)
	}
	return err
}

// Check returns what is wrong with a suite's cases on any machine: an unknown probe, or
// a setting that it does not have.
func Check(s suite.Suite, probes []assay.Probe) error {
	var wrong []error
	for _, c := range s.Cases {
		if _, err := trialsOf(assay.Inventory{}, inItsWay(c), probes); err != nil {
			wrong = append(wrong, at(s, c, err))
		}
	}
	return errors.Join(wrong...)
}

// choose selects the suite's cases by the user's options.
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

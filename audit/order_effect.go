package audit

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
	"assay/plan/multiclient"
	"assay/stats"
)

var orderEffect = Rule{
	ID: "order-effect", Number: 53, Applies: "anything assay ran", Severities: "W I",
	Title:   "The figure depends on when it was measured",
	Formula: "from six repeats on, p < 5 % after Holm's correction over all such tests in the run that could be significant, for any of: drift over the run (Mann-Kendall); position in the round among the trials on the host (Spearman, by permutation); the trial that ran just before (Kruskal-Wallis, by permutation). W if the effect is more than 3 %, else I",
	Source:  "Mann 1945; Spearman 1904; Kruskal and Wallis 1952; Holm 1979; the order of the repeats is random, so it can be tested",
	Example: "after fio/seq-write the figure is 1.31 x that after other trials (3 of 12 repeats; Kruskal-Wallis p .0002, p_Holm .004 of 20 tests)",
	Check: func(e Evidence) []assay.Finding {
		const id = "order-effect"
		var asked []question
		var found []assay.Finding
		turns := e.turns()
		for _, l := range e.looks() {
			if l.foreign() || len(l.reps) < stats.LeastForOrder {
				continue
			}
			reps, ok := l.inTime()
			if !ok && len(l.ordered()) > 0 {
				found = append(found, l.unchecked(id, l.ordered(), "start times of the repeats", "assay run records them; measure again"))
			}
			if !ok {
				continue
			}
			for _, metric := range l.ordered() {
				asked = append(asked, l.questions(metric, reps, turns)...)
			}
		}
		ps := make([]float64, len(asked))
		for i, q := range asked {
			ps[i] = q.P
		}
		for i, p := range stats.Holm(ps) {
			if p < orderLevel {
				found = append(found, asked[i].finding(id, p, len(asked)))
			}
		}
		return found
	},
}

// ordered returns the figures that are tested for order effects.
func (l look) ordered() []string {
	found := l.figures()
	for _, metric := range []string{"net.tcp.throughput", "net.udp.throughput", "net.rtt.median"} {
		if l.positive(metric) {
			found = append(found, metric)
		}
	}
	return found
}

// question is one statistical test of one figure.
type question struct {
	stats.OrderTest
	of              look
	metric          string
	effect, test    string // "from the first repeat to the last the figure becomes %s"; the test's name
	counts          string // its data
	message, advice string
}

// questions returns the tests of a figure that so many repeats can decide.
func (l look) questions(metric string, reps []assay.Repeat, turns map[slot]turn) (all []question) {
	var values, placed, places []float64
	var before []string
	for _, r := range reps {
		v, ok := value(r, metric)
		if !ok || !(v > 0) {
			continue
		}
		t := turns[slot{l.Trial.ID, r.N}]
		values, before = append(values, v), append(before, t.before)
		if t.placed {
			placed, places = append(placed, v), append(places, t.place)
		}
	}
	ask := func(t stats.OrderTest, q question) {
		if t.Least < orderLevel && t.Ratio > 0 {
			q.OrderTest, q.of, q.metric = t, l, metric
			all = append(all, q)
		}
	}
	if t, ok := stats.Drift(values); ok {
		ask(t, question{
			effect: "from the first repeat to the last the figure becomes %s", test: "Mann-Kendall", counts: fmt.Sprintf("%d repeats", t.N),
			message: "the figure drifted over the run: its repeats do not share one state, and the interval reflects more than chance",
			advice:  "find out what changed meanwhile (temperature, fill level, other load), or let it settle: a longer warm-up, more and longer repeats; comparisons within the run are fair, because its trials took turns",
		})
	}
	if t, ok := stats.Position(places, placed, orderSeed); ok {
		ask(t, question{
			effect: "from the first place of a round to the last the figure becomes %s", test: "Spearman", counts: fmt.Sprintf("%d repeats", t.N),
			message: "the figure depends on its position in the round: the trials before it leave something behind",
			advice:  "compare it only with runs of the same cases, or measure it alone: assay run --only " + l.named(),
		})
	}
	if t, ok := stats.CarryOver(before, values, orderSeed); ok {
		others := "others"
		if t.Others != "" {
			others = l.predecessor(t.Others)
		}
		ask(t.OrderTest, question{
			effect: "after " + l.predecessor(t.After) + " the figure is %s that after " + others, test: "Kruskal-Wallis", counts: fmt.Sprintf("%d of %d repeats", t.Times, t.N),
			message: "the figure depends on what ran just before it: its median is that of a mixture",
			advice:  "compare it only with runs of the same cases, or measure it alone: assay run --only " + l.named(),
		})
	}
	return all
}

// named returns the result's case as --only takes it.
func (l look) named() string {
	if len(l.Trial.Others) > 0 {
		return l.Trial.Probe + "/" + multiclient.Base(l.Trial)
	}
	name, _, _ := strings.Cut(l.Trial.ID, "@")
	return name
}

// predecessor returns the shortest name that tells a trial apart.
func (l look) predecessor(id string) string {
	switch name, subject, _ := strings.Cut(id, "@"); {
	case id == l.Trial.ID:
		return "itself"
	case subject == l.Trial.Subject.ID:
		return name
	}
	return id
}

// finding reports the outcome; p is corrected for that many tests.
func (q question) finding(rule string, p float64, tests int) assay.Finding {
	severity := assay.Informs
	if q.Ratio > orderNotable || q.Ratio < 1/orderNotable {
		severity = assay.Warns
	}
	return q.of.finding(rule, severity, []string{q.metric},
		fmt.Sprintf(q.effect+" (%s; %s p %s, p_Holm %s of %d tests)", times(q.Ratio), q.counts, q.test, small(q.P), small(p), tests),
		q.message, q.advice)
}

// small formats a p-value with two digits: .0002.
func small(p float64) string {
	return strings.TrimPrefix(strconv.FormatFloat(p, 'g', 2, 64), "0")
}

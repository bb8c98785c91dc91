package audit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
)

// turnOf is the turn of one repeat of a trial; round and place are shares from
// 0 to 1.
type turnOf struct {
	trial, before string // cases
	round, place  float64
}

// shuffled lets the first three or four of these trials of the good machine take turns in
// random order, 12 s apart, and gives their headlines noise and the effect of their turn.
func shuffled(trials int, seed uint64, rounds int, noise float64, effect func(turnOf) float64) func(*world) {
	return func(w *world) {
		random := rand.New(rand.NewPCG(seed, 8))
		cases := []string{"syncwrite", "seqwrite", "randread", "dd-write"}[:trials]
		var results []assay.Result
		for _, name := range cases {
			results = append(results, *w.at(name))
		}
		w.results = results
		samples := map[string][]assay.Repeat{}
		for i := range w.results {
			samples[cases[i]], w.results[i].Repeats = w.results[i].Repeats, nil
			w.results[i].Trial.Repeats = rounds
		}
		at, before := began, ""
		for round := range rounds {
			for place, k := range random.Perm(len(cases)) {
				name := cases[k]
				rep := samples[name][round%repeats]
				rep.N, rep.Started = round+1, at
				rep.Measurements = slices.Clone(rep.Measurements)
				how := turnOf{name, before, float64(round) / float64(rounds-1), float64(place) / float64(len(cases)-1)}
				factor := math.Exp(noise*random.NormFloat64()) * effect(how)
				for i := range rep.Measurements {
					switch m := &rep.Measurements[i]; {
					case strings.HasSuffix(m.Metric, ".iops"):
						m.Value = map[string]float64{"randread": 70000, "seqwrite": 400, "syncwrite": 12500}[name] * factor
					case strings.HasSuffix(m.Metric, ".bandwidth"):
						m.Value = map[string]float64{"randread": 287e6, "seqwrite": 419e6, "syncwrite": 51e6, "dd-write": 400e6}[name] * factor
					}
				}
				w.results[k].Repeats = append(w.results[k].Repeats, rep)
				at, before = at.Add(12*time.Second), name
			}
		}
	}
}

func still(turnOf) float64 { return 1 }

// after makes one case faster or slower when it follows another.
func after(name, before string, factor float64) func(turnOf) float64 {
	return func(t turnOf) float64 {
		if t.trial == name && t.before == before {
			return factor
		}
		return 1
	}
}

func TestOrderEffects(t *testing.T) {
	const id = "order-effect"
	warms := func(t turnOf) float64 {
		if t.trial == "randread" {
			return 1 + .12*t.place
		}
		return 1
	}
	check(t, []one{
		{id, "slower after the sequential write", shuffled(4, 1, 24, .01, after("syncwrite", "seqwrite", .7)), "W", "after probe/seqwrite the figure is 0.7"},
		{id, "of two predecessors each is named", shuffled(3, 2, 18, .01, after("syncwrite", "seqwrite", .7)), "W", "that after probe/"},
		{id, "an effect that matters to nobody", shuffled(4, 3, 24, .001, after("syncwrite", "seqwrite", .98)), "I", "after probe/seqwrite the figure is 0.979 x that after others (6 of 23 repeats"},
		{id, "faster the later in its round", shuffled(3, 3, 18, .01, warms), "W", "from the first place of a round to the last the figure becomes 1.1"},
		{id, "a drift", shuffled(3, 4, 18, .01, func(t turnOf) float64 { return 1 - .15*t.round }), "W", "from the first repeat to the last the figure becomes 0.8"},
		{id, "nothing but noise", shuffled(3, 5, 18, .03, still), "", ""},
		{id, "five repeats say nothing", shuffled(3, 6, 5, .001, after("syncwrite", "seqwrite", .5)), "", ""},
		{id, "as long after it nothing is left", func(w *world) {
			shuffled(3, 1, 18, .01, after("syncwrite", "seqwrite", .7))(w)
			for i := range w.results {
				for j := range w.results[i].Repeats {
					r := &w.results[i].Repeats[j]
					r.Started = began.Add(10 * r.Started.Sub(began))
				}
			}
		}, "", ""},
		{id, "of another host", func(w *world) {
			shuffled(3, 1, 18, .01, after("syncwrite", "seqwrite", .7))(w)
			w.at("seqwrite").Trial.Subject.Host = "elsewhere"
		}, "", ""},
		{id, "a figure of 0 has no ratio", func(w *world) {
			shuffled(3, 1, 18, .01, after("syncwrite", "seqwrite", .7))(w)
			for _, metric := range []string{"storage.write.iops", "storage.write.bandwidth"} {
				for i := range 17 {
					w.at("syncwrite").Repeats[i].Measurement(metric).Value = 0
				}
			}
		}, "", ""},
		{id, "no start times", func(w *world) {
			shuffled(3, 1, 18, .01, still)(w)
			for i := range w.results[0].Repeats {
				w.results[0].Repeats[i].Started = time.Time{}
			}
		}, "-", "start times of the repeats"},
	})
}

// The complete arithmetic, with what it is based on.
func TestTheArithmeticOfAnOrderEffect(t *testing.T) {
	w := good()
	shuffled(4, 1, 24, .001, after("syncwrite", "seqwrite", 1.31))(w)
	found := orderEffect.Check(w.evidence())
	if len(found) != 1 {
		t.Fatalf("%+v", found)
	}
	f := found[0]
	for _, part := range []string{"after probe/seqwrite the figure is 1.31 x that after others (", " repeats; Kruskal-Wallis p ", ", p_Holm .0", " of 12 tests)"} {
		if !strings.Contains(f.Arithmetic, part) {
			t.Errorf("%q is not in %q", part, f.Arithmetic)
		}
	}
	if f.Subject != w.at("syncwrite").Trial.ID || !slices.Equal(f.Metrics, []string{"storage.write.iops"}) || !strings.HasSuffix(f.Advice, "assay run --only probe/syncwrite") {
		t.Errorf("%+v", f)
	}
}

// Among a hundred runs of pure noise, no more have an order finding than the
// level allows, with nine tests each.
func TestOrderEffectsDoNotCryWolf(t *testing.T) {
	const runs = 400
	alarms := 0
	for seed := range uint64(runs) {
		w := good()
		shuffled(3, 1000+seed, 12, .05, still)(w)
		if len(orderEffect.Check(w.evidence())) > 0 {
			alarms++
		}
	}
	if most := orderLevel*runs + 3*math.Sqrt(orderLevel*(1-orderLevel)*runs); float64(alarms) > most {
		t.Errorf("%d of %d quiet runs have an effect of their order", alarms, runs)
	}
}

// A repeat's predecessor may be any trial of the host, including warm-ups, failed
// repeats and links whose far end it is; places count interleaved trials only.
func TestTurns(t *testing.T) {
	rep := func(n, at, lasts int, outcome assay.Outcome) assay.Repeat {
		return assay.Repeat{N: n, Started: began.Add(time.Duration(at) * time.Second), Elapsed: time.Duration(lasts) * time.Second, Outcome: outcome}
	}
	on := func(id, host, peer, order string, reps ...assay.Repeat) assay.Result {
		return assay.Result{Trial: assay.Trial{ID: id, Peer: peer, Order: order, Subject: assay.Subject{Host: host}}, Repeats: reps}
	}
	e := Evidence{Results: []assay.Result{
		on("first", "h", "", "first", rep(1, 0, 10, assay.Done)),
		on("a", "h", "", "", rep(0, 10, 10, assay.Done), rep(1, 40, 10, assay.Done), rep(2, 200, 10, assay.Done)),
		on("b", "h", "", "", rep(1, 20, 10, assay.Broke), rep(2, 210, 10, assay.Done)),
		on("link", "g", "h", "", rep(1, 30, 10, assay.Done), rep(2, 219, 10, assay.Done)),
		on("g's", "g", "", "", rep(1, 45, 10, assay.Done), rep(2, 215, 10, assay.Done)),
	}}
	var got []string
	all := e.turns()
	for _, s := range []slot{{"first", 1}, {"a", 0}, {"b", 1}, {"a", 1}, {"a", 2}, {"b", 2}, {"link", 1}, {"link", 2}, {"g's", 1}, {"g's", 2}} {
		turn := all[s]
		place := "-"
		if turn.placed {
			place = fmt.Sprint(turn.place)
		}
		got = append(got, fmt.Sprintf("%s %d: %s %s", s.trial, s.n, turn.before, place))
	}
	want := []string{
		"first 1:  -", "a 0: first -", "b 1: a 0", "a 1: link 1", "a 2:  0", "b 2: a 0.5", // 150 s idle before a 2
		"link 1:  0", "link 2:  1", "g's 1: link 1", "g's 2:  0", // link 2 overlaps, and 160 s idle before g's 2
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Repeats added until a figure was known are not in random order: they have no
// place and no meaningful predecessor.
func TestAddedRepeatsHaveNoTurn(t *testing.T) {
	var e Evidence
	for k, id := range []string{"a", "b"} {
		r := assay.Result{Trial: assay.Trial{ID: id, Repeats: 2, Subject: assay.Subject{Host: "h"}}}
		for n := 1; n <= 4; n++ {
			r.Repeats = append(r.Repeats, assay.Repeat{N: n, Outcome: assay.Done, Elapsed: 5 * time.Second, Started: began.Add(time.Duration(2*n+k) * 6 * time.Second)})
		}
		e.Results = append(e.Results, r)
	}
	turns := e.turns()
	for n := 1; n <= 4; n++ {
		got := turns[slot{"b", n}]
		if known := got.placed && got.before == "a"; known != (n <= 2) {
			t.Errorf("repeat %d: %+v", n, got)
		}
	}
}

package audit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"assay"
)

// stationary measures one trial repeats times on a machine where nothing
// changes but what ran right before. Each round runs every trial once, in an
// order of its own; the die follows its load within seconds, the heat sink
// within minutes. The sensors step by 1 °C.
func stationary(seed uint64) *world {
	random := rand.New(rand.NewPCG(seed, 1))
	w := good()
	r := w.only("cpu")
	w.facts.Sensors = []assay.Sensor{{Key: "coretemp/Package", Kind: "cpu"}, {Key: "coretemp/Core 0", Kind: "cpu"}, {Key: "coretemp/Core 1", Kind: "cpu"}}
	watts := []float64{65, 65, 15, 12, 8, 8, 25, 60, 20, 5} // by trial; the first is the one under test
	const sinkTau, dieTau, ambient = 120., 4., 25.
	sink, die := 35., 0.
	at, n := 0, 0
	for round := range 20 + repeats {
		for _, trial := range random.Perm(len(watts)) {
			var ticks []assay.Tick
			started := at
			for second := range lasts {
				sink += (ambient + .5*watts[trial] - sink) / sinkTau
				die += (.4*watts[trial] - die) / dieTau
				temps := map[string]float64{}
				for _, s := range w.facts.Sensors {
					temps[s.Key] = math.Round(sink + die + .7*random.NormFloat64())
				}
				ticks = append(ticks, assay.Tick{At: float64(second), Clock: 2.6e9, Temps: temps})
				at++
			}
			if trial == 0 && round >= 20 {
				r.Repeats[n].Started = began.Add(time.Duration(started) * time.Second)
				r.Repeats[n].Watch.Ticks = ticks
				n++
			}
			for range 2 { // between two trials
				sink += (ambient - sink) / sinkTau
				die -= die / dieTau
				at++
			}
		}
	}
	return w
}

func TestAStationaryMachineIsNotWarming(t *testing.T) {
	const seeds = 200
	var alarms []uint64
	for seed := range uint64(seeds) {
		if len(thermal.Check(stationary(seed).evidence())) > 0 {
			alarms = append(alarms, seed)
		}
	}
	if len(alarms)*50 >= seeds {
		t.Errorf("%d of %d stationary machines are said to warm up: seeds %v", len(alarms), seeds, alarms)
	}
}

func TestOneLongRepeatIsJudgedWithinItself(t *testing.T) {
	for _, c := range []struct {
		perMinute float64
		length    int // s
		want      int
	}{{4, 300, 1}, {.1, 300, 0}, {4, 60, 0}} {
		w := good()
		w.only("cpu")
		w.keep("cpu", 1)
		k := w.at("cpu").Repeats[0].Watch
		k.Ticks = nil
		for i := range c.length {
			k.Ticks = append(k.Ticks, assay.Tick{At: float64(i), Temps: map[string]float64{"coretemp/Package": 40 + c.perMinute*float64(i)/60}})
		}
		if got := thermal.Check(w.evidence()); len(got) != c.want {
			t.Errorf("%v °C/min over %d s: %+v", c.perMinute, c.length, got)
		}
	}
}

func TestFewRepeatsSayNothingOfWarming(t *testing.T) {
	w := good()
	r := w.only("cpu")
	w.keep("cpu", 4)
	for i := range r.Repeats {
		r.Repeats[i].Started = began.Add(time.Duration(i) * time.Minute)
		for j := range r.Repeats[i].Watch.Ticks {
			r.Repeats[i].Watch.Ticks[j].Temps = map[string]float64{"coretemp/Package": 40 + 5*float64(i)}
		}
	}
	if got := thermal.Check(w.evidence()); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}

// soaked gives the soak a clock and a temperature over 5 s of idling, 60 s of
// load and 20 s of cooling down, on a machine without a throttle counter.
func soaked(hot, from, to float64) *world {
	w := good()
	r := w.only("thermal")
	w.keep("thermal", 1)
	w.drop("thermal", "thermal.throttles")
	w.watch("thermal", func(k *assay.Watch) { k.Before.Throttles, k.After.Throttles = -1, -1 })
	r.Trial.Settings, r.Trial.Length = map[string]string{"idle": "5"}, time.Minute
	w.set("thermal", "thermal.clock.load", (from+to)/2)
	clock, temp := r.Repeats[0].Measurement("thermal.clock.load"), r.Repeats[0].Measurement("thermal.load")
	temp.Labels = map[string]string{"kind": "cpu", "sensor": "cpu_thermal/temp1"}
	for at := range 86 {
		hertz, celsius := 6e8, 45.
		if at > 5 && at <= 65 {
			hertz, celsius = from+(to-from)*float64(at-5)/60, hot
		}
		clock.Samples = append(clock.Samples, assay.Sample{At: float64(at), Value: hertz})
		temp.Samples = append(temp.Samples, assay.Sample{At: float64(at), Value: celsius})
	}
	return w
}

func TestTheClockStandsInForThrottlingCounters(t *testing.T) {
	for name, c := range map[string]struct {
		hot, from, to float64
		want          []assay.Severity
	}{
		"a Raspberry Pi that throttles":  {84, 2.4e9, 1.5e9, []assay.Severity{assay.Warns, assay.NotChecked}},
		"a clock that holds":             {84, 2.4e9, 2.35e9, []assay.Severity{assay.NotChecked}},
		"a clock that falls in the cool": {55, 2.4e9, 1.5e9, []assay.Severity{assay.NotChecked}},
	} {
		var got []assay.Severity
		found := thermal.Check(soaked(c.hot, c.from, c.to).evidence())
		for _, f := range found {
			got = append(got, f.Severity)
			if f.Severity == assay.NotChecked && f.Missing != "thermal throttling counters" {
				t.Errorf("%s: misses %q", name, f.Missing)
			}
			if f.Severity == assay.Warns && f.Message != "the clock fell from 2,220 MHz to 1,642 MHz under load: the CPU is throttling" {
				t.Errorf("%s: %s | %s", name, f.Arithmetic, f.Message)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func TestTheClockIsNotComparedWithoutASoak(t *testing.T) {
	for name, spoil := range map[string]func(w *world){
		"counters": func(w *world) { w.set("thermal", "thermal.throttles", 0) },
		"watch's own": func(w *world) {
			w.watch("thermal", func(k *assay.Watch) { k.Before.Throttles, k.After.Throttles = 7, 7 })
		},
		"no temperature": func(w *world) { w.at("thermal").Repeats[0].Measurement("thermal.load").Samples = nil },
		"another sensor": func(w *world) { w.at("thermal").Repeats[0].Measurement("thermal.load").Labels["kind"] = "drive" },
		"no length":      func(w *world) { w.at("thermal").Trial.Length = 0 },
		"odd settings":   func(w *world) { w.at("thermal").Trial.Settings["idle"] = "NaN" },
	} {
		w := soaked(84, 2.4e9, 1.5e9)
		spoil(w)
		for _, f := range thermal.Check(w.evidence()) {
			if f.Severity != assay.NotChecked {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

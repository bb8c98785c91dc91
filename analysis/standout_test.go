package analysis

import (
	"slices"
	"strings"
	"testing"
)

// hosts makes one sample per host, a to z, from its repeats.
func hosts(repeats ...[]float64) []sample {
	var out []sample
	for i, r := range repeats {
		out = append(out, sampleOf(figure("net.tcp.throughput", "", r, 1), string(rune('a'+i))))
	}
	return out
}

func around(v float64) []float64 { return []float64{v * .98, v, v * 1.02} }

func TestStandOut(t *testing.T) {
	one := func(v float64) []float64 { return []float64{v} }
	for name, k := range map[string]struct {
		samples []sample
		least   float64
		want    string // odd hosts, - below, + above
	}{
		"one slow of four":                      {samples: hosts(around(100), around(101), around(99), around(10)), want: "d-"},
		"one fast of four":                      {samples: hosts(around(100), around(400), around(99), around(98)), want: "b+"},
		"all alike":                             {samples: hosts(around(100), around(101), around(99), around(102))},
		"a fifth less is no outlier":            {samples: hosts(around(100), around(101), around(99), around(81))},
		"noise: its repeats reach the others":   {samples: hosts(around(100), around(101), around(99), []float64{10, 60, 99})},
		"noise: the others reach it":            {samples: hosts([]float64{40, 100, 110}, around(101), around(99), around(50))},
		"the others differ as much":             {samples: hosts(around(100), around(60), around(160), around(40))},
		"the others differ, but far less":       {samples: hosts(around(100), around(90), around(120), around(10)), want: "d-"},
		"two slow of four: nobody can say":      {samples: hosts(around(100), around(101), around(10), around(11))},
		"two slow of four, unlike each other":   {samples: hosts(around(100), around(101), around(10), around(1))},
		"two slow of five":                      {samples: hosts(around(100), around(101), around(10), around(1), around(99)), want: "c- d-"},
		"one slow and one fast of five":         {samples: hosts(around(100), around(101), around(10), around(1000), around(99)), want: "c- d+"},
		"one of three":                          {samples: hosts(around(100), around(10), around(99)), want: "b-"},
		"two hosts are too few":                 {samples: hosts(around(100), around(10))},
		"none":                                  {},
		"one reading each, and half again more": {samples: hosts(one(9), one(12), one(10), one(26)), want: "d+"},
		"one reading each, and a third more":    {samples: hosts(one(10), one(10), one(10), one(13.5))},
		"a few repeats, that differ more":       {samples: hosts([]float64{411, 427}, one(459), []float64{419, 480}, []float64{33, 211})},
		"a few repeats, that differ less":       {samples: hosts([]float64{411, 427}, one(459), []float64{419, 480}, []float64{33, 60}), want: "d-"},
		"a ratio of next to nothing":            {samples: hosts(one(1), one(1), one(1), one(3)), least: 5},
		"zero has no ratio":                     {samples: hosts(one(0), one(1), one(1), one(1))},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, o := range standOut(k.samples, k.least, eitherSide) {
				got = append(got, o.key+map[bool]string{true: "-", false: "+"}[o.below])
			}
			slices.Sort(got)
			if g := strings.Join(got, " "); g != k.want {
				t.Errorf("odd are %q, want %q", g, k.want)
			}
		})
	}
}

func TestStandOutSaysByHowMuch(t *testing.T) {
	got := standOut(hosts(around(100), around(120), around(110), around(11)), 0, eitherSide)
	if len(got) != 1 || got[0].ratio != 10 || got[0].typical != 110 || got[0].from != 100 || got[0].to != 120 || got[0].mid != 11 {
		t.Errorf("%+v", got)
	}
}

// The metric decides whether more is worse.
func TestBetterAndWorse(t *testing.T) {
	for _, k := range []struct {
		below  bool
		better string
		want   string
	}{{true, "higher", "worse"}, {false, "higher", "better"}, {true, "lower", "better"}, {false, "lower", "worse"}} {
		if got := oddWord(isBetter(odd{below: k.below}, k.better)); got != k.want {
			t.Errorf("below %v, where %s is better, is %s, want %s", k.below, k.better, got, k.want)
		}
	}
}

// Intervals are of the median: one stray repeat does not hide an outlier.
func TestAnIntervalCountsRatherThanTheExtremes(t *testing.T) {
	astray := append(slices.Repeat(around(10), 4), 100)
	if got := standOut(hosts(around(100), around(101), around(99), astray), 0, eitherSide); len(got) != 1 || got[0].key != "d" {
		t.Errorf("%+v", got)
	}
}

// On a ring of four hosts with one slow host, as many cables are slow as fast;
// only looking for slow outliers finds the host.
func TestOneSideAlone(t *testing.T) {
	way := func(v float64, a, b string) sample {
		return sampleOf(figure("net.tcp.throughput", "", around(v), 1), a, b)
	}
	ring := []sample{way(1, "a", "d"), way(1, "d", "a"), way(1, "c", "d"), way(1, "d", "c"), way(10, "a", "b"), way(10, "b", "a"), way(10, "b", "c"), way(10, "c", "b")}
	for wanted, want := range map[side]string{belowOnly: "d", aboveOnly: "b"} {
		if got := standOut(ring, 0, wanted); len(got) != 1 || got[0].key != want || got[0].below != (wanted == belowOnly) {
			t.Errorf("side %d: %+v, want %s", wanted, got, want)
		}
	}
}

// If something else ran, two or three repeats must be twice as far off: on a busy
// cluster, some host is always a third slower for a while.
func TestFewRepeatsBesideOtherWork(t *testing.T) {
	for slow, want := range map[float64]bool{760: false, 450: true} {
		all := hosts([]float64{1070, 1090}, []float64{slow * .98, slow}, []float64{960, 980})
		if got := len(standOut(all, 0, eitherSide)) == 1; !got {
			t.Errorf("%g of about 1000, and nothing else ran: not odd", slow)
		}
		all[0].disturbed = true
		if got := len(standOut(all, 0, eitherSide)) == 1; got != want {
			t.Errorf("%g of about 1000 beside other work: odd is %v, want %v", slow, got, want)
		}
	}
}

// A single reading beside other work is confirmed by the warm-ups if all of them
// agree.
func TestWarmUpsBearOut(t *testing.T) {
	for name, k := range map[string]struct {
		read, warm []float64
		want       bool
	}{
		"both":                           {[]float64{2480, 2770, 1030, 3030}, []float64{19900, 21000, 1120, 20500}, true},
		"no warm-ups":                    {[]float64{2480, 2770, 1030, 3030}, []float64{0, 0, 0, 0}, false},
		"one warm-up is missing":         {[]float64{2480, 2770, 1030, 3030}, []float64{19900, 0, 1120, 20500}, false},
		"its own is missing":             {[]float64{2480, 2770, 1030, 3030}, []float64{19900, 21000, 0, 20500}, false},
		"another's warm-up was slow too": {[]float64{2480, 2770, 1030, 3030}, []float64{19900, 1900, 1120, 20500}, false},
		"warm-ups alike":                 {[]float64{2480, 2770, 1030, 3030}, []float64{19900, 21000, 20000, 20500}, false},
		"the other direction":            {[]float64{2480, 2770, 1030, 3030}, []float64{1000, 1100, 9900, 1200}, false},
		"less than twice":                {[]float64{1900, 1990, 1030, 1950}, []float64{19900, 21000, 1120, 20500}, false},
		"more is clearer":                {[]float64{1000, 1030, 2900, 1010}, []float64{1000, 1100, 9900, 1200}, true},
	} {
		t.Run(name, func(t *testing.T) {
			var samples []sample
			for i, s := range hosts(k.read[:1], k.read[1:2], k.read[2:3], k.read[3:]) {
				s.disturbed, s.warmUp = true, k.warm[i]
				samples = append(samples, s)
			}
			odd := standOut(samples, 0, eitherSide)
			if got := len(odd) == 1 && odd[0].key == "c"; got != k.want {
				t.Errorf("got %+v", odd)
			}
		})
	}
}

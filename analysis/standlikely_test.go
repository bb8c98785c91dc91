package analysis

import (
	"math"
	"math/rand/v2"
	"testing"
)

// scattered makes one sample per host, of that many repeats spread as drawn; the
// first host is slower by the given factor.
func scattered(dice *rand.Rand, n, repeats int, slower float64, draw func(*rand.Rand) float64) []sample {
	var all [][]float64
	for i := range n {
		own := 100 * math.Exp(.1*dice.NormFloat64())
		if i == 0 {
			own /= slower
		}
		var values []float64
		for range repeats {
			values = append(values, own*draw(dice))
		}
		all = append(all, values)
	}
	return hosts(all...)
}

func spread(share float64) func(*rand.Rand) float64 {
	return func(dice *rand.Rand) float64 { return math.Exp(share * dice.NormFloat64()) }
}

// busy draws for a machine on which one repeat in five meets other work and is
// three times slower.
func busy(dice *rand.Rand) float64 {
	if dice.Float64() < .2 {
		return spread(.1)(dice) / 3
	}
	return spread(.1)(dice)
}

// Measures how often a host is suspected where none is slow, and how often one that
// is ten times slower. doc/statistics.md has these figures.
func TestErrorsOfTheLikely(t *testing.T) {
	const trials = 4000
	for _, c := range []struct {
		name           string
		hosts, repeats int
		draw           func(*rand.Rand) float64
		innocent       float64 // share of rows, at most
		found          float64 // at least
	}{
		{"10 %", 4, 3, spread(.1), 0, 1},
		{"30 %", 3, 3, spread(.3), .0005, .97},
		{"30 %", 4, 6, spread(.3), 0, .99},
		{"80 %", 4, 3, spread(.8), .002, .15},
		{"80 %", 4, 6, spread(.8), .0005, .35},
		{"other work", 3, 3, busy, .006, .75},
		{"other work", 4, 6, busy, .002, .90},
	} {
		innocents, found := 0, 0
		for i := range trials {
			dice := rand.New(rand.NewPCG(1, uint64(i)))
			if _, far, ok := likelyOdd(scattered(dice, c.hosts, c.repeats, 1, c.draw), belowOnly); ok && far >= likelyAlone {
				innocents++
			}
			if o, far, ok := likelyOdd(scattered(dice, c.hosts, c.repeats, 10, c.draw), belowOnly); ok && far >= likelyAlone && o.key == "a" {
				found++
			}
		}
		wrong, right := float64(innocents)/trials, float64(found)/trials
		t.Logf("%s, %d hosts, %d repeats: %.2f %% of rows accuse an innocent, %.1f %% find the culprit", c.name, c.hosts, c.repeats, 100*wrong, 100*right)
		if wrong > c.innocent || right < c.found {
			t.Errorf("%s, %d hosts, %d repeats: %.4f innocent, at most %v; %.4f found, at least %v", c.name, c.hosts, c.repeats, wrong, c.innocent, right, c.found)
		}
	}
}

// The demo cluster on a busy machine: random reads of 11.2k ± 79 % on healthy hosts,
// and of 1.05k ± 1.2 % on the one with a throttled disk.
func TestTheThrottledHostOfABusyCluster(t *testing.T) {
	samples := hosts(
		[]float64{11200, 5400, 17600, 9800, 20100, 11900}, []float64{9900, 12800, 4100, 15200, 11000, 18300},
		[]float64{1050, 1043, 1061, 1049, 1055, 1058}, []float64{13100, 8800, 19000, 5200, 10400, 12300})
	o, far, ok := likelyOdd(samples, belowOnly)
	if !ok || o.key != "c" || !o.below || far < likelyAlone || o.ratio < 9 || o.ratio > 12 {
		t.Errorf("%+v, %.1f deviations, %v", o, far, ok)
	}
	if _, _, ok := likelyOdd(samples, aboveOnly); ok {
		t.Error("nobody is faster")
	}
	for _, few := range [][]sample{samples[:2], hosts([]float64{1}, []float64{100}, []float64{100}), hosts([]float64{0, 1, 1}, around(5), around(5)), nil} {
		if _, _, ok := likelyOdd(few, eitherSide); ok {
			t.Errorf("too little to say: %+v", few)
		}
	}
}

// A suspect's repeat that is even further from the others does not clear it: of three
// hosts in QEMU, the third's disk takes 15 ms longer per write.
func TestAnEvenSlowerRepeatClearsNobody(t *testing.T) {
	o, far, ok := likelyOdd(hosts([]float64{70.9, 209.3, 146.5}, []float64{61.6, 114.5, 116.8}, []float64{11.8, .7, 14.8}), belowOnly)
	if !ok || o.key != "c" || far < likelyAlone {
		t.Errorf("%+v, %.1f deviations, %v", o, far, ok)
	}
}

package analysis

import "testing"

// On a ring, what two hosts that are no neighbours send each other is no line of its own:
// it is as slow as the slowest of those that it goes over.
func TestAPictureHasLinesThatAreThere(t *testing.T) {
	m := matrixOf("net.tcp.throughput", "higher", 4, func(from, to int) float64 {
		if from == 3 || to == 3 {
			return 1e9
		}
		return 10e9
	})
	m.each(func(from, to int, c *SideCell) {
		if (from+to)%2 == 0 {
			c.Via = "host4"
			c.Figure.Value = .5e9
		}
	})
	all := (&Side{Networks: []Matrix{m}}).Pictures()
	if len(all) != 1 || len(all[0].Ways) != 8 || all[0].Expected != 10e9 {
		t.Fatalf("%+v", all)
	}
	for _, w := range all[0].Ways {
		if want := map[bool]float64{true: .1, false: 1}[w.From == "host4" || w.To == "host4"]; w.Share != want {
			t.Errorf("%s to %s: %.2f of what is expected, want %.2f", w.From, w.To, w.Share, want)
		}
	}
}

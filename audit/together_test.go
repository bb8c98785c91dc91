package audit

import (
	"maps"
	"slices"
	"testing"

	"assay"
)

// severalAtOnce makes the result of one host that of three which did the same at
// once: the total first, then what each had.
func severalAtOnce(r *assay.Result) {
	for i := range r.Repeats {
		own := r.Repeats[i].Measurements
		var all []assay.Measurement
		add := func(times float64, label, value string) {
			for _, m := range own {
				m.Labels = maps.Clone(m.Labels)
				m.Labels[label] = value
				m.Value *= times
				all = append(all, m)
			}
		}
		add(3, "clients", "3")
		for _, host := range []string{"h", "i", "j"} {
			add(1, "host", host)
		}
		r.Repeats[i].Measurements = all
	}
}

// The bytes of three hosts are not held against the device of one: its own are.
func TestWhatSeveralHostsDidIsHeldAgainstOne(t *testing.T) {
	for _, name := range []string{"randread", "seqwrite"} {
		w := good()
		r := w.only(name)
		said := func() (rules []string) {
			for _, f := range Audit(w.evidence()) {
				if f.Severity == assay.Rejects || f.Severity == assay.Warns {
					rules = append(rules, f.Rule)
				}
			}
			return rules
		}
		before := said()
		severalAtOnce(r)
		if mistaken := said(); !slices.Contains(mistaken, "device-reconcile") {
			t.Fatalf("%s: the total held against one device: %v", name, mistaken)
		}
		r.Trial.Others = []assay.Subject{{Host: "i"}, {Host: "j"}}
		if got := said(); !slices.Equal(got, before) {
			t.Errorf("%s: on three hosts at once: %v, on one: %v", name, got, before)
		}
	}
}

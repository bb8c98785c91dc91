package audit

import (
	"maps"
	"strings"
	"testing"

	"assay"
)

// ownLoad returns a measurement of assay's own load on a bucket: busy is the
// share of its CPUs that the client used.
func ownLoad(busy float64, labels ...string) printout {
	p := requested("get", 160, .1, append([]string{"tool", "s3", "cpus", "4", "endpoint", "192.0.2.1:3900"}, labels...)...)
	p.figures["object.cpu"] = busy
	return p
}

func TestOwnObjectClient(t *testing.T) {
	lan := lineOf(10, 300e-6)
	const set = "128 MiB are read, and "
	checkForeign(t, []fires{
		{"client-saturated", "all processors", told(lan, ownLoad(.93)), "E", "the client used 93.0 % of the 4 CPUs available to it, against 80.0 %"},
		{"client-saturated", "one processor", told(lan, ownLoad(.93, "cpus", "1")), "E", "of the one CPU"},
		{"client-saturated", "half of them", told(lan, ownLoad(.5)), "", ""},
		{"cache-state", "cold", told(lan, ownLoad(.1, "cache", "cold: "+set+"the store has 32 MiB of memory")), "", ""},
		{"cache-state", "warm", told(lan, ownLoad(.1, "cache", "warm: 128 MiB that this run wrote")), "", ""},
		{"cache-state", "nobody knows", told(lan, ownLoad(.1, "cache", "unknown: "+set+"nobody knows the store's memory")), "W", "cache unknown: " + set + "nobody knows"},
	})
}

// With several hosts at once, the busiest client makes the total a lower bound,
// whether it is the first or another.
func TestOwnObjectClientsAtOnce(t *testing.T) {
	for _, c := range []struct {
		busy [3]float64
		says string
	}{
		{[3]float64{.93, .2, .2}, "the client on a used 93.0 % of the 4 CPUs"},
		{[3]float64{.2, .2, .93}, "the client on c used 93.0 % of the 4 CPUs"},
		{[3]float64{.85, .93, .2}, "the client on b used 93.0 % of the 4 CPUs"},
		{[3]float64{.79, .2, .2}, ""},
	} {
		e := told(lineOf(10, 300e-6), ownLoad(c.busy[0]))
		r := &e.Results[0]
		r.Trial.Subject.Host, r.Trial.Others = "a", []assay.Subject{{Host: "b"}, {Host: "c"}}
		for i := range r.Repeats {
			own := r.Repeats[i].Measurements
			add := func(label, value string, cpu float64) {
				for _, m := range own {
					m.Labels = maps.Clone(m.Labels)
					if m.Labels[label] = value; m.Metric == "object.cpu" {
						m.Value = cpu
					}
					r.Repeats[i].Measurements = append(r.Repeats[i].Measurements, m)
				}
			}
			r.Repeats[i].Measurements = nil
			add("clients", "3", max(c.busy[0], c.busy[1], c.busy[2]))
			for n, host := range []string{"a", "b", "c"} {
				add("host", host, c.busy[n])
			}
		}
		said := ""
		for _, f := range Audit(e) {
			if f.Rule == "client-saturated" {
				said += string(f.Severity) + " " + f.Arithmetic + " " + strings.Join(f.Metrics, ",")
			}
		}
		if c.says == "" && said != "" || c.says != "" && (!strings.HasPrefix(said, "E "+c.says) || !strings.Contains(said, "object.get.throughput")) {
			t.Errorf("%v: %q, want %q", c.busy, said, c.says)
		}
	}
}

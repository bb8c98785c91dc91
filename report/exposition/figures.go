package exposition

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/stats"
)

// apart lists the labels that distinguish measurements within a trial: the direction of
// a link, a sensor, an endpoint; and why a drive calls itself unhealthy.
var apart = []string{"cipher", "class", "clients", "critical_warning", "device", "direction", "endpoint", "level", "op", "sensor", "side", "test", "upper"}

// Figure is one metric of one trial over its counted repeats.
type Figure struct {
	Trial  assay.Trial
	Metric string
	// Labels are the measurement labels that distinguish it from others of the same
	// trial and metric.
	Labels   map[string]string
	Values   []float64 // in the order of measurement
	Rejected bool      // a finding says it cannot be true
}

// FiguresOf returns the figures of a run, in the order of its trials. Figures kept only
// for the audit are left out.
func FiguresOf(run assay.Run) (all []Figure) {
	for _, r := range run.Results {
		if r.Trial.Decides == "" {
			all = append(all, ofResult(run, r)...)
		}
	}
	return all
}

func ofResult(run assay.Run, r assay.Result) []Figure {
	found := map[string]*Figure{}
	var keys []string
	for _, rep := range r.Counted() {
		seen := map[string]bool{} // of duplicates within a repeat, the first counts
		for _, m := range rep.Measurements {
			about, known := assay.Describe(m.Metric)
			if !known || about.Support || !stats.Finite(m.Value) {
				continue
			}
			labels := telling(m.Labels)
			key := m.Metric + "\x00" + keyOf(labels)
			if seen[key] {
				continue
			}
			seen[key] = true
			f := found[key]
			if f == nil {
				f = &Figure{Trial: r.Trial, Metric: m.Metric, Labels: labels, Rejected: rejected(run, r.Trial.ID, m.Metric)}
				found[key] = f
				keys = append(keys, key)
			}
			f.Values = append(f.Values, m.Value)
		}
	}
	var all []Figure
	for _, key := range keys {
		all = append(all, *found[key])
	}
	return all
}

func telling(labels map[string]string) map[string]string {
	told := map[string]string{}
	for _, name := range apart {
		if v := labels[name]; v != "" {
			told[name] = v
		}
	}
	return told
}

func keyOf(labels map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		b.WriteString(name + "=" + labels[name] + "\x00")
	}
	return b.String()
}

// rejected reports whether the audit rejected the figure. A finding that names no
// metric rejects its whole trial.
func rejected(run assay.Run, trial, metric string) bool {
	return slices.ContainsFunc(run.Findings, func(f assay.Finding) bool {
		return f.Severity == assay.Rejects && f.Subject == trial && (len(f.Metrics) == 0 || slices.Contains(f.Metrics, metric))
	})
}

// pair is a label or a tag.
type pair struct{ name, value string }

// identity returns the labels that every voice gives a figure: where, what, how, and
// what tells it from its neighbours. None is empty.
func (f Figure) identity(suite string) []pair {
	t := f.Trial
	all := []pair{
		{"host", t.Subject.Host}, {"suite", suite}, {"case", t.Probe + "/" + t.Case}, {"subject", t.Subject.Name},
		{"peer", cmp.Or(t.Peer, t.Subject.Peer)}, {"network", t.Subject.Network}, {"tier", t.Subject.Tier}, {"volume", t.Subject.Volume},
	}
	for _, name := range slices.Sorted(maps.Keys(f.Labels)) {
		all = append(all, pair{name, f.Labels[name]})
	}
	return slices.DeleteFunc(all, func(p pair) bool { return p.value == "" })
}

// Identity returns the figure's Prometheus labels, for a run of that suite.
func (f Figure) Identity(suite string) map[string]string {
	all := map[string]string{}
	for _, p := range f.identity(suite) {
		all[p.name] = p.value
	}
	return all
}

// number formats a value with all its digits.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

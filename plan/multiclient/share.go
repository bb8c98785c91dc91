package multiclient

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay"
)

// key identifies the same figure on each host: its metric and, if a host has
// several of that metric, the labels that distinguish them (job, level,
// device).
type key struct{ metric, apart string }

// share is what one host measured.
type share struct {
	host  string
	all   []assay.Measurement
	keys  []key // of all
	index map[key]int
}

func newShare(host string, all []assay.Measurement) share {
	s := share{host: host, all: all, index: map[key]int{}}
	byMetric := map[string][]assay.Measurement{}
	for _, m := range all {
		byMetric[m.Metric] = append(byMetric[m.Metric], m)
	}
	telling := map[string][]string{}
	for metric, several := range byMetric {
		telling[metric] = unlike(several)
	}
	for i, m := range all {
		var words []string
		for _, label := range telling[m.Metric] {
			words = append(words, label+"="+m.Labels[label])
		}
		k := key{m.Metric, strings.Join(words, "\x00")}
		for n := 2; ; n++ { // identical figures are told apart by position
			if _, taken := s.index[k]; !taken {
				break
			}
			k.apart = fmt.Sprintf("%s\x00#%d", strings.Join(words, "\x00"), n)
		}
		s.keys, s.index[k] = append(s.keys, k), i
	}
	return s
}

// unlike returns the labels in which some measurements differ.
func unlike(several []assay.Measurement) []string {
	labels := map[string]bool{}
	for _, m := range several {
		for label := range m.Labels {
			labels[label] = true
		}
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(labels)), func(label string) bool {
		return !slices.ContainsFunc(several[1:], func(m assay.Measurement) bool {
			return m.Labels[label] != several[0].Labels[label]
		})
	})
}

// of returns the share's measurement, or nil.
func (s share) of(metric, apart string) *assay.Measurement {
	if i, there := s.index[key{metric, apart}]; there {
		return &s.all[i]
	}
	return nil
}

// operations returns how many operations the latencies of a stem
// ("storage.read.") are of: as counted by the tool, by its histogram, or from its
// rate and duration. ok is false if nothing tells.
func (s share) operations(stem, apart string) (n float64, ok bool) {
	for _, count := range []string{"ios", "requests"} {
		if m := s.of(stem+count, apart); m != nil {
			return m.Value, m.Value > 0
		}
	}
	if m := s.of(stem+"latency.mean", apart); m != nil && len(m.Histogram) > 0 {
		n := float64(0)
		for _, b := range m.Histogram {
			n += float64(b.Count)
		}
		return n, n > 0
	}
	for _, rate := range []string{"iops", "ops", "events_per_second"} {
		m, duration := s.of(stem+rate, apart), s.of("tool.duration", apart)
		if m != nil && duration != nil {
			n := m.Value * duration.Value
			return n, n > 0
		}
	}
	return 0, false
}

package exposition

import (
	"io"
	"maps"
	"slices"
	"time"

	"assay"
	"assay/internal/oneline"
)

// Watched are the metrics whose changes a watch reports: latency and throughput.
var Watched = []string{
	"storage.write.latency.p50", "storage.write.latency.p99", "storage.read.latency.p50", "storage.read.latency.p99",
	"net.rtt.median", "net.tcp.throughput",
}

// Change is a change point in a figure's history.
type Change struct {
	Host, Subject, Case, Peer string
	Metric                    string
	Verdict                   string // better, worse, higher, lower
	At                        time.Time
}

// Watch is what a watch exports to Prometheus.
type Watch struct {
	Run     assay.Run // the newest round; has no ID if there was none yet
	Changes []Change
	Failing []assay.Trial // those of the newest round that should have a figure and have none
	Every   time.Duration // 0 if unknown
	Failed  int           // failed rounds
}

// Write writes the newest figures and all known changes as OpenMetrics text for scraping.
func (w Watch) Write(to io.Writer) error { return w.families().write(to, "") }

// Sample is the value of a series.
type Sample struct {
	Metric string
	Labels map[string]string
	Value  float64
}

// Samples returns what Write writes, one sample per series.
func (w Watch) Samples() (all []Sample) {
	families := w.families()
	for _, name := range slices.Sorted(maps.Keys(families)) {
		seen := map[string]bool{}
		for _, s := range families[name].samples {
			if series := labelled(s.labels); seen[series] {
				continue
			} else {
				seen[series] = true
			}
			labels := map[string]string{}
			for _, l := range s.labels {
				labels[l.name] = oneline.Clean(l.value)
			}
			all = append(all, Sample{name, labels, s.value})
		}
	}
	return all
}

func (w Watch) families() families {
	all := families{}
	if w.Every > 0 {
		all.add("assay_watch_interval_seconds", "gauge", "seconds", "time between rounds", w.Every.Seconds(), nil)
	}
	all.add("assay_watch_failed_rounds", "gauge", "", "rounds that failed since the watch started", float64(w.Failed), nil)
	if w.Run.ID != "" {
		all.run(w.Run)
		all.failing(w)
	}
	newestFirst := func(a, b Change) int { return b.At.Compare(a.At) } // only the first sample of a series is written
	for _, c := range slices.SortedStableFunc(slices.Values(w.Changes), newestFirst) {
		labels := slices.DeleteFunc([]pair{{"host", c.Host}, {"case", c.Case}, {"subject", c.Subject}, {"peer", c.Peer}, {"metric", c.Metric}, {"verdict", c.Verdict}},
			func(p pair) bool { return p.value == "" })
		all.add("assay_change_time_seconds", "gauge", "seconds", "time of the last lasting change of the figure in label metric, in seconds since 1970", seconds(c.At), labels)
	}
	return all
}

// failing adds 1 for each trial that failed, and 0 for each that has a figure: a figure
// that is gone raises no alert by itself.
func (all families) failing(w Watch) {
	add := func(t assay.Trial, failed bool) {
		all.add("assay_trial_failed", "gauge", "", "1 if a trial of the newest round should have a figure and has none, 0 if it has one", truth(failed), Figure{Trial: t}.identity(w.Run.Suite))
	}
	for _, t := range w.Failing {
		add(t, true)
	}
	for _, r := range w.Run.Results {
		if len(r.Counted()) > 0 {
			add(r.Trial, false)
		}
	}
}

package exposition

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/oneline"
	"assay/stats"
)

// ContentType is the HTTP content type of OpenMetrics text.
const ContentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

// family is one metric with its samples.
type family struct {
	name, kind, unit, help string
	samples                []sample
}

type sample struct {
	labels []pair
	value  float64
}

// families collects samples by metric name.
type families map[string]*family

func (all families) add(name, kind, unit, help string, value float64, labels []pair) {
	f := all[name]
	if f == nil {
		f = &family{name: name, kind: kind, unit: unit, help: help}
		all[name] = f
	}
	f.samples = append(f.samples, sample{labels, value})
}

// OpenMetrics writes the figures of a run as OpenMetrics text, timestamped with the
// start of the run, so that old runs can be backfilled into Prometheus.
func OpenMetrics(w io.Writer, run assay.Run) error {
	all := families{}
	all.run(run)
	return all.write(w, " "+strconv.FormatInt(run.Started.Unix(), 10))
}

// quantiles are those exported to Prometheus, of fio's seventeen: each is a series of
// its own.
var quantiles = []string{"0.5", "0.9", "0.99", "0.999"}

func (all families) run(run assay.Run) {
	about := []pair{{"run", run.ID}, {"suite", run.Suite}, {"status", string(run.Status)}}
	all.add("assay_run_start_time_seconds", "gauge", "seconds", "start of the run, in seconds since 1970", seconds(run.Started), about)
	all.add("assay_run_duration_seconds", "gauge", "seconds", "how long the run took", run.Elapsed.Seconds(), about)
	for _, h := range run.Inventory.Hosts {
		if c := run.Inventory.Facts[h.Name].Clock; c != nil {
			all.add("assay_clock_offset_seconds", "gauge", "seconds", "offset of a host's clock from the one that asked, positive if ahead", c.Offset, []pair{{"host", h.Name}, {"suite", run.Suite}})
		}
	}
	for _, f := range FiguresOf(run) {
		n, known := NameOf(f.Metric)
		if !known || n.Quantile != "" && !slices.Contains(quantiles, n.Quantile) {
			continue
		}
		s := stats.Summarise(f.Values)
		labels := f.identity(run.Suite)
		of := append(slices.Clone(labels), pair{"metric", f.Metric})
		kind := "gauge"
		if n.Quantile != "" {
			kind, labels = "summary", append(labels, pair{"quantile", n.Quantile})
		}
		all.add(n.Metric, kind, n.Unit, n.Help, s.Center, labels)
		all.add("assay_figure_repeats", "gauge", "", "number of repeats behind the median in label metric", float64(s.N), of)
		all.add("assay_figure_rejected", "gauge", "", "1 if the audit rejected the figure in label metric as impossible or spoilt, otherwise 0", truth(f.Rejected), of)
	}
}

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// write writes the families by name, with the first sample of each series. at is
// appended to each sample.
func (all families) write(w io.Writer, at string) error {
	out := bufio.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		f := all[name]
		write(out, "# HELP ", name, " ", escapedHelp(f.help), "\n# TYPE ", name, " ", f.kind, "\n")
		if f.unit != "" {
			write(out, "# UNIT ", name, " ", f.unit, "\n")
		}
		seen := map[string]bool{}
		for _, s := range f.samples {
			series := name + labelled(s.labels)
			if !seen[series] {
				seen[series] = true
				write(out, series, " ", number(s.value), at, "\n")
			}
		}
	}
	write(out, "# EOF\n")
	return out.Flush()
}

// write writes words; the error stays in out until Flush.
func write(out *bufio.Writer, words ...string) {
	for _, word := range words {
		_, _ = out.WriteString(word)
	}
}

// Series formats a series as Prometheus does: its metric, then its labels by
// name.
func Series(metric string, labels map[string]string) string {
	var all []pair
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		all = append(all, pair{name, labels[name]})
	}
	return metric + labelled(all)
}

func labelled(labels []pair) string {
	if len(labels) == 0 {
		return ""
	}
	var words []string
	for _, l := range labels {
		words = append(words, l.name+`="`+escapedLabel(l.value)+`"`)
	}
	return "{" + strings.Join(words, ",") + "}"
}

var (
	helpEscapes  = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
	labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

func escapedHelp(text string) string { return helpEscapes.Replace(oneline.Clean(text)) }

func escapedLabel(text string) string { return labelEscapes.Replace(oneline.Clean(text)) }

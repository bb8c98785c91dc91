package report

import (
	"cmp"
	"strings"

	"assay"
	"assay/analysis"
	"assay/internal/order"
)

// bars returns every figure that has a ceiling, with the ceiling.
func bars(sections []Section) []Bar {
	var out []Bar
	for _, s := range sections {
		if s.ID == "network" && len(s.Rows) > analysis.ReadSingly {
			continue // one bar per link is too many: the matrices show them
		}
		for _, r := range s.Rows {
			for _, f := range r.Figures {
				if f.Ceiling != nil {
					out = append(out, Bar{Title: r.Title, Value: f.Value, Unit: f.Unit, Ceiling: *f.Ceiling, Rejected: f.Rejected})
				}
			}
		}
	}
	return out
}

// curvePercentiles are the points of latency curves; more nines than the
// samples support are left out.
var curvePercentiles = []float64{
	1, 5, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 92.5, 95, 97, 98, 99, 99.5, 99.7, 99.8, 99.9, 99.95, 99.97, 99.99, 99.995, 99.999,
}

// latencyCurves returns one curve for each histogram of the trials, summed over
// all counted repeats.
func latencyCurves(run assay.Run) []Curve {
	var out []Curve
	title := plotTitles(run.Results)
	for _, r := range run.Results {
		for _, dir := range []string{"read", "write", "trim"} {
			bins := mergedBins(r, "storage."+dir+".latency.mean")
			if len(bins) == 0 {
				continue
			}
			c := Curve{Title: title(r.Trial), Trial: r.Trial.ID}
			for _, b := range bins {
				c.Count += b.Count
			}
			for _, p := range curvePercentiles {
				// Fewer than ten operations beyond a percentile are too few to
				// show it.
				if float64(c.Count)*(1-p/100) >= 10 {
					c.Points = append(c.Points, [2]float64{p, percentileOf(bins, c.Count, p)})
				}
			}
			if len(c.Points) > 0 {
				out = append(out, c)
			}
		}
	}
	return out
}

// plotTitles tells trials apart in a picture: those that share a title say what they
// were measured on, by the user's name for it if it is a tier.
func plotTitles(results []assay.Result) func(assay.Trial) string {
	shared := map[string]int{}
	for _, r := range results {
		shared[r.Trial.Title]++
	}
	return func(t assay.Trial) string {
		if shared[t.Title] < 2 {
			return t.Title
		}
		return t.Title + ", " + cmp.Or(t.Subject.Tier, strings.TrimPrefix(t.Subject.ID, t.Subject.Host+"/"))
	}
}

// mergedBins adds up the histograms of one metric over the counted repeats.
func mergedBins(r assay.Result, metric string) []assay.Bin {
	counts := map[float64]int64{}
	for _, rep := range r.Counted() {
		if m := rep.Measurement(metric); m != nil {
			for _, b := range m.Histogram {
				counts[b.Upper] += b.Count
			}
		}
	}
	bins := make([]assay.Bin, 0, len(counts))
	for upper, n := range counts {
		bins = append(bins, assay.Bin{Upper: upper, Count: n})
	}
	order.Stable(bins, func(a, b assay.Bin) int { return cmp.Compare(a.Upper, b.Upper) })
	return bins
}

// percentileOf returns the nearest-rank percentile of sorted bins.
func percentileOf(bins []assay.Bin, total int64, p float64) float64 {
	rank := float64(total) * p / 100
	seen := int64(0)
	for _, b := range bins {
		seen += b.Count
		if float64(seen) >= rank {
			return b.Upper
		}
	}
	return bins[len(bins)-1].Upper
}

// timelines returns the storage trials' throughput over the run: operations for
// small blocks, bytes for large ones.
func timelines(run assay.Run) []Series {
	var out []Series
	title := plotTitles(run.Results)
	for _, r := range run.Results {
		metric := timelineMetric(r)
		if metric == "" {
			continue
		}
		m, _ := assay.Describe(metric)
		s := Series{Title: title(r.Trial), Trial: r.Trial.ID, Unit: m.Unit}
		for _, rep := range r.Repeats {
			from := rep.Started.Sub(run.Started).Seconds()
			s.Spans = append(s.Spans, Span{From: from, To: from + rep.Elapsed.Seconds(), Warmup: rep.N == 0})
			if sampled := rep.Measurement(metric); sampled != nil {
				for _, p := range sampled.Samples {
					s.Points = append(s.Points, [2]float64{from + p.At, p.Value})
				}
			}
		}
		if len(s.Points) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// timelineMetric picks what to draw of a trial, by its block size.
func timelineMetric(r assay.Result) string {
	for _, rep := range r.Repeats {
		for _, m := range rep.Measurements {
			if !strings.HasPrefix(m.Metric, "storage.") || len(m.Samples) == 0 {
				continue
			}
			small := !strings.HasSuffix(strings.ToLower(m.Labels["bs"]), "m")
			if small == strings.HasSuffix(m.Metric, ".iops") {
				return m.Metric
			}
		}
	}
	return ""
}

// heat returns what the watch recorded throughout the run. For several hosts it
// returns the temperatures alone: one clock line for all of them would describe
// none.
func heat(run assay.Run) Heat {
	h := Heat{}
	clock := Series{Title: "CPU clock", Unit: assay.Hertz}
	load := Series{Title: "CPU load", Unit: assay.One}
	temps := map[string]*Series{}
	several := len(run.Inventory.Hosts) > 1
	for _, r := range run.Results {
		host := ""
		if several {
			host = r.Trial.Subject.Host + ": "
		}
		for _, rep := range r.Repeats {
			from := rep.Started.Sub(run.Started).Seconds()
			h.Spans = append(h.Spans, Span{From: from, To: from + rep.Elapsed.Seconds(), Title: r.Trial.Title, Warmup: rep.N == 0})
			if rep.Watch == nil {
				continue
			}
			last := rep.Watch.Before.CPU
			for _, t := range rep.Watch.Ticks {
				at := from + t.At
				for key, c := range t.Temps {
					key = host + key
					if temps[key] == nil {
						temps[key] = &Series{Title: key, Unit: assay.Celsius}
					}
					temps[key].Points = append(temps[key].Points, [2]float64{at, c})
				}
				if t.Clock > 0 {
					clock.Points = append(clock.Points, [2]float64{at, t.Clock})
				}
				if share, ok := busyShare(last, t.CPU); ok {
					load.Points = append(load.Points, [2]float64{at, share})
				}
				last = t.CPU
			}
		}
	}
	for _, s := range temps {
		sortPoints(s.Points)
		h.Temps = append(h.Temps, *s)
	}
	order.Stable(h.Temps, func(a, b Series) int { return strings.Compare(a.Title, b.Title) })
	order.Stable(h.Spans, func(a, b Span) int { return int(1000 * (a.From - b.From)) })
	for s, into := range map[*Series]**Series{&clock: &h.Clock, &load: &h.Load} {
		if len(s.Points) > 0 && !several {
			sortPoints(s.Points)
			*into = s
		}
	}
	return h
}

// busyShare returns the share of the CPU time between two readings that was not
// idle. Less than a fifth of a second is too short to measure in ticks of 10
// ms.
func busyShare(a, b assay.CPUTime) (float64, bool) {
	total := b.Total() - a.Total()
	if total < .2 {
		return 0, false
	}
	idle := b.Idle + b.IOWait - a.Idle - a.IOWait
	return min(max(1-idle/total, 0), 1), true
}

func sortPoints(p [][2]float64) {
	order.Stable(p, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
}

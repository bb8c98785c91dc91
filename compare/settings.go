package compare

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/stats"
)

// asides are labels and settings that tell where a figure came from, or what
// else came out, rather than how it was measured.
var asides = []string{
	"addresses", "buffers", "cpu_share", "cut", "derived", "direction", "drive", "echoes", "file", "from", "from_address", "headline", "host",
	"interval", "job", "least_share", "llc", "max", "min", "most_share", "moved", "network_asked", "observer", "own_interface", "passes",
	"pool", "prefix", "records", "requested_iodepth", "role", "samples", "sensor", "sensors", "settled", "side", "summary", "thread_events",
	"thread_events_stddev", "to", "to_address",
	// The actual length is compared: see length.
	"runtime", "ramp_time", "time", "settle",
}

// circumstances are labels that tell what was measured on.
var circumstances = []string{"interface", "interface_mtu", "network", "peer_interface", "pmtu", "route", "route_back", "version"}

// happened maps a requested setting to the label with its actual value.
var happened = map[string]string{
	"rw": "pattern", "numjobs": "jobs", "level": "scope", "mode": "protocol", "op": "pattern", "kind": "tool",
}

// driftingLength is assay.NearLength for figures that change with time.
const driftingLength = .25

// trendLevel is the p below which the repeats of a figure follow a trend. With many
// figures tested, one in twenty of those that are only noise would be too many.
const trendLevel = .01

// driftRules are the audit's rules for figures that change while they are measured.
var driftRules = []string{"order-effect", "slc-cliff", "steady-state"}

// settings returns how a series was measured: the actual values, or else those
// requested.
func (s *series) settings() map[string]string {
	all := map[string]string{}
	for name, value := range s.Result.Trial.Settings {
		if _, told := s.labels[happened[name]]; !told {
			all[name] = value
		}
	}
	for name, value := range s.labels {
		all[name] = value
	}
	if s.Result.Scratch.Bytes > 0 && all["size"] != "" {
		all["size"] = whole(float64(s.Result.Scratch.Bytes))
	}
	if cache := all["cache"]; cache != "" { // warm or cold: the rest has other settings in words
		all["cache"], _, _ = strings.Cut(cache, ":")
	}
	for name := range all {
		if slices.Contains(asides, name) || slices.Contains(circumstances, name) {
			delete(all, name)
		}
	}
	return all
}

// length returns how long one repeat measured in s: as reported by the tools,
// else as requested; 0 if unknown.
func (s *series) length() float64 {
	if v := s.Result.Values(durationMetric); len(v) > 0 {
		return stats.Median(v)
	}
	return s.Result.Trial.Length.Seconds()
}

// planned returns how long one repeat was to measure, if some ended as soon as the mean
// was known: how long that took is a result.
func (s *series) planned() float64 {
	for _, rep := range s.Result.Counted() {
		for _, m := range rep.Measurements {
			if m.Metric == durationMetric && m.Labels["ended"] == "asked" && s.Result.Trial.Length > 0 {
				return s.Result.Trial.Length.Seconds()
			}
		}
	}
	return s.length()
}

// workMetrics are what a repeat moved: see work.
var workMetrics = []string{"storage.read.bytes", "storage.write.bytes"}

// work returns how many bytes a repeat moved, 0 if unreported.
func (s *series) work() float64 {
	total := 0.
	for _, metric := range workMetrics {
		if v := s.Result.Values(metric); len(v) > 0 {
			total += stats.Median(v)
		}
	}
	return total
}

// sameWork reports whether all moved the same bytes, as a tool that reads a whole file
// does: the time it takes is then the result, not a setting.
func sameWork(cells [][]*series) bool {
	least, most := math.Inf(1), 0.
	for _, cell := range cells {
		for _, s := range cell {
			least, most = min(least, s.work()), max(most, s.work())
		}
	}
	return least > 0 && assay.Near(least, most, assay.NearSize)
}

// drifts reports whether a figure changes with time: over its repeats, or within
// them if the audit found so in the samples.
func (s *series) drifts() bool {
	return stats.Trend(s.values) < trendLevel || s.found(func(f assay.Finding) bool {
		return f.Severity == assay.Warns && slices.Contains(driftRules, f.Rule)
	}) != ""
}

// unlikeSettings returns the settings that differ between the cells.
func unlikeSettings(cells [][]*series) []Difference {
	out := differences(cells, (*series).settings, assay.AlikeSetting)
	if sameWork(cells) {
		return out
	}
	if slices.ContainsFunc(slices.Concat(cells...), (*series).drifts) {
		return append(out, unlikeLengths(cells, (*series).length, driftingLength)...)
	}
	lengths := unlikeLengths(cells, (*series).length, assay.NearLength)
	if len(lengths) > 0 { // unless as long was planned
		lengths = unlikeLengths(cells, (*series).planned, assay.NearLength)
	}
	return append(out, lengths...)
}

// unlikeLengths returns the lengths in s if they differ by more than nearest between the
// cells.
func unlikeLengths(cells [][]*series, length func(*series) float64, nearest float64) []Difference {
	return differences(cells, func(s *series) map[string]string {
		if l := length(s); l > 0 {
			return map[string]string{"seconds": whole(math.Round(10*l) / 10)}
		}
		return nil
	}, func(_, a, b string) bool {
		x, _ := strconv.ParseFloat(a, 64)
		y, _ := strconv.ParseFloat(b, 64)
		return assay.Near(x, y, nearest)
	})
}

// differences lists by name the values that differ between cells. A value that a
// series lacks is unknown, not a difference. A cell whose series differ among
// themselves shows them all.
func differences(cells [][]*series, of func(*series) map[string]string, same func(name, a, b string) bool) []Difference {
	values := map[string][][]string{} // by name, for each cell
	for i, cell := range cells {
		for _, s := range cell {
			for name, value := range of(s) {
				if value == "" {
					continue
				}
				if values[name] == nil {
					values[name] = make([][]string, len(cells))
				}
				if !slices.Contains(values[name][i], value) {
					values[name][i] = append(values[name][i], value)
				}
			}
		}
	}
	var out []Difference
	for _, name := range sortedKeys(values) {
		all := slices.Concat(values[name]...)
		if !slices.ContainsFunc(all, func(v string) bool { return !same(name, all[0], v) }) {
			continue
		}
		d := Difference{Name: name}
		for _, v := range values[name] {
			d.Values = append(d.Values, strings.Join(v, ", "))
		}
		out = append(out, d)
	}
	return out
}

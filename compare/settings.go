package compare

import (
	"math"
	"slices"
	"strings"

	"assay"
	"assay/stats"
)

// asides are labels and settings that say where a figure is from, or what came
// out beside it, and not how it was measured.
var asides = []string{
	"addresses", "buffers", "cpu_share", "cut", "derived", "drive", "echoes", "file", "from", "from_address", "headline", "host", "job", "least_share", "llc",
	"max", "min", "most_share", "moved", "network_asked", "own_interface", "passes", "records", "requested_iodepth", "role", "samples", "sensor", "sensors", "settled", "side",
	"summary", "thread_events", "thread_events_stddev", "to", "to_address", "direction",
	// The length is compared as it was: see length.
	"runtime", "ramp_time", "time", "settle",
}

// circumstances are labels that say what was measured on.
var circumstances = []string{"interface", "interface_mtu", "network", "peer_interface", "pmtu", "route", "route_back", "version"}

// happened are the labels that tell a requested setting as it happened.
var happened = map[string]string{
	"rw": "pattern", "numjobs": "jobs", "level": "scope", "mode": "protocol", "op": "pattern", "kind": "tool",
}

// How far sizes and lengths may be apart and still be the same, as shares of the
// greater: those that assay chooses by itself follow the free space and the time
// there is. A figure that does not change with time is the same whatever the length
// of its repeats; twice as long is as far as that is believed.
const (
	nearSize       = .10
	nearLength     = .5
	driftingLength = .25 // of a figure that changes with time
)

// trendLevel is the p below which the repeats of a figure follow a trend. Many
// figures are asked, so that one in twenty of all those with nothing but noise would
// be too many.
const trendLevel = .01

// driftRules are the audit's rules for figures that change while they are measured.
var driftRules = []string{"order-effect", "slc-cliff", "steady-state"}

// settings says how a series was measured, as it happened and else as it was
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
	for name := range all {
		if slices.Contains(asides, name) || slices.Contains(circumstances, name) {
			delete(all, name)
		}
	}
	return all
}

// length is how long one repeat measured in s: as the tools say, else as was
// asked; 0 where nobody knows.
func (s *series) length() float64 {
	if v := s.Result.Values(durationMetric); len(v) > 0 {
		return stats.Median(v)
	}
	return s.Result.Trial.Length.Seconds()
}

// work is how many bytes a repeat moved, 0 where the tool does not say.
func (s *series) work() float64 {
	total := 0.
	for _, metric := range []string{"storage.read.bytes", "storage.write.bytes"} {
		if v := s.Result.Values(metric); len(v) > 0 {
			total += stats.Median(v)
		}
	}
	return total
}

// sameWork reports whether all moved the same bytes, as a tool does that reads a whole
// file: how long that takes is what it measures, and no setting.
func sameWork(cells [][]*series) bool {
	least, most := math.Inf(1), 0.
	for _, cell := range cells {
		for _, s := range cell {
			least, most = min(least, s.work()), max(most, s.work())
		}
	}
	return least > 0 && most-least <= nearSize*most
}

// drifts reports whether a figure changes with time: over its repeats, or, as the
// audit found in the samples, within them.
func (s *series) drifts() bool {
	return stats.Trend(s.values) < trendLevel || s.found(func(f assay.Finding) bool {
		return f.Severity == assay.Warns && slices.Contains(driftRules, f.Rule)
	}) != ""
}

// nearestLength is how far the lengths of what is compared may be apart.
func nearestLength(cells [][]*series) float64 {
	for _, cell := range cells {
		if slices.ContainsFunc(cell, (*series).drifts) {
			return driftingLength
		}
	}
	return nearLength
}

// unlikeSettings returns the settings that are not the same in all cells.
func unlikeSettings(cells [][]*series) []Difference {
	out := differences(cells, (*series).settings, sameSetting)
	if sameWork(cells) {
		return out
	}
	lengths := differences(cells, func(s *series) map[string]string {
		if l := s.length(); l > 0 {
			return map[string]string{"seconds": whole(math.Round(10*l) / 10)}
		}
		return nil
	}, func(_, a, b string) bool { return near(a, b, nearestLength(cells)) })
	return append(out, lengths...)
}

// sameSetting reports whether two values of a setting mean the same. Tools write
// sizes in several ways.
func sameSetting(name, a, b string) bool {
	if a == b {
		return true
	}
	switch name {
	case "size":
		return near(a, b, nearSize)
	case "bs", "block":
		return near(a, b, 0)
	}
	return strings.EqualFold(a, b)
}

// near compares two numbers, or sizes, by their ratio.
func near(a, b string, share float64) bool {
	x, okX := amount(a)
	y, okY := amount(b)
	return okX && okY && math.Abs(x-y) <= share*max(x, y)
}

// differences lists by name what is not the same in all the cells. What a series
// does not say is no difference: nobody knows. A cell of several series that
// differ among themselves shows them all.
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

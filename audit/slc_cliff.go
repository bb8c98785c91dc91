package audit

import (
	"fmt"
	"slices"

	"assay"
	"assay/stats"
)

var slcCliff = Rule{
	ID: "slc-cliff", Number: 31, Applies: "fio", Severities: "W",
	Title:   "Writes slow down halfway",
	Formula: "a change point in the write-bandwidth samples, all counted repeats in order (two levels, least squares over logarithms, BIC); median after it < .7 x median before, and three quarters of the samples after it below three quarters of those before; not for spinning disks",
	Source:  "flash drives buffer writes in cells used as SLC and must empty them later; .7 is a choice",
	Example: "2,500 MB/s for the first 25.0 GB, 600 MB/s after: 0.240 x",
	Check: func(e Evidence) []assay.Finding {
		const id, metric = "slc-cliff", "storage.write.bandwidth"
		var found []assay.Finding
		for _, l := range e.storage() {
			if !l.positive(metric) && !l.positive("storage.write.iops") || l.rotates() || l.label("write", "tool") == "dd" {
				continue // dd prints only one mean
			}
			if l.untilSteady("storage.write.iops") {
				continue // the figure is from after any cliff
			}
			series := l.writeSeries()
			if len(series) == 0 && l.foreign() && !l.fills() {
				continue
			}
			if len(series) < cliffSamples && l.foreign() {
				found = append(found, l.unchecked(id, l.figuresOf("write"), "write bandwidth over time", "output once a second shows it: fio --status-interval=1"))
				continue
			}
			if len(series) < cliffSamples {
				found = append(found, l.unchecked(id, l.figuresOf("write"), "write bandwidth over time",
					fmt.Sprintf("this needs %d samples a second apart, and there are %d: measure longer", cliffSamples, len(series))))
				continue
			}
			c, is := cliffIn(series)
			if !is {
				continue
			}
			found = append(found, l.finding(id, assay.Warns, l.figuresOf("write"),
				fmt.Sprintf("%s for the first %s, %s after: %s", rate(c.before), volume(c.bytes), rate(c.after), times(c.after/c.before)),
				"the drive's write cache filled up, or the drive got hot: anything written beyond this amount runs at the second speed, and the mean is neither",
				"quote both speeds; to measure the sustained one, write longer: "+l.again("write", map[string]string{"runtime": "600"})))
		}
		return found
	},
}

// fills reports whether it was a stream of large writes, which can fill a flash
// buffer.
func (l look) fills() bool {
	bs, ok := parseSize(l.label("write", "bs"))
	sync, fsync := l.flushesEach()
	return ok && bs > smallBlock && !sync && !fsync
}

// stretch is a write-bandwidth sample with the time it covers.
type stretch struct {
	rate    float64 // B/s
	seconds float64
}

func rates(series []stretch) []float64 {
	values := make([]float64, len(series))
	for i, s := range series {
		values[i] = s.rate
	}
	return values
}

// writeSeries returns the write bandwidth over all counted repeats; if a tool
// samples only operations, they are multiplied by the block size.
func (l look) writeSeries() []stretch {
	var series []stretch
	for _, r := range l.reps {
		m, scale := r.Measurement("storage.write.bandwidth"), 1.0
		if m == nil || len(m.Samples) == 0 {
			bs, ok := parseSize(l.label("write", "bs"))
			if m = r.Measurement("storage.write.iops"); m == nil || !ok {
				continue
			}
			scale = float64(bs)
		}
		before := 0.0
		for _, s := range m.Samples {
			if !stats.Finite(s.Value) || !stats.Finite(s.At) || s.Value < 0 {
				continue
			}
			lasted := s.At - before
			if !(lasted > 0) || lasted > 60 {
				lasted = 1
			}
			series = append(series, stretch{s.Value * scale, lasted})
			before = s.At
		}
	}
	return series
}

// cliff is where writes became slower for good.
type cliff struct {
	before, after float64 // B/s
	bytes         float64 // written before it
	at            int     // samples before it
}

// cliffIn finds a drop in write bandwidth; false if there is none.
func cliffIn(series []stretch) (cliff, bool) {
	all := rates(series)
	at, found := stats.Step(all, cliffSide)
	if !found {
		return cliff{}, false
	}
	c := cliff{before: stats.Median(all[:at]), after: stats.Median(all[at:]), at: at}
	if !(c.before > 0) || c.after >= cliffDrop*c.before || quantile(all[at:], .75) >= quantile(all[:at], .25) {
		return cliff{}, false
	}
	for _, s := range series[:at] {
		c.bytes += s.rate * s.seconds
	}
	return c, true
}

// fillsOverCliff reports whether a drive was filled once, which shows it fresh and then
// worn: its figure has one cliff, which slcCliff reports, and is steady on both sides as
// far as the samples can tell.
func (l look) fillsOverCliff() bool {
	if l.Trial.Repeats != 1 || l.label("write", "pattern") != "write" || !l.fills() || l.rotates() {
		return false
	}
	series := l.writeSeries()
	if len(series) < cliffSamples {
		return false
	}
	c, is := cliffIn(series)
	return is && !unsteady(rates(series[:c.at])) && !unsteady(rates(series[c.at:]))
}

// unsteady reports whether samples, if there are enough, are far from steady state.
func unsteady(series []float64) bool {
	s, ok := stats.SteadyState(series)
	return ok && len(series) >= steadySamples && !s.Steady
}

func quantile(values []float64, share float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(share*float64(len(sorted)-1))]
}

// rotates reports whether a physical disk under the subject spins; hypervisors
// often mark their disks as rotational, which proves nothing.
func (l look) rotates() bool {
	drives, _, _ := l.drives()
	for _, d := range drives {
		if d.Rotational != nil && *d.Rotational && !l.virtual(d) {
			return true
		}
	}
	return false
}

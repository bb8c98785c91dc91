package delays

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/analysis"
	"assay/lab/guest"
	"assay/stats"
)

// Place is where a delay is added to the bed, and the step that must show it.
type Place struct {
	Name, Step string
	added      func(put) time.Duration              // actual delay
	cost       func(analysis.Found) (float64, bool) // of the step, s
}

// put is the delay that was put in.
type put struct {
	ms      int
	waited  guest.Delays // average of the drive that measures
	flushes float64      // of it, per synchronous write, as the kernel counted
}

// drives returns the delays of the drives. One run tells them apart: each adds to its own
// step. Both are slow: otherwise replication, which waits for the slower one, would look
// slow. Writes are delayed where they reach the drive unflushed.
func (s Stack) drives() []Place {
	places := []Place{
		{"reads of the drive", "drive",
			func(p put) time.Duration { return p.waited.Read },
			func(f analysis.Found) (float64, bool) {
				w := waterfall(f, analysis.LayerRead)
				if w == nil || !strings.HasPrefix(w.Steps[0].Layer, "drive ") && !strings.Contains(w.Steps[0].Layer, ": drive ") {
					return 0, false
				}
				return w.Steps[0].Cost.Center, true
			}},
		{"flushes of the drive", s.Bottom + ", flush",
			func(p put) time.Duration { return time.Duration(p.flushes * float64(p.waited.Flush)) },
			func(f analysis.Found) (float64, bool) {
				return cost(f, func(step analysis.LayerStep) bool { return step.Layer == s.Bottom && step.Part == analysis.FlushStep })
			}},
	}
	if !s.cached {
		places = append(places, Place{"writes to the drive", s.Bottom + ", write",
			func(p put) time.Duration { return p.waited.Write },
			func(f analysis.Found) (float64, bool) {
				return cost(f, func(step analysis.LayerStep) bool { return step.Layer == s.Bottom && step.Part != analysis.FlushStep })
			}})
	}
	return places
}

// link has its own run: with slow drives, the step would also show how they differ.
var link = []Place{
	{"the link (netem)", Both,
		func(p put) time.Duration { return time.Duration(p.ms) * time.Millisecond },
		func(f analysis.Found) (float64, bool) {
			return cost(f, func(s analysis.LayerStep) bool { return s.Layer == Both })
		}},
}

// waterfall returns the waterfall of the tier with all layers, or nil if there
// is none.
func waterfall(f analysis.Found, load analysis.LayerLoad) *analysis.Waterfall {
	for _, w := range f.Waterfalls {
		if w.Top == Both && w.Load == load {
			return &w
		}
	}
	return nil
}

// cost adds up the selected steps of a synchronous write.
func cost(f analysis.Found, of func(analysis.LayerStep) bool) (sum float64, found bool) {
	w := waterfall(f, analysis.LayerDurable)
	if w == nil {
		return 0, false
	}
	for _, s := range w.Steps {
		if of(s) {
			sum, found = sum+s.Cost.Center, true
		}
	}
	return sum, found
}

// Finding is one delay, with the difference between a run with it and one
// without.
type Finding struct {
	Place         Place
	MS            int     // what was asked for
	Added         float64 // s, the actual delay
	Without, With float64 // s, the step
	Residual      float64 // share of the synchronous write that its steps do not account for
}

// Found returns the delay that was found, in s.
func (f Finding) Found() float64 { return f.With - f.Without }

// Error returns the relative error of that against the delay put in.
func (f Finding) Error() float64 { return f.Found()/f.Added - 1 }

// within is the largest relative error that counts as right.
const within = .15

// SlowDrives delays both drives by ms milliseconds, measures, and returns what
// it finds of each delay beyond the run without.
func (b *Bed) SlowDrives(ctx context.Context, w Wanted, without assay.Run, ms int) ([]Finding, error) {
	late := time.Duration(ms) * time.Millisecond
	by := guest.Delays{Read: late, Flush: late}
	if !b.cached {
		by.Write = late
	}
	b.Slow(by, by)
	defer b.Slow()
	w.Cases = "drive-randread-4k,randread-4k,write-4k,syncwrite-4k"
	return b.find(ctx, w, without, ms, b.drives())
}

// SlowLink is SlowDrives for the cable.
func (b *Bed) SlowLink(ctx context.Context, w Wanted, without assay.Run, ms int) ([]Finding, error) {
	w.Cases = "rtt,write-4k,syncwrite-4k"
	if err := b.Link(ctx, time.Duration(ms)*time.Millisecond); err != nil {
		return nil, err
	}
	all, err := b.find(ctx, w, without, ms, link)
	return all, errors.Join(err, b.Link(ctx, 0))
}

func (b *Bed) find(ctx context.Context, w Wanted, without assay.Run, ms int, places []Place) (all []Finding, err error) {
	with, _, err := b.Measure(ctx, w)
	if err != nil {
		return nil, err
	}
	in := put{ms, b.Waited(), flushes(with, b.Bottom)}
	before, after := analysis.Of(typical(without)), analysis.Of(typical(with))
	for _, p := range places {
		f := Finding{Place: p, MS: ms, Added: p.added(in).Seconds()}
		var was, is bool
		f.Without, was = p.cost(before)
		f.With, is = p.cost(after)
		if !was || !is {
			return all, fmt.Errorf("no step %q to show %s in", p.Step, p.Name)
		}
		if w := waterfall(after, analysis.LayerDurable); w != nil {
			f.Residual = w.Rest()
		}
		all = append(all, f)
	}
	return all, nil
}

// flushes returns how many flushes a drive had per synchronous write to a tier: Linux writes
// through to a device opened with O_SYNC and then flushes it, and a drive that can't write
// through (FUA) is flushed twice. It is NaN if none were counted.
func flushes(run assay.Run, tier string) float64 {
	var all []float64
	for _, r := range run.Results {
		if r.Trial.Subject.Tier != tier || r.Trial.Case != "syncwrite-4k" {
			continue
		}
		for _, repeat := range r.Counted() {
			bytes := repeat.Measurement("storage.write.bytes")
			if bytes == nil || repeat.Watch == nil {
				continue
			}
			most := int64(0)
			for name := range repeat.Watch.After.Devices {
				if d, ok := repeat.Watch.Device(name); ok {
					most = max(most, d.Flushes)
				}
			}
			all = append(all, float64(most)*4096/bytes.Value)
		}
	}
	return stats.Median(all)
}

// typical returns the run with medians in place of means. Suite layers compares means where
// some operations wait long, as they do in emulated guests that hit a transaction group of
// their pool: these wait for several flushes, which is more than was put in.
func typical(run assay.Run) assay.Run {
	run.Results = slices.Clone(run.Results)
	for i := range run.Results {
		r := &run.Results[i]
		r.Repeats = slices.Clone(r.Repeats)
		for n := range r.Repeats {
			repeat := &r.Repeats[n]
			repeat.Measurements = slices.Clone(repeat.Measurements)
			for k := range repeat.Measurements {
				m := &repeat.Measurements[k]
				stem, mean := strings.CutSuffix(m.Metric, ".mean")
				if median := repeat.Measurement(stem + ".p50"); mean && median != nil {
					m.Value = median.Value
				}
			}
		}
	}
	return run
}

// Table formats the findings as Markdown.
func Table(all []Finding) string {
	var t strings.Builder
	right := 0
	for _, f := range all {
		if math.Abs(f.Error()) <= within {
			right++
		}
	}
	fmt.Fprintf(&t, "%d of %d within %.0f %%.\n\n| delayed | asked for | really | step | without → with | found | error | residual |\n| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |\n", right, len(all), 100*within)
	for _, f := range all {
		fmt.Fprintf(&t, "| %s | %d ms | %.2f ms | %s | %.2f → %.2f ms | %.2f ms | %+.0f %% | %.0f %% |\n",
			f.Place.Name, f.MS, 1e3*f.Added, f.Place.Step, 1e3*f.Without, 1e3*f.With, 1e3*f.Found(), 100*f.Error(), 100*math.Abs(f.Residual))
	}
	return t.String()
}

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

// Place is where a delay is put into the bed, and the step that has to show it.
type Place struct {
	Name, Step string
	added      func(put) time.Duration              // what it really takes
	cost       func(analysis.Found) (float64, bool) // of the step, s
}

// put is what was put in.
type put struct {
	ms      int
	waited  guest.Delays // of the drive that measures, on average
	flushes float64      // of it, for each synchronous write, as the kernel counted
}

// drives are told apart in one run: each adds to a step of its own. Both drives are slow, or
// replication would be, which waits for the slower one. Writes are delayed
// where they reach it without a flush.
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

// link has a run of its own: beside slow drives the step shows how unlike they were, too.
var link = []Place{
	{"the link (netem)", Both,
		func(p put) time.Duration { return time.Duration(p.ms) * time.Millisecond },
		func(f analysis.Found) (float64, bool) {
			return cost(f, func(s analysis.LayerStep) bool { return s.Layer == Both })
		}},
}

// waterfall is the one of the tier with all layers; nil where there is none.
func waterfall(f analysis.Found, load analysis.LayerLoad) *analysis.Waterfall {
	for _, w := range f.Waterfalls {
		if w.Top == Both && w.Load == load {
			return &w
		}
	}
	return nil
}

// cost adds up steps of a synchronous write.
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

// Finding is one delay with what a run with it shows more than one without.
type Finding struct {
	Place         Place
	MS            int     // what was asked for
	Added         float64 // s, what it really takes
	Without, With float64 // s, the step
	Residual      float64 // what the steps of the synchronous write do not add up to, of the whole
}

// Found is what was found of the delay, in s.
func (f Finding) Found() float64 { return f.With - f.Without }

// Error is how far that is from what was put in, as a share of it.
func (f Finding) Error() float64 { return f.Found()/f.Added - 1 }

// within is how far what is found may be from what was put in.
const within = .15

// SlowDrives puts delays of so many ms into what both drives do, measures, and
// says what is found of each beyond what the run without had.
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

// SlowLink is SlowDrives of the cable instead.
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

// flushes is how many flushes a drive had for each synchronous write to a tier: Linux writes through
// to a device that is opened with O_SYNC and then flushes it, and a drive that can't write
// through (FUA) is flushed twice. NaN where none were counted.
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

// typical is a run in whose repeats medians stand for means. Suite layers compares means where
// some operations wait for long, as those do in emulated guests that meet a transaction group
// of their pool: they wait for several flushes, which is more than was put in.
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

// Table is what was found, in Markdown.
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

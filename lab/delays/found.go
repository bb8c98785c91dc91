package delays

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"assay"
	"assay/analysis"
	"assay/lab/guest"
)

// Place is where a delay is put into the bed, and the step that has to show it.
type Place struct {
	Name, Step string
	added      func(ms int, waited guest.Delays) time.Duration // what it really takes
	cost       func(analysis.Found) (float64, bool)            // of the step, s
}

// Places are told apart in one run: each adds to a step of its own. Both drives are slow, or
// the link's delay would hide behind the local drive's: a write waits for the slower replica.
var Places = []Place{
	{"reads of the drive", "drive",
		func(_ int, waited guest.Delays) time.Duration { return waited.Read },
		func(f analysis.Found) (float64, bool) {
			w := waterfall(f, analysis.LayerRead)
			if w == nil || !strings.HasPrefix(w.Steps[0].Layer, "drive ") && !strings.Contains(w.Steps[0].Layer, ": drive ") {
				return 0, false
			}
			return w.Steps[0].Cost.Center, true
		}},
	{"flushes of the drive", Below + ", flush",
		func(_ int, waited guest.Delays) time.Duration { return waited.Flush },
		func(f analysis.Found) (float64, bool) {
			return cost(f, func(s analysis.LayerStep) bool { return s.Layer == Below && s.Part == analysis.FlushStep })
		}},
	{"the link (netem)", Both,
		func(ms int, _ guest.Delays) time.Duration { return time.Duration(ms) * time.Millisecond },
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

// Find puts delays of so many ms into all places at once, measures, and says what is found in
// each beyond what the run without had.
func (b *Bed) Find(ctx context.Context, w Wanted, without assay.Run, ms int) (all []Finding, with assay.Run, err error) {
	by := time.Duration(ms) * time.Millisecond
	b.Slow(guest.Delays{Read: by, Flush: by}, guest.Delays{Read: by, Flush: by})
	if err := b.Link(ctx, by); err != nil {
		return nil, with, err
	}
	if with, _, err = b.Measure(ctx, w); err != nil {
		return nil, with, err
	}
	waited, before, after := b.Waited(), analysis.Of(without), analysis.Of(with)
	for _, p := range Places {
		f := Finding{Place: p, MS: ms, Added: p.added(ms, waited).Seconds()}
		var was, is bool
		f.Without, was = p.cost(before)
		f.With, is = p.cost(after)
		if !was || !is {
			return all, with, fmt.Errorf("no step %q to show %s in", p.Step, p.Name)
		}
		if waterfall := waterfall(after, analysis.LayerDurable); waterfall != nil {
			f.Residual = waterfall.Rest()
		}
		all = append(all, f)
	}
	return all, with, nil
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

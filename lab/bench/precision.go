package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/internal/marked"
	"assay/place/local"
	"assay/probe/fio"
	"assay/stats"
	"assay/stats/precision"
)

// Settings for measuring by the book and for measuring until a figure is known.
const (
	fixedLength  = time.Minute
	fixedRepeats = 3
	preciseStep  = 5 * time.Second // the baseline's repeat
	preciseMost  = 2 * time.Minute // then it gives up
	preciseBytes = 512 << 20

	preciseDevices = 5                // throttled, in parallel
	preciseBound   = 20 * time.Minute // no new ones start after this
)

// preciseCase is a load measured both ways.
type preciseCase struct {
	name  string
	set   map[string]string
	bound int // read IOPS limit of a throttled device; 0: the load is on a file
}

func load(name, rw, bs, engine, depth, direct, sync string) preciseCase {
	return preciseCase{name: name, set: map[string]string{"rw": rw, "bs": bs, "engine": engine, "iodepth": depth, "direct": direct, "sync": sync}}
}

// fileCases returns the loads on a file.
func fileCases() []preciseCase {
	return []preciseCase{
		load("4 KiB random read, depth 1", "randread", "4k", "psync", "1", "1", "0"),
		load("4 KiB random read, depth 32", "randread", "4k", "libaio", "32", "1", "0"),
		load("4 KiB random write, depth 32", "randwrite", "4k", "libaio", "32", "1", "0"),
		load("4 KiB synchronous write", "randwrite", "4k", "psync", "1", "1", "1"),
		load("4 KiB mix, 70 % reads", "randrw", "4k", "libaio", "16", "1", "0"),
		load("1 MiB sequential read", "read", "1m", "libaio", "16", "1", "0"),
		load("1 MiB sequential write", "write", "1m", "libaio", "16", "1", "0"),
		load("4 KiB random read from the page cache", "randread", "4k", "psync", "1", "0", "0"),
	}
}

// throttledCases returns the loads on loop devices, throttled to the speed of
// various kinds of drives.
func throttledCases() []preciseCase {
	throttled := func(name, rw, bs, depth string, bound int) preciseCase {
		c := load("throttled: "+name, rw, bs, "libaio", depth, "1", "0")
		c.bound = bound
		return c
	}
	return []preciseCase{
		throttled("4 KiB random read, depth 1, 200 a second", "randread", "4k", "1", 200),
		throttled("4 KiB random read, depth 4, 500 a second", "randread", "4k", "4", 500),
		throttled("4 KiB random read, depth 1, 2,000 a second", "randread", "4k", "1", 2000),
		throttled("8 KiB random read, depth 16, 3,000 a second", "randread", "8k", "16", 3000),
		throttled("16 KiB random read, depth 8, 1,500 a second", "randread", "16k", "8", 1500),
		throttled("64 KiB random read, depth 8, 800 a second", "randread", "64k", "8", 800),
		throttled("4 KiB random read, depth 32, 10,000 a second", "randread", "4k", "32", 10000),
		throttled("128 KiB sequential read, depth 1, 600 a second", "read", "128k", "1", 600),
		throttled("128 KiB sequential read, depth 8, 1,000 a second", "read", "128k", "8", 1000),
		throttled("1 MiB sequential read, depth 4, 200 a second", "read", "1m", "4", 200),
	}
}

// bothWays is the result of measuring a case both ways.
type bothWays struct {
	name    string
	met     bool
	repeats int
	took    float64 // s, until the figure was known or time ran out
	fixed   float64 // s, for 60 s x 3
	wide    float64 // half-width of the interval, as a share
	apart   float64 // relative difference of the two figures
	spread  float64 // of the three one-minute repeats: half their range, as a share
}

// measurePrecision measures each case until it is known to the default
// precision, and three times for a minute. The order alternates.
func measurePrecision(ctx context.Context, w wish, dir string, say func(string)) (_ []row, _ []string, err error) {
	works := gateWorks{place: local.New("here", ""), probe: fio.New()}
	if w.short || w.only == "" {
		return nil, []string{"precision: measured by `make bench ONLY=precision` alone, it takes 50 minutes"}, nil
	}
	found, err := works.onFile(ctx, dir, say)
	if err != nil {
		return nil, nil, err
	}
	throttled, err := works.onDevices(ctx, dir, say)
	var missing *cannotThrottle
	if err != nil && !errors.As(err, &missing) {
		return nil, nil, err
	}
	text := precisionMarkdown(append(found, throttled...))
	if missing != nil {
		text += "\nThrottled devices were not measured: " + missing.Error() + ".\n"
	}
	fmt.Print(text)
	if w.document == "" {
		return nil, nil, nil
	}
	return nil, nil, marked.Write(w.document, "bench precision", text)
}

// onFile measures the cases on a file, one after another.
func (g gateWorks) onFile(ctx context.Context, dir string, say func(string)) (found []bothWays, err error) {
	cases := fileCases()
	file, err := g.lentFile(ctx, preciseTrial(cases[0], dir), dir, filepath.Join(dir, "precise"))
	if err != nil {
		return nil, err
	}
	for i, c := range cases {
		say(fmt.Sprintf("precision: %s, %d of %d", c.name, i+1, len(cases)))
		one, err := g.bothWays(ctx, c.name, preciseTrial(c, dir), file, i%2 == 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		found = append(found, one)
	}
	return found, nil
}

// onDevices measures the cases on throttled devices, several in parallel: their
// limits are so low that they do not disturb each other.
func (g gateWorks) onDevices(ctx context.Context, dir string, say func(string)) (found []bothWays, err error) {
	cases := throttledCases()
	t, err := newThrottle(ctx, dir, preciseDevices)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.remove()) }()
	found = make([]bothWays, len(cases))
	err = atOnce(ctx, amount{len(cases), preciseBound}, preciseDevices, func(ctx context.Context, worker, i int) error {
		c, d := cases[i], t.devices[worker]
		if err := t.bound(d, c.bound); err != nil {
			return err
		}
		trial := preciseTrial(c, dir)
		trial.Subject = assay.Subject{ID: "here/device/throttled", Kind: assay.KindDevice, Host: "here", Name: d.path}
		trial.Risk, trial.Settings["size"] = assay.Reads, fmt.Sprint(gateBytes)
		say("precision: " + c.name)
		one, err := g.bothWays(ctx, c.name, trial, assay.Scratch{}, i%2 == 0)
		found[i] = one
		return err
	})
	return found, err
}

func preciseTrial(c preciseCase, dir string) assay.Trial {
	s := assay.Subject{ID: "here/directory/" + dir, Kind: assay.KindDirectory, Host: "here", Name: dir}
	t := gateTrial("precise", s, c.set)
	t.Settings["size"] = fmt.Sprint(preciseBytes)
	t.Scratch, t.Precision, t.Repeats, t.Bound = preciseBytes, stats.Precision, stats.LeastForInterval, 5*time.Minute
	return t
}

// bothWays measures one case both until its figure is known and by the book.
func (g gateWorks) bothWays(ctx context.Context, name string, t assay.Trial, on assay.Scratch, preciseFirst bool) (bothWays, error) {
	t.Length = 2 * time.Second
	if _, err := g.repeat(ctx, t, on); err != nil { // a warm-up
		return bothWays{}, err
	}
	b := bothWays{name: name}
	var known, book assay.Result
	untilKnown := func() (err error) {
		t.Length = preciseStep
		known, b.took, err = g.repeated(ctx, t, on, func(r assay.Result, took time.Duration) bool {
			s, _ := precision.Of(r)
			b.met, b.wide = s.Met, s.Wide
			return s.Met || took > preciseMost
		})
		return err
	}
	byTheBook := func() (err error) {
		t.Length = fixedLength
		book, b.fixed, err = g.repeated(ctx, t, on, func(r assay.Result, _ time.Duration) bool { return len(r.Repeats) == fixedRepeats })
		return err
	}
	steps := []func() error{untilKnown, byTheBook}
	if !preciseFirst {
		slices.Reverse(steps)
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return b, err
		}
	}
	metric := known.Headlines()[0]
	three := book.Values(metric)
	b.repeats = len(known.Repeats)
	b.apart = math.Abs(stats.Median(known.Values(metric))/stats.Median(three) - 1)
	b.spread = (slices.Max(three) - slices.Min(three)) / 2 / stats.Median(three)
	return b, nil
}

// repeated repeats a trial until enough returns true, and returns how long that
// took.
func (g gateWorks) repeated(ctx context.Context, t assay.Trial, on assay.Scratch, enough func(assay.Result, time.Duration) bool) (assay.Result, float64, error) {
	r := assay.Result{Trial: t}
	began := time.Now()
	for {
		rep, err := g.repeat(ctx, t, on)
		if err != nil {
			return r, 0, err
		}
		rep.N = len(r.Repeats) + 1
		rep.Transcript = assay.Transcript{}
		r.Repeats = append(r.Repeats, rep)
		if took := time.Since(began); enough(r, took) {
			return r, took.Seconds(), nil
		}
	}
}

// precisionMarkdown formats the results, and counts those known within a third
// of the time.
func precisionMarkdown(all []bothWays) string {
	var b strings.Builder
	within, met := 0, 0
	for _, c := range all {
		if c.met {
			met++
		}
		if c.met && c.took <= c.fixed/3 {
			within++
		}
	}
	fmt.Fprintf(&b, "%d of %d figures known to ± %g %% within %.0f s, %d of them in a third of the time of 60 s × 3; repeats of %g s:\n\n",
		met, len(all), 100*stats.Precision, preciseMost.Seconds(), within, preciseStep.Seconds())
	b.WriteString("| load | known to | repeats | took | 60 s × 3 took | ratio | the two figures differ by | the three of 60 s by |\n")
	b.WriteString("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, c := range all {
		known := fmt.Sprintf("± %.1f %%", 100*c.wide)
		if !c.met {
			known += ", not converged"
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %.0f s | %.0f s | %.2f | %.1f %% | ± %.1f %% |\n",
			c.name, known, c.repeats, c.took, c.fixed, c.took/c.fixed, 100*c.apart, 100*c.spread)
	}
	return b.String()
}

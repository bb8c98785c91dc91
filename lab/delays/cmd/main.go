package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/analysis"
	"assay/internal/marked"
	"assay/lab/delays"
	"assay/lab/guest"
	"assay/lab/internal/promised"
	"assay/lab/internal/verbs"
)

func main() { verbs.Main("delays", run) }

// wish is what the flags say.
type wish struct {
	assay, out, document string
	rounds, repeats      int
	delays               []int // ms
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("delays", flag.ContinueOnError)
	var w wish
	flags.StringVar(&w.assay, "assay", "bin/assay", "the binary that measures")
	flags.StringVar(&w.out, "out", "out", "directory for the pages of the two reports")
	flags.IntVar(&w.rounds, "rounds", 0, "how often -delays are put in and scored; 0 shows a slow flush and a slow link")
	emulated := flags.Bool("emulated", false, "score on ZFS in QEMU, where emulation hides a millisecond")
	put := flags.String("delays", "1,5,20", "in ms")
	flags.IntVar(&w.repeats, "repeats", 6, "of each case in a run")
	flags.StringVar(&w.document, "write", "", "also write the score into this document, between its marks")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for word := range strings.SplitSeq(*put, ",") {
		ms, err := strconv.Atoi(word)
		if err != nil || ms < 1 {
			return fmt.Errorf("-delays %q: milliseconds, separated by commas", *put)
		}
		w.delays = append(w.delays, ms)
	}
	if flags.NArg() > 0 || w.rounds < 0 || w.repeats < 1 {
		flags.Usage()
		return fmt.Errorf("cannot read %q with -rounds %d -repeats %d", flags.Args(), w.rounds, w.repeats)
	}
	if w.assay, err = filepath.Abs(w.assay); err != nil {
		return err
	}
	switch {
	case w.rounds == 0:
		return w.show(ctx, out)
	case *emulated:
		return on(ctx, delays.Emulated, out, w.score)
	default:
		return on(ctx, delays.Native, out, w.score)
	}
}

// on does something with a bed that is there for it alone.
func on(ctx context.Context, stack delays.Stack, out io.Writer, do func(context.Context, *delays.Bed, io.Writer) error) (err error) {
	if err := stack.Missing(); err != nil {
		return err
	}
	short, err := os.MkdirTemp("", "assay-delays-") // sockets' paths may not be long
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(short)) }()
	fmt.Fprintf(out, "booting two machines in %s\n", stack.In)
	began := time.Now()
	bed, err := delays.Up(ctx, filepath.Join(short, "bed"), stack)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bed.Down()) }()
	fmt.Fprintf(out, "up after %.0f s\n", time.Since(began).Seconds())
	return do(ctx, bed, out)
}

// What is shown: a drive whose flushes take that much longer, and a link that does.
const (
	slowFlush = 10 * time.Millisecond
	slowLink  = 2 * time.Millisecond
)

// show has a slow flush found under ZFS, and then a slow link where emulation does not hide it.
func (w wish) show(ctx context.Context, out io.Writer) error {
	if err := os.MkdirAll(w.out, 0o755); err != nil { //nolint:gosec // a directory for pages, as make's others
		return err
	}
	page, err := filepath.Abs(w.out)
	if err != nil {
		return err
	}
	wanted := delays.Wanted{Assay: w.assay, Cases: delays.Cases, Repeats: w.repeats, Report: filepath.Join(page, "layers.html")}
	if err := on(ctx, delays.Emulated, out, func(ctx context.Context, bed *delays.Bed, out io.Writer) error {
		bed.Slow(guest.Delays{Flush: slowFlush})
		return w.one(ctx, bed, wanted, fmt.Sprintf("each flush on pve1's drive is delayed by %v", slowFlush), out)
	}); err != nil {
		return err
	}
	wanted.Report = filepath.Join(page, "layers-link.html")
	return on(ctx, delays.Native, out, func(ctx context.Context, bed *delays.Bed, out io.Writer) error {
		if err := bed.Link(ctx, slowLink); err != nil {
			return err
		}
		return w.one(ctx, bed, wanted, fmt.Sprintf("packets from pve1 to pve2 are delayed by %v (netem)", slowLink), out)
	})
}

func (w wish) one(ctx context.Context, bed *delays.Bed, wanted delays.Wanted, what string, out io.Writer) error {
	fmt.Fprintf(out, "\nmeasuring for some minutes: %s\n", what)
	began := time.Now()
	_, printed, err := bed.Measure(ctx, wanted)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\nit was: %s; measured in %.0f s; the page is %s\n", printed, what, time.Since(began).Seconds(), wanted.Report)
	return nil
}

// score puts in delays, and then predicts what changes bring and makes them.
func (w wish) score(ctx context.Context, bed *delays.Bed, out io.Writer) error {
	wanted := delays.Wanted{Assay: w.assay, Cases: delays.Cases, Repeats: w.repeats}
	var found []delays.Finding
	var rows []promised.Row
	for round := range w.rounds {
		bed.Slow()
		if err := bed.Link(ctx, 0); err != nil {
			return err
		}
		if bed.Settles {
			fmt.Fprintf(out, "round %d: no delay, not counted\n", round+1)
			if _, _, err := bed.Measure(ctx, delays.Wanted{Assay: w.assay, Cases: delays.Cases, Repeats: 1}); err != nil {
				return err
			}
		}
		fmt.Fprintf(out, "round %d: no delay\n", round+1)
		without, _, err := bed.Measure(ctx, wanted)
		if err != nil {
			return err
		}
		for _, ms := range w.delays {
			fmt.Fprintf(out, "round %d: %d ms, drives\n", round+1, ms)
			drives, _, err := bed.SlowDrives(ctx, wanted, without, ms)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "round %d: %d ms, link\n", round+1, ms)
			link, with, err := bed.SlowLink(ctx, wanted, without, ms)
			if err != nil {
				return err
			}
			found = slices.Concat(found, drives, link)
			if rows, err = hold(rows, delays.Both+".replicas=1", lacking(with, delays.Alone), delays.Both, with, delays.Alone); err != nil {
				return err
			}
		}
		bed.Slow(guest.Delays{Flush: slowFlush})
		if rows, err = w.flushes(ctx, bed, without, rows); err != nil {
			return err
		}
		// What was found so far is worth reading, whatever comes of the next round.
		fmt.Fprintf(out, "\n%s\n%s\n", delays.Table(found), promised.Table(rows))
	}
	if w.document == "" {
		return nil
	}
	return errors.Join(marked.Write(w.document, "delays under DRBD", delays.Table(found)), marked.Write(w.document, "predictions in guests", promised.Table(rows)))
}

// lacking is a run without what was measured of a tier: nothing is predicted from what it is to be
// held against.
func lacking(run assay.Run, tier string) assay.Run {
	run.Results = slices.DeleteFunc(slices.Clone(run.Results), func(r assay.Result) bool { return r.Trial.Subject.Tier == tier })
	return run
}

// flushes predicts from flushes alone that are slow what it brings to have them fast, as in the
// run without delays, and on ZFS to have none, with sync=off.
func (w wish) flushes(ctx context.Context, bed *delays.Bed, without assay.Run, rows []promised.Row) ([]promised.Row, error) {
	one := delays.Wanted{Assay: w.assay, Cases: "write-4k,syncwrite-4k", Tiers: []string{bed.Bottom}, Repeats: w.repeats}
	before, _, err := bed.Measure(ctx, one)
	if err != nil {
		return rows, err
	}
	if rows, err = hold(rows, bed.Bottom+".drive=PLP", before, bed.Bottom, without, bed.Bottom); err != nil || bed.Bottom != delays.Below {
		return rows, err
	}
	if err := bed.Sync(ctx, "disabled"); err != nil {
		return rows, err
	}
	after, _, err := bed.Measure(ctx, one)
	if err := errors.Join(err, bed.Sync(ctx, "standard")); err != nil {
		return rows, err
	}
	return hold(rows, delays.Below+".sync=off", before, delays.Below, after, delays.Below)
}

// hold adds what a change was predicted to bring to the synchronous writes of a tier, with those
// of a tier after it.
func hold(all []promised.Row, change string, before assay.Run, of string, after assay.Run, in string) ([]promised.Row, error) {
	c, err := analysis.ParseChange(change)
	if err != nil {
		return all, err
	}
	rows := promised.Hold(c, before, after,
		func(p analysis.Prediction) string { return "synchronous writes of " + p.Storage },
		func(p, m analysis.Prediction) bool {
			return p.Storage == of && m.Storage == in && p.Unit == assay.PerSecond
		})
	return append(all, rows...), nil
}

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

	"assay/internal/marked"
	"assay/lab/delays"
	"assay/lab/guest"
	"assay/lab/internal/promised"
	"assay/lab/internal/verbs"
)

func main() { verbs.Main("delays", run) }

// wish holds the values of the flags.
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
	predictions := flags.Bool("predictions", false, "make changes and score what was predicted of them")
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
	stack, do := delays.Native, w.score
	if *emulated {
		stack = delays.Emulated
	}
	switch {
	case *predictions:
		do = w.predict
	case w.rounds == 0:
		return w.show(ctx, out)
	}
	return on(ctx, stack, out, do)
}

// on calls do with a bed that exists only for it.
func on(ctx context.Context, stack delays.Stack, out io.Writer, do func(context.Context, *delays.Bed, io.Writer) error) (err error) {
	if err := stack.Missing(); err != nil {
		return err
	}
	short, err := os.MkdirTemp("", "assay-delays-") // socket paths must be short
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

// The delays that are shown: that of a drive's flushes, and that of a link.
const (
	slowFlush = 10 * time.Millisecond
	slowLink  = 2 * time.Millisecond
)

// show finds a slow flush under ZFS, and then a slow link where emulation does not hide it.
func (w wish) show(ctx context.Context, out io.Writer) error {
	if err := os.MkdirAll(w.out, 0o755); err != nil { //nolint:gosec // for pages, like make's other directories
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

// score adds delays and reports how each was found.
func (w wish) score(ctx context.Context, bed *delays.Bed, out io.Writer) error {
	wanted := delays.Wanted{Assay: w.assay, Cases: delays.Cases, Repeats: w.repeats}
	var found []delays.Finding
	for round := range w.rounds {
		bed.Slow()
		if err := bed.Link(ctx, 0); err != nil {
			return err
		}
		if err := settle(ctx, bed, wanted, out); err != nil {
			return err
		}
		fmt.Fprintf(out, "round %d: no delay\n", round+1)
		without, _, err := bed.Measure(ctx, wanted)
		if err != nil {
			return err
		}
		for _, ms := range w.delays {
			fmt.Fprintf(out, "round %d: %d ms, drives\n", round+1, ms)
			drives, err := bed.SlowDrives(ctx, wanted, without, ms)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "round %d: %d ms, link\n", round+1, ms)
			link, err := bed.SlowLink(ctx, wanted, without, ms)
			if err != nil {
				return err
			}
			found = slices.Concat(found, drives, link)
		}
		// The findings so far are worth reading even if the next round fails.
		fmt.Fprintf(out, "\n%s\n", delays.Table(found))
	}
	return w.record("delays under DRBD", delays.Table(found))
}

// predict makes changes and reports how well each was predicted.
func (w wish) predict(ctx context.Context, bed *delays.Bed, out io.Writer) error {
	wanted := delays.Wanted{Assay: w.assay, Repeats: w.repeats}
	if err := settle(ctx, bed, wanted, out); err != nil {
		return err
	}
	rows, err := bed.Predict(ctx, wanted, func(what string) { fmt.Fprintln(out, "measuring: "+what) })
	fmt.Fprintf(out, "\n%s\n", promised.Table(rows))
	if err != nil {
		return err
	}
	return w.record("predictions in "+bed.In, promised.Table(rows))
}

// settle makes one uncounted measurement on machines that are slower at first.
func settle(ctx context.Context, bed *delays.Bed, wanted delays.Wanted, out io.Writer) error {
	if !bed.Settles {
		return nil
	}
	fmt.Fprintln(out, "a run that is not counted")
	wanted.Repeats = 1
	_, _, err := bed.Measure(ctx, wanted)
	return err
}

// record writes a table into the document, if there is one.
func (w wish) record(mark, table string) error {
	if w.document == "" {
		return nil
	}
	return marked.Write(w.document, mark, table)
}

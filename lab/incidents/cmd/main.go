package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/internal/marked"
	"assay/lab/guest"
	"assay/lab/incidents"
	"assay/lab/internal/verbs"
)

func main() { verbs.Main("incidents", run) }

// wish holds the values of the flags.
type wish struct {
	assay, kind, document, keep string
	rounds                      int
	seed                        uint64
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("incidents", flag.ContinueOnError)
	var w wish
	flags.StringVar(&w.assay, "assay", "bin/assay", "the binary that diagnoses")
	flags.IntVar(&w.rounds, "rounds", 1, "faults to plant, one after another; of one its diagnosis is printed, of several the score")
	flags.Uint64Var(&w.seed, "seed", 0, "seed of the draw; 0 is another one each time")
	flags.StringVar(&w.kind, "kind", "", "plant these faults, one after another, by their names, separated by commas")
	flags.StringVar(&w.keep, "keep", "", "directory for what the hosts said in each round, as assay diagnose --record writes it")
	flags.StringVar(&w.document, "write", "", "also write the score into this document, between its marks")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 || w.rounds < 1 {
		flags.Usage()
		return fmt.Errorf("cannot read %q with -rounds %d", flags.Args(), w.rounds)
	}
	kinds, err := w.drawn()
	if err != nil {
		return err
	}
	if err := guest.Missing(); err != nil {
		return err
	}
	if w.assay, err = filepath.Abs(w.assay); err != nil {
		return err
	}
	return w.play(ctx, kinds, out)
}

// drawn returns an endless sequence of faults to plant.
func (w *wish) drawn() (iter.Seq[incidents.Kind], error) {
	if w.seed == 0 {
		w.seed = rand.Uint64() //nolint:gosec // must be repeatable, need not be secret
	}
	if w.kind == "" {
		return incidents.Drawn(w.seed), nil
	}
	var named []incidents.Kind
	for name := range strings.SplitSeq(w.kind, ",") {
		k, err := incidents.Chosen(name)
		if err != nil {
			return nil, err
		}
		named = append(named, k)
	}
	w.rounds = max(w.rounds, len(named))
	return func(yield func(incidents.Kind) bool) {
		for i := 0; yield(named[i%len(named)]); i++ {
		}
	}, nil
}

// play boots the bed, plays the rounds, and reports the results.
func (w *wish) play(ctx context.Context, kinds iter.Seq[incidents.Kind], out io.Writer) (err error) {
	short, err := os.MkdirTemp("", "assay-incidents-") // socket paths must be short
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(short)) }()
	if w.keep == "" {
		w.keep = filepath.Join(short, "said")
	}
	if err := os.MkdirAll(w.keep, 0o700); err != nil {
		return err
	}
	fmt.Fprintf(out, "booting two machines in QEMU; seed %d\n", w.seed)
	began := time.Now()
	bed, err := incidents.Up(ctx, filepath.Join(short, "bed"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bed.Down()) }()
	fmt.Fprintf(out, "up after %.0f s\n", time.Since(began).Seconds())
	rounds, err := w.score(ctx, bed, kinds, out)
	if w.rounds == 1 || len(rounds) == 0 {
		return err
	}
	text := incidents.Table(rounds)
	fmt.Fprint(out, "\n", text)
	if err != nil || w.document == "" {
		return err
	}
	return marked.Write(w.document, "incidents", text)
}

// score plays until there are enough rounds. A fault that could not be planted does not
// count.
func (w *wish) score(ctx context.Context, bed *incidents.Bed, kinds iter.Seq[incidents.Kind], out io.Writer) (rounds []incidents.Round, err error) {
	failed := 0
	for k := range kinds {
		if !bed.Possible(k) {
			fmt.Fprintf(out, "%-16s left out: the guests have no DRBD; make lab-guest-zfs builds it\n", k.Name)
			continue
		}
		fmt.Fprintf(out, "%-16s ", k.Name)
		r, err := bed.Try(ctx, w.assay, filepath.Join(w.keep, fmt.Sprintf("%02d-%s", len(rounds)+failed+1, k.Name)), k)
		switch {
		case ctx.Err() != nil:
			return rounds, ctx.Err()
		case err != nil:
			fmt.Fprintf(out, "failed: %v\n", err)
			if failed++; failed > w.rounds {
				return rounds, errors.New("too many faults could not be planted")
			}
			continue
		}
		if rounds = append(rounds, r); w.rounds == 1 {
			fmt.Fprint(out, "\n\n", r.Text, "\n")
		}
		fmt.Fprintf(out, "%s in %.0f s; it was: %s; assay says: %s\n", r.Outcome, r.Took.Seconds(), k.Does, r.Said)
		if len(rounds) == w.rounds {
			break
		}
	}
	return rounds, nil
}

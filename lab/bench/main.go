package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"assay"
)

// wish is what the flags ask for.
type wish struct {
	binary, dir string
	python      string // one that has fio-plot; "" for none
	ansible     string // the program; "" for none
	boto3       string // a Python that has boto3; "" for none
	rclone      string // the program; "" for none
	only        string // names of parts, "" for all
	pairs       int
	seconds     time.Duration
	short       bool // few gates, few loads on an object store
	matrix      matrixWish
	document    string // that the tables of gate, precision, s3, predictions and diagnosis are written into; "" for none
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	var w wish
	flag.StringVar(&w.binary, "assay", "bin/assay", "the binary that is measured")
	flag.StringVar(&w.dir, "dir", ".", "directory for a scratch directory, which is removed")
	flag.StringVar(&w.python, "fio-plot", "", "a Python that has fio-plot, to measure its reader")
	flag.StringVar(&w.ansible, "ansible", "", "an ansible, to measure how it gathers facts")
	flag.StringVar(&w.boto3, "boto3", "", "a Python that has boto3, to measure a load on an object store")
	flag.StringVar(&w.rclone, "rclone", "", "an rclone, to measure a load on an object store")
	flag.StringVar(&w.only, "only", "", "measure these parts: "+strings.Join(partNames(), ","))
	flag.IntVar(&w.pairs, "pairs", 18, "fio measurements each way")
	flag.BoolVar(&w.short, "short", false, "few gates and loads on an object store, as where all parts are measured")
	flag.StringVar(&w.matrix.out, "diagnosis", "out/diagnosis", "directory that keeps what part diagnosis measured, to go on from")
	flag.StringVar(&w.matrix.kinds, "kinds", "", "kinds of fault that part diagnosis plants, alone, separated by commas (default: all, and pairs and controls)")
	flag.StringVar(&w.matrix.half, "half", "", "half of the kinds that part diagnosis plants: tuned, kept or none (default: both)")
	flag.IntVar(&w.matrix.demos, "demos", 0, "runs of the lab of make demo in part diagnosis")
	flag.Uint64Var(&w.matrix.seed, "seed", 1, "seed by which part diagnosis places faults")
	flag.Uint64Var(&w.matrix.rounds, "rounds", 1, "how often part diagnosis plants each kind")
	flag.DurationVar(&w.matrix.bound, "for", 2*time.Hour, "time after which part diagnosis plants no more; 0 only scores what was measured")
	flag.StringVar(&w.document, "write", "", "also write the tables of gate, precision, s3, predictions and diagnosis into this document, between their marks")
	seconds := flag.Float64("seconds", 2, "length of a fio measurement")
	flag.Parse()
	w.seconds = time.Duration(*seconds * float64(time.Second))
	err := bench(ctx, w)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		if hint := assay.Hint(err); hint != "" {
			fmt.Fprintf(os.Stderr, "hint: %s\n", hint)
		}
		os.Exit(1)
	}
}

// bench measures what was requested and prints the table. Errors end it; claims
// that do not hold are not errors.
func bench(ctx context.Context, w wish) (err error) {
	if w.pairs < 1 || w.seconds < time.Second || w.seconds > time.Minute {
		return fmt.Errorf("-pairs %d -seconds %g: at least 1 pair, of 1 s to 60 s", w.pairs, w.seconds.Seconds())
	}
	which, err := chosen(w.only)
	if err != nil {
		return err
	}
	if w.binary, err = filepath.Abs(w.binary); err != nil {
		return err
	}
	if _, err := os.Stat(w.binary); err != nil {
		return assay.WithHint("make build", "-assay: %w", err)
	}
	dir, err := scratchDir(w.dir)
	if err != nil {
		return err
	}
	rows, notes, err := measure(ctx, w, which, dir)
	gone := os.RemoveAll(dir)
	if ctx.Err() != nil && err != nil {
		err = fmt.Errorf("interrupted: %w", err) // which also says what could not be removed
	}
	if len(rows) > 0 {
		err = errors.Join(err, writeTable(os.Stdout, rows, notes))
	}
	return errors.Join(err, gone)
}

// measure returns the rows of all parts, including those before an error, and the
// notes. Everything it creates is in dir.
func measure(ctx context.Context, w wish, which []part, dir string) (rows []row, notes []string, err error) {
	say := func(what string) { fmt.Fprintln(os.Stderr, what) }
	for _, p := range which {
		bounded, cancel := context.WithTimeout(ctx, p.bound)
		more, said, err := p.rows(bounded, w, dir, say)
		over := bounded.Err() != nil && ctx.Err() == nil
		cancel()
		rows, notes = append(rows, more...), append(notes, said...)
		if err != nil && over {
			return rows, notes, assay.WithHint("have the machine do nothing else, take fewer -pairs or -seconds, or a faster -dir",
				"%s: stopped, since not done after %s: %w", p.name, p.bound, err)
		}
		if err != nil {
			return rows, notes, fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return rows, notes, nil
}

// scratchDir makes the directory in which everything happens.
func scratchDir(in string) (string, error) {
	in, err := filepath.Abs(in)
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(in, ".assay-bench-")
}

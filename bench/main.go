package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"assay"
)

const (
	bound    = 150 * time.Second // of everything
	patience = 2 * time.Second   // with a command that was told to end
)

// wish is what the flags say.
type wish struct {
	binary, dir string
	pairs       int
	seconds     time.Duration
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	var w wish
	flag.StringVar(&w.binary, "assay", "bin/assay", "the binary that is measured")
	flag.StringVar(&w.dir, "dir", ".", "directory for a scratch directory, which is removed")
	flag.IntVar(&w.pairs, "pairs", 12, "fio measurements each way")
	seconds := flag.Float64("seconds", 3, "length of a fio measurement")
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

// bench measures all there is and prints the table. What goes wrong ends it:
// claims that do not hold are no error.
func bench(ctx context.Context, w wish) (err error) {
	if w.pairs < 1 || w.seconds < time.Second || w.seconds > time.Minute {
		return fmt.Errorf("-pairs %d -seconds %g: at least 1 pair, of 1 s to 60 s", w.pairs, w.seconds.Seconds())
	}
	ctx, cancel := context.WithTimeoutCause(ctx, bound, assay.WithHint("take fewer -pairs or -seconds", "not done after %s", bound))
	defer cancel()
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
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	say := func(what string) { fmt.Fprintln(os.Stderr, what) }

	rows, notes, err := measureStorage(ctx, dir, w.pairs, w.seconds, say)
	if err != nil {
		return fmt.Errorf("fio: %w", err)
	}
	starts, err := measureStart(ctx, w.binary, dir, say)
	if err != nil {
		return fmt.Errorf("start-up: %w", err)
	}
	writes, err := measureWrites(ctx, dir, say)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	reports, err := measureReports(ctx, say)
	if err != nil {
		return fmt.Errorf("reports: %w", err)
	}
	for _, more := range [][]row{starts, writes, reports} {
		rows = append(rows, more...)
	}
	return writeTable(os.Stdout, rows, notes)
}

// scratchDir makes the directory that everything happens in.
func scratchDir(in string) (string, error) {
	in, err := filepath.Abs(in)
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(in, ".assay-bench-")
}

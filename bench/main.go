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
	bound    = 210 * time.Second // of everything
	patience = 2 * time.Second   // with a command that was told to end
)

// wish is what the flags say.
type wish struct {
	binary, dir string
	python      string // one that has fio-plot; "" for none
	pairs       int
	seconds     time.Duration
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	var w wish
	flag.StringVar(&w.binary, "assay", "bin/assay", "the binary that is measured")
	flag.StringVar(&w.dir, "dir", ".", "directory for a scratch directory, which is removed")
	flag.StringVar(&w.python, "fio-plot", "", "a Python that has fio-plot, to measure its reader")
	flag.IntVar(&w.pairs, "pairs", 18, "fio measurements each way")
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

// bench measures all there is and prints the table. What goes wrong ends it:
// claims that do not hold are no error.
func bench(ctx context.Context, w wish) (err error) {
	if w.pairs < 1 || w.seconds < time.Second || w.seconds > time.Minute {
		return fmt.Errorf("-pairs %d -seconds %g: at least 1 pair, of 1 s to 60 s", w.pairs, w.seconds.Seconds())
	}
	if w.binary, err = filepath.Abs(w.binary); err != nil {
		return err
	}
	if _, err := os.Stat(w.binary); err != nil {
		return assay.WithHint("make build", "-assay: %w", err)
	}
	bounded, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	dir, err := scratchDir(w.dir)
	if err != nil {
		return err
	}
	rows, notes, err := measure(bounded, w, dir)
	gone := os.RemoveAll(dir)
	switch {
	case ctx.Err() != nil:
		err = errors.New("interrupted")
	case err != nil && bounded.Err() != nil:
		err = assay.WithHint("take fewer -pairs or -seconds, or a faster -dir", "stopped, since not done after %s: %w", bound, err)
	}
	if len(rows) > 0 {
		err = errors.Join(err, writeTable(os.Stdout, rows, notes))
	}
	return errors.Join(err, gone)
}

// measure gives all rows, those before an error too, and what is to be said
// besides. What it creates is in dir.
func measure(ctx context.Context, w wish, dir string) (rows []row, notes []string, err error) {
	say := func(what string) { fmt.Fprintln(os.Stderr, what) }
	if rows, notes, err = measureStorage(ctx, dir, w.pairs, w.seconds, say); err != nil {
		return rows, notes, fmt.Errorf("fio: %w", err)
	}
	for _, part := range []struct {
		name string
		rows func() ([]row, error)
	}{
		{"start-up", func() ([]row, error) { return measureStart(ctx, w.binary, dir, say) }},
		{"store", func() ([]row, error) { return measureWrites(ctx, dir, say) }},
		{"reports", func() ([]row, error) { return measureReports(ctx, say) }},
	} {
		more, err := part.rows()
		rows = append(rows, more...)
		if err != nil {
			return rows, notes, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	more, said, err := measureReading(ctx, w.python, dir, say)
	rows, notes = append(rows, more...), append(notes, said...)
	if err != nil {
		return rows, notes, fmt.Errorf("reading: %w", err)
	}
	return rows, notes, nil
}

// scratchDir makes the directory that everything happens in.
func scratchDir(in string) (string, error) {
	in, err := filepath.Abs(in)
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(in, ".assay-bench-")
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"assay"
	"assay/internal/prose"
	"assay/store"
	"assay/store/archive"
)

// portables reports whether the inputs are portable files: all or none must be.
func (a *app) portables(names []string) (bool, error) {
	count := 0
	for _, name := range names {
		is, err := a.isPortable(name)
		if err != nil {
			return false, nil // the reader will report why
		}
		if is {
			count++
		}
	}
	if count > 0 && count < len(names) {
		return false, usage(assay.WithHint("import the two kinds separately", "cannot import exported runs and tool output together"))
	}
	return count > 0, nil
}

// isPortable checks how a file begins. Standard input is only peeked at.
func (a *app) isPortable(name string) (bool, error) {
	var in *bufio.Reader
	if name == "-" {
		var ok bool
		if in, ok = a.stdin.(*bufio.Reader); !ok {
			in = bufio.NewReader(a.stdin)
			a.stdin = in
		}
	} else {
		f, err := os.Open(name)
		if err != nil {
			return false, err
		}
		defer f.Close()
		in = bufio.NewReaderSize(f, 64)
	}
	const enough = 19
	head, _ := in.Peek(enough)
	return archive.Is(head), nil
}

// importLine is the outcome for a run, in JSON output.
type importLine struct {
	Run     string `json:"run"`
	As      string `json:"as,omitempty"` // its id here, where that is another
	File    string `json:"file"`
	Trials  int    `json:"trials"`
	Repeats int    `json:"repeats"`
	Skipped bool   `json:"skipped,omitempty"` // it was there already
	Refused string `json:"refused,omitempty"` // why
}

// importRuns merges portable files into the store. An unreadable file ends the
// import; a refused run does not affect the others.
func (a *app) importRuns(ctx context.Context, names []string) error {
	st, err := a.openStore(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	lines := []importLine{}
	var failed error
	for _, name := range names {
		outcomes, err := a.importFile(ctx, name, st)
		for _, o := range outcomes {
			l := importLine{Run: o.Run, As: o.As, File: name, Trials: o.Trials, Repeats: o.Repeats, Skipped: o.Skipped}
			if o.Err != nil {
				l.Refused, failed = o.Err.Error(), &statusError{exitPartial, nil}
				a.stderr.complain(fmt.Errorf("%s: %w", name, o.Err))
			}
			lines = append(lines, l)
		}
		if err != nil {
			failed = fmt.Errorf("%s: %w", name, err)
			if !errors.Is(err, context.Canceled) {
				failed = usage(failed)
			}
			break
		}
	}
	return errors.Join(a.printImported(lines), failed)
}

func (a *app) printImported(lines []importLine) error {
	if a.format == formatJSON {
		return a.stdout.json(map[string]any{"runs": lines})
	}
	for _, l := range lines {
		what := fmt.Sprintf("%s, %s", prose.Plural(l.Trials, "trial"), prose.Plural(l.Repeats, "repeat"))
		switch {
		case l.Refused != "":
			what = "refused"
		case l.Skipped:
			what = "already stored, skipped"
			if l.As != "" {
				what = "already stored as " + l.As + ", skipped"
			}
		case l.As != "":
			what += " stored as " + l.As + ", since another run is called so"
		default:
			what += " stored"
		}
		if err := a.stdout.say("run %s: %s\n", l.Run, what); err != nil {
			return err
		}
	}
	return nil
}

// importFile imports one file. Standard input is copied to a file first because
// it is read twice.
func (a *app) importFile(ctx context.Context, name string, st *store.Store) ([]archive.Outcome, error) {
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return archive.Import(ctx, st, f)
	}
	f, err := os.CreateTemp("", "assay-import-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if _, err := io.Copy(f, a.stdin); err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return archive.Import(ctx, st, f)
}

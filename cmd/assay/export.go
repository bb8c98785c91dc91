package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/user"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/internal/prose"
	"assay/report"
	"assay/run/session"
	"assay/store"
	"assay/store/anonymise"
	"assay/store/archive"
)

func (a *app) exportCommand() *cobra.Command {
	var file string
	var anonymous bool
	cmd := &cobra.Command{
		Use:   "export [RUN…]",
		Short: "Export runs to one file that another assay can import",
		Long: "export writes runs (default: the latest) with everything stored about them:\n" +
			"facts, transcripts, samples, histograms and findings. To look inside, use `zstd\n" +
			"-dc FILE`. --anonymise replaces names of hosts, users, interfaces, pools and\n" +
			"networks, directories, files under loop devices, labels, notes, your own suites\n" +
			"and cases, serial numbers, addresses and UUIDs with consistent pseudonyms. In\n" +
			"transcripts, findings and errors it replaces every word that is not part of a\n" +
			"tool's or assay's vocabulary or a hardware maker's name. Hardware, kernel, tools\n" +
			"and figures stay, and `assay audit --reparse` still reads them.\n" +
			"A name that is also an everyday word may stay: look before you share.",
		Example: "  assay export latest -o run.assay\n  assay export before after -o upgrade.assay\n  assay export latest --anonymise -o forum.assay",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.export(cmd.Context(), args, file, anonymous)
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "file to write, - for stdout")
	cmd.Flags().BoolVar(&anonymous, "anonymise", false, "replace names, serial numbers, addresses and other identifying data")
	return cmd
}

func (a *app) anonymiseCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:     "anonymise [RUN…]",
		Short:   "Export runs without identifying data",
		Long:    "anonymise is short for export --anonymise.",
		Example: "  assay anonymise latest -o forum.assay",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.export(cmd.Context(), args, file, true)
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "file to write, - for stdout")
	return cmd
}

// export writes runs to a file.
func (a *app) export(ctx context.Context, names []string, file string, anonymous bool) error {
	if file == "" {
		return usage(assay.WithHint("assay export -o runs.assay", "no output file: give one with -o"))
	}
	st, err := a.openStore(ctx)
	if err != nil {
		return err
	}
	defer st.Close()
	ids, err := exported(ctx, st, names)
	if err != nil {
		return err
	}
	var pseudonyms *anonymise.Names
	if anonymous {
		pseudonyms = pseudonymsFor(ids)
	}
	var size int64
	write := func(w io.Writer) error {
		counted := &countingWriter{w: w}
		err := archive.Export(ctx, st, ids, counted, pseudonyms)
		size = counted.n
		return err
	}
	summary := a.stdout
	if file == "-" || isStdout(file) {
		file, summary = "-", a.stderr
		err = write(a.stdout.to)
	} else {
		err = writeWhole(file, 0o600, write)
	}
	if err != nil {
		return fmt.Errorf("export to %s: %w", file, err)
	}
	if a.format == formatJSON {
		return summary.json(map[string]any{"file": file, "runs": len(ids), "bytes": size, "anonymous": anonymous})
	}
	if file == "-" {
		return summary.say("%s, %s\n", prose.Plural(len(ids), "run"), report.Bytes(size))
	}
	return summary.say("%s: %s, %s\n", file, prose.Plural(len(ids), "run"), report.Bytes(size))
}

// exported returns the ids of the named runs, each once. A run in progress is
// refused: it is not complete.
func exported(ctx context.Context, st *store.Store, names []string) ([]string, error) {
	if len(names) == 0 {
		names = []string{""}
	}
	runs, err := st.Runs(ctx)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, name := range names {
		id, err := st.Resolve(ctx, name)
		if err != nil {
			return nil, usage(err)
		}
		for _, r := range runs {
			if r.ID == id && r.StatusNow() == assay.RunRunning {
				return nil, assay.WithHint("wait until it has finished", "run %s is in progress: %w", id, assay.ErrBusy)
			}
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// pseudonymsFor returns pseudonyms for a file, in which the runs get new ids:
// they are not the original runs.
func pseudonymsFor(ids []string) *anonymise.Names {
	var users []string
	if me, err := user.Current(); err == nil {
		users = append(users, me.Username)
	}
	names := anonymise.New(append(users, os.Getenv("SUDO_USER"))...)
	for _, id := range ids {
		names.Rename(id, session.NewRunID(time.Now()))
	}
	return names
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

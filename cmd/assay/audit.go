package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"assay"
	"assay/audit"
	"assay/ingest"
	"assay/ingest/readers"
	"assay/plan/multiclient"
	probeall "assay/probe/all"
	"assay/report"
	"assay/store"
)

func (a *app) auditCommand() *cobra.Command {
	var reparse bool
	var explained string
	var g given
	cmd := &cobra.Command{
		Use:   "audit [RUN | FILE…]",
		Short: "Check benchmark output, or a stored run, against physical limits",
		Long: "audit FILE… reads anyone's benchmark output (- is standard input) and says what\n" +
			"it really measured, which numbers are impossible, and the command to run\n" +
			"instead. A file may hold the output of several tools, prompts and prose\n" +
			"(terminal scrollback, a log, a blog post), or be a table of results in CSV or\n" +
			"YAML.\n\n" +
			"audit RUN applies the rules of this version of assay to a stored run (default:\n" +
			"the latest) and stores the findings once the run is over. With --reparse it\n" +
			"first parses the stored transcripts again with this version's parsers, and\n" +
			"stores nothing.\n\n" + toolsHelp() + "\n\n" + factsHelp(),
		Example: "  assay audit blog.md\n  fio job.ini | assay audit - --fact pcie=gen3x4 --fact ram=32GiB\n  assay audit *.txt --facts machines.yaml --format json\n  assay audit latest --reparse",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if namesFiles(args) {
				if reparse {
					return usage(assay.WithHint("files are parsed again each time", "--reparse applies to stored runs only"))
				}
				return a.auditFiles(args, g, explained)
			}
			r, err := a.loadRun(ctx, args)
			switch {
			case len(args) == 1 && errors.Is(err, assay.ErrNotFound):
				return usage(fmt.Errorf("no file %s, and %w", args[0], err))
			case explained != "":
				return usage(assay.WithHint("assay audit FILE --explain RULE@LINE", "--explain applies to files only"))
			case g.file != "" || len(g.words) > 0:
				return usage(assay.WithHint("assay audit FILE --fact …", "--fact and --facts apply to files only: a stored run has its own facts"))
			case err != nil:
				return err
			}
			st, err := a.openStore(ctx)
			if err != nil {
				return err
			}
			defer st.Close()
			if reparse {
				if err := readAgain(ctx, st, &r); err != nil {
					return err
				}
			}
			r.Findings = audit.Audit(audit.Of(r))
			// Findings about reparsed figures are not stored: stored findings
			// belong to the stored figures, and to all of them.
			if !reparse && r.Status != assay.RunRunning {
				if err := st.SetFindings(ctx, r.ID, r.Findings); err != nil {
					return err
				}
			}
			if err := a.printFindings(r); err != nil {
				return err
			}
			if rejects(r.Findings) {
				return &statusError{exitRejected, nil}
			}
			return nil
		},
	}
	g.flags(cmd)
	cmd.Flags().StringVar(&explained, "explain", "", "explain one finding in a file, `RULE@LINE`: figures, arithmetic, source")
	cmd.Flags().BoolVar(&reparse, "reparse", false, "parse the stored transcripts again first")
	return cmd
}

// readAgain replaces a run's measurements with what the current parsers make of
// its transcripts. The store keeps the original ones.
func readAgain(ctx context.Context, st *store.Store, r *assay.Run) error {
	probes, others := map[string]assay.Probe{}, map[string]assay.Measurer{}
	for _, p := range probeall.Probes() {
		probes[p.Spec().Name] = p
	}
	for _, m := range readers.Measurers() {
		others[m.Format().Tool] = m
	}
	for i := range r.Results {
		res := &r.Results[i]
		for j := range res.Repeats {
			rep := &res.Repeats[j]
			probe, other := probes[res.Trial.Probe], others[res.Trial.Probe]
			imported := res.Trial.From != ""
			if rep.Outcome != assay.Done || imported && other == nil || !imported && probe == nil {
				continue
			}
			tr, err := st.Transcript(ctx, r.ID, res.Trial.ID, rep.N)
			if err != nil {
				return err
			}
			rep.Transcript = tr
			if imported {
				if len(tr.Steps) == 0 || len(tr.Steps[0].Output.Stdout) == 0 {
					continue // a table row: nothing to parse again
				}
				rep.Measurements, err = ingest.Reparse(other, res.Trial, tr)
			} else {
				rep.Measurements, err = multiclient.Parse(probe, tr)
			}
			if err != nil {
				// The current parsers reject what earlier ones accepted.
				rep.Outcome, rep.Error = assay.Broke, err.Error()
				r.Notes = append(r.Notes, assay.Note{ID: "reparse", Text: fmt.Sprintf("%s, repeat %d: %v", res.Trial.ID, rep.N, err)})
			}
		}
	}
	return nil
}

func (a *app) printFindings(r assay.Run) error {
	d := report.Build(r)
	if a.format == formatJSON {
		return a.output(func(w io.Writer) error {
			return writeJSON(w, map[string]any{"run": r.ID, "findings": d.Findings, "open": d.Open})
		})
	}
	return a.show(report.Findings(d))
}

package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/internal/prose"
	"assay/run/session"
	"assay/store"
)

func (a *app) importCommand() *cobra.Command {
	var g given
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "Store benchmark output with its audit findings, or exported runs",
		Long: "import reads files as audit FILE… does (- is standard input), stores results,\n" +
			"outputs and findings as a run, and prints its name. Files that `assay export`\n" +
			"wrote are merged into the database; runs that it already has are skipped.\n" +
			"Imported runs are never the latest, and prune counts them apart from yours.",
		Example: "  assay import blog.md\n  assay import fio.json --fact pcie=gen3x4\n  kubectl logs fio | assay import -\n  assay import runs.assay",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(assay.WithHint("use - for standard input", "%s: no file given", cmd.CommandPath()))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if portables, err := a.portables(args); err != nil || portables {
				if err != nil {
					return err
				}
				return a.importRuns(ctx, args)
			}
			known, err := g.read()
			if err != nil {
				return err
			}
			began := time.Now()
			all, failed := a.readFiles(args, true)
			run := all.Run(known)
			if len(run.Results) == 0 {
				return &statusError{exitUsage, nil}
			}
			run.ID, run.Started, run.Version = session.NewRunID(began), began, ownVersion()
			run.Findings = judge(run)
			for _, u := range all.Unread {
				run.Notes = append(run.Notes, assay.Note{ID: "unread", Text: fmt.Sprintf("%s:%d: %s", u.File, u.Line, u.Why)})
			}
			if failed {
				run.Status = assay.RunPartial
			}
			st, err := a.openStore(ctx)
			if err != nil {
				return err
			}
			defer st.Close()
			if err := st.Take(ctx, func(to store.Taker) error { return store.Pass(run, to) }); err != nil {
				return err
			}
			if a.format == formatJSON {
				err = a.stdout.json(map[string]any{"run": run.ID, "results": len(run.Results), "findings": len(run.Findings)})
			} else {
				err = a.stdout.say("run %s: %s stored\n", run.ID, prose.Plural(len(run.Results), "output"))
			}
			switch {
			case err != nil:
				return err
			case rejects(run.Findings):
				return &statusError{exitRejected, nil}
			case failed:
				return &statusError{exitUsage, nil}
			}
			return nil
		},
	}
	g.flags(cmd)
	return cmd
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/incident/blame"
	"assay/incident/read"
	"assay/report/incidentview"
)

func (a *app) diagnoseCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diagnose FILE…",
		Short: "Say which layer broke, from logs",
		Long: "diagnose reads kernel logs (dmesg, journalctl in any format, syslog), smartctl,\n" +
			"nvme smart-log, lsblk, lsscsi, zpool status, ceph health detail, and logs of\n" +
			"DRBD, Longhorn and Kubernetes, mixed and pasted as they come, and says which\n" +
			"layer is to blame, with the lines that show it, what clears the others, and the\n" +
			"command to run next. It only reads. - is standard input.",
		Example: "  assay diagnose dmesg.txt smart.txt\n  journalctl -k -b all | assay diagnose -\n  assay diagnose incident.txt -o incident.html",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(assay.WithHint("journalctl -k -b all | assay diagnose -", "nothing to read"))
			}
			return a.diagnoseFiles(cmd.Context(), args)
		},
	}
	return cmd
}

// diagnoseFiles judges what files say. What cannot be read is told, and does not keep
// the others from being read.
func (a *app) diagnoseFiles(ctx context.Context, names []string) error {
	r := read.New()
	failed := 0
	for _, name := range names {
		if err := a.readLog(ctx, r, name); err != nil {
			a.stderr.complain(err)
			failed++
		}
	}
	if failed == len(names) {
		return &statusError{exitUsage, nil}
	}
	log := r.Log()
	if err := a.show(incidentview.Build(log, blame.Judge(log), nil)); err != nil {
		return err
	}
	if failed > 0 {
		return &statusError{exitPartial, nil}
	}
	return nil
}

func (a *app) readLog(ctx context.Context, r *read.Reader, name string) error {
	if name == "-" {
		return r.Read("stdin", "", interruptible{ctx, a.stdin})
	}
	f, err := os.Open(name)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return fmt.Errorf("cannot read %s: %w", name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return assay.WithHint("give the files in it: "+strings.TrimSuffix(name, "/")+"/*", "%s is a directory", name)
	}
	return r.Read(name, "", interruptible{ctx, f})
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/run/session"
)

// where holds the flags that select the target.
type where struct {
	session.Target
}

func (w *where) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&w.Directories, "dir", here, "directory whose storage to measure; scratch files are created in it and removed")
	cmd.Flags().StringArrayVar(&w.Overwrite, "overwrite", nil, "drive that may be OVERWRITTEN, by its link in /dev/disk/by-id and its serial: `PATH,serial=S`; you are asked to confirm it, unless confirm=S follows; may be repeated")
	cmd.Flags().StringVarP(&w.Cluster, "inventory", "i", "", "cluster.yaml with the hosts to measure over SSH instead of this machine")
	cmd.Flags().StringSliceVar(&w.Only, "host", nil, "only these hosts, groups, tiers or nodes of the cluster.yaml")
	cmd.Flags().StringSliceVar(&w.Networks, "network", nil, "only links on these networks of the cluster.yaml")
	cmd.Flags().StringVar(&w.Record, "record", "", "record every command and its output to this file, for bug reports")
	cmd.Flags().StringVar(&w.Replay, "replay", "", "replay such a recording; run nothing")
}

// here is the directory measured by default.
var here = []string{"."}

// target checks the flags for conflicts.
func (w *where) target() (session.Target, error) {
	t := w.Target
	switch {
	case t.Cluster == "" && len(t.Only) > 0:
		return t, usage(assay.WithHint("give the cluster.yaml with -i", "--host %s: needs a cluster.yaml", strings.Join(t.Only, ",")))
	case t.Cluster == "" && len(t.Networks) > 0:
		return t, usage(assay.WithHint("give the cluster.yaml with -i", "--network %s: needs a cluster.yaml", strings.Join(t.Networks, ",")))
	case t.Cluster == "" && t.Record != "" && t.Replay != "":
		return t, usage(fmt.Errorf("--record and --replay are mutually exclusive"))
	case t.Cluster == "":
		return t, nil
	case t.Record != "" || t.Replay != "":
		return t, usage(fmt.Errorf("-i %s: --record and --replay work for a single machine only", t.Cluster))
	case !slices.Equal(t.Directories, here):
		return t, usage(assay.WithHint("put the directories in "+t.Cluster+", under measure: of a host or as a tier", "-i %s and --dir are mutually exclusive", t.Cluster))
	}
	t.Directories = nil
	return t, nil
}

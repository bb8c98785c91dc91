package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/run/session"
)

// where are the flags that say what to look at.
type where struct {
	session.Target
}

func (w *where) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&w.Directories, "dir", here, "directory whose storage is measured; scratch files go there and are removed")
	cmd.Flags().StringVarP(&w.Cluster, "inventory", "i", "", "cluster.yaml with the hosts to look at over SSH, instead of this machine")
	cmd.Flags().StringSliceVar(&w.Only, "host", nil, "only these hosts or groups of the cluster.yaml; of its tiers those of this name, or what is measured of them on these hosts and nodes")
	cmd.Flags().StringVar(&w.Record, "record", "", "record every command and its answer to this file, for bug reports")
	cmd.Flags().StringVar(&w.Replay, "replay", "", "answer from such a recording; nothing is run")
}

// here is the directory that is measured where none is named.
var here = []string{"."}

// target checks the flags against each other.
func (w *where) target() (session.Target, error) {
	t := w.Target
	switch {
	case t.Cluster == "" && len(t.Only) > 0:
		return t, usage(assay.WithHint("name the file with the hosts with -i", "--host %s: there is no cluster.yaml", strings.Join(t.Only, ",")))
	case t.Cluster == "" && t.Record != "" && t.Replay != "":
		return t, usage(fmt.Errorf("--record and --replay exclude each other"))
	case t.Cluster == "":
		return t, nil
	case t.Record != "" || t.Replay != "":
		return t, usage(fmt.Errorf("-i %s: --record and --replay are for one machine", t.Cluster))
	case !slices.Equal(t.Directories, here):
		return t, usage(assay.WithHint("write the directories in "+t.Cluster+": under measure: of a host, or as a tier", "-i %s and --dir exclude each other", t.Cluster))
	}
	t.Directories = nil
	return t, nil
}

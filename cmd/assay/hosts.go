package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"assay"
	"assay/inventory/cluster"
	"assay/inventory/cluster/view"
	"assay/inventory/survey"
	"assay/place/record"
	"assay/place/replay"
	"assay/place/ssh"
	probeall "assay/probe/all"
	volumeall "assay/volume/all"
)

func (a *app) hostsCommand() *cobra.Command {
	var file string
	var by reach
	cmd := &cobra.Command{
		Use:     "hosts [HOST|GROUP]...",
		Short:   "Say what the hosts of a cluster are, and what differs between them",
		Example: "  assay hosts\n  assay hosts -i lab.yaml pve1 pve2 --format json",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := readCluster(file)
			if err != nil {
				return err
			}
			hosts, err := c.Choose(args)
			if err != nil {
				return usage(err)
			}
			if len(hosts) == 0 {
				return usage(assay.WithHint("see whether they can be measured with: assay doctor -i "+file, "%s names tiers and no hosts", file))
			}
			open, err := by.opener(c, newRunID(time.Now()))
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			answers := survey.Ask(ctx, hosts, open, survey.Options{Tools: toolsOfProbes()})
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := a.printHosts(c, answers); err != nil {
				return err
			}
			a.hintHosts(answers)
			return hostsStatus(answers)
		},
	}
	cmd.Flags().StringVarP(&file, "inventory", "i", "cluster.yaml", "the file that names the hosts")
	by.flags(cmd)
	return cmd
}

func readCluster(file string) (cluster.Cluster, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return cluster.Cluster{}, usage(assay.WithHint("'assay init HOST... -o "+file+"' writes one", "there is no %s", file))
	}
	if err != nil {
		return cluster.Cluster{}, usage(err)
	}
	c, err := cluster.Read(file, text, volumeall.Kinds()...)
	if err != nil {
		return c, usage(err)
	}
	return c, nil
}

// reach is how the hosts of a cluster are reached: by ssh, unless recordings
// answer for them.
type reach struct{ record, replay string }

func (r *reach) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.record, "record", "", "record what each host is asked and answers, to HOST.jsonl in this directory")
	cmd.Flags().StringVar(&r.replay, "replay", "", "answer from such a directory; no host is reached")
}

// opener gives what opens the place of a host. Every command there carries mark.
func (r *reach) opener(c cluster.Cluster, mark string) (survey.Opener, error) {
	if r.record != "" && r.replay != "" {
		return nil, usage(fmt.Errorf("--record and --replay exclude each other"))
	}
	if r.record != "" {
		if err := os.MkdirAll(r.record, 0o700); err != nil {
			return nil, usage(fmt.Errorf("--record: %w", err))
		}
		if there, err := os.ReadDir(r.record); err != nil || len(there) > 0 {
			return nil, usage(assay.WithHint("name another directory", "--record %s: it is not empty", r.record))
		}
	}
	home, _ := os.UserHomeDir() // without one ~/ stays as it is, and ssh says so
	return func(h cluster.Host) (assay.Place, error) {
		if r.replay != "" {
			return replayed(filepath.Join(r.replay, h.Name+".jsonl"))
		}
		place := ssh.New(assay.Host{Name: h.Name, Labels: h.Labels}, ssh.Options{
			Address: h.Address, User: h.User, Port: h.Port, Sudo: h.Sudo, ConfigFile: c.ConfigFile(h, home), Mark: mark,
		})
		if r.record == "" {
			return place, nil
		}
		tape, err := os.OpenFile(filepath.Join(r.record, h.Name+".jsonl"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("--record: %w", err)
		}
		return &taped{record.New(place, tape), tape}, nil
	}, nil
}

func replayed(file string) (assay.Place, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no recording %s", file)
	}
	if err != nil {
		return nil, fmt.Errorf("--replay: %w", err)
	}
	defer f.Close()
	return replay.New(f, file)
}

// taped is a place that is recorded to a file of its own.
type taped struct {
	assay.Place
	tape io.Closer
}

// Close ends the recording with the place.
func (t *taped) Close() error {
	err := t.Place.Close()
	if terr := t.tape.Close(); err == nil {
		err = terr
	}
	return err
}

// toolsOfProbes are the programs without which a probe cannot measure: their
// versions are worth comparing.
func toolsOfProbes() []string {
	var names []string
	for _, p := range probeall.Probes() {
		for _, t := range p.Spec().Tools {
			if !t.Optional {
				names = append(names, t.Name)
			}
		}
	}
	return names
}

func (a *app) printHosts(c cluster.Cluster, answers []survey.Answer) error {
	v := view.Build(c, answers)
	if a.format == formatJSON {
		return writeJSON(a.stdout, v)
	}
	tables := v.Tables()
	d := v.DifferenceTable()
	if len(d.Rows) > 0 {
		tables = append(tables, d)
	}
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		if err := a.printTable(t.Header, a.once(t.Rows)); err != nil {
			return err
		}
	}
	if n := v.Answered(); n > 1 && len(d.Rows) == 0 {
		_, err := fmt.Fprintf(a.stdout, "\nnothing differs between the %d hosts that answered\n", n)
		return err
	}
	return nil
}

// once has a host named in the first of its rows only; a table that is pasted
// keeps it in all, for sorting.
func (a *app) once(rows [][]string) [][]string {
	last := ""
	for _, r := range rows {
		if a.format == formatText && r[0] == last {
			r[0] = ""
			continue
		}
		last = r[0]
	}
	return rows
}

// hintHosts says what to try for the hosts that did not answer.
func (a *app) hintHosts(answers []survey.Answer) {
	for _, answer := range answers {
		if hint := assay.Hint(answer.Err); hint != "" {
			fmt.Fprintf(a.stderr, "hint: %s: %s\n", answer.Host.Name, hint)
		}
	}
}

// hostsStatus is how asking hosts ends the program: the answers of some stand
// where others did not answer.
func hostsStatus(answers []survey.Answer) error {
	failed := 0
	for _, a := range answers {
		if a.Err != nil {
			failed++
		}
	}
	switch failed {
	case 0:
		return nil
	case len(answers):
		return &statusError{exitFailed, nil}
	default:
		return &statusError{exitPartial, nil}
	}
}

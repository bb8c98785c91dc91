package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"assay"
	"assay/inventory/cluster"
	"assay/inventory/survey"
	"assay/report/block"
	"assay/report/hostview"
	"assay/run/session"
)

func (a *app) hostsCommand() *cobra.Command {
	var file string
	var by reach
	cmd := &cobra.Command{
		Use:     "hosts [HOST|GROUP]...",
		Short:   "Show the hosts of a cluster and how they differ",
		Example: "  assay hosts\n  assay hosts -i lab.yaml pve1 pve2 --format json",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := by.check(); err != nil {
				return err
			}
			c, err := session.ReadCluster(file)
			if err != nil {
				return err
			}
			hosts, err := c.Choose(args)
			if err != nil {
				return usage(err)
			}
			if len(hosts) == 0 {
				return usage(assay.WithHint("check tiers with: assay doctor -i "+file, "%s has no hosts", file))
			}
			answers, err := session.AskHosts(cmd.Context(), c, hosts, by.Recordings)
			if err != nil {
				return err
			}
			if err := a.printHosts(c, hosts, answers); err != nil {
				return err
			}
			a.hintHosts(answers)
			return hostsStatus(answers)
		},
	}
	cmd.Flags().StringVarP(&file, "inventory", "i", "cluster.yaml", "cluster.yaml with the hosts")
	by.flags(cmd)
	return cmd
}

// reach is how a cluster's hosts are reached: by ssh, or else through
// recordings.
type reach struct{ session.Recordings }

func (r *reach) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.Record, "record", "", "record every command and its output to HOST.jsonl in this directory")
	cmd.Flags().StringVar(&r.Replay, "replay", "", "replay recordings from this directory; contact no host")
}

// check rejects mutually exclusive flags.
func (r *reach) check() error {
	if r.Record != "" && r.Replay != "" {
		return usage(fmt.Errorf("--record and --replay are mutually exclusive"))
	}
	return nil
}

func (a *app) printHosts(c cluster.Cluster, hosts []cluster.Host, answers []survey.Answer) error {
	v := hostview.Build(c, answers)
	d := block.Document{Name: "Hosts", Data: v}
	for _, t := range v.Tables() {
		facts := block.Texts(t.Header, t.Rows)
		facts.Grouped = true
		d.Add(facts)
	}
	if differences := v.DifferenceTable(); len(differences.Rows) > 0 {
		d.Add(block.Texts(differences.Header, differences.Rows))
	} else if n := v.Answered(); n > 1 {
		d.Add(block.Sentence{Text: fmt.Sprintf("no differences between the %d hosts that answered", n)})
	}
	_, made := cluster.Standing(hosts)
	for _, h := range made {
		d.Add(block.Sentence{Text: fmt.Sprintf("%s does not exist yet: a run creates it on %s from %s and destroys it afterwards", h.Name, h.Guest.On, h.Guest.Clone.Of)})
	}
	return a.show(d)
}

// hintHosts prints hints for the hosts that did not answer.
func (a *app) hintHosts(answers []survey.Answer) {
	for _, answer := range answers {
		if hint := assay.Hint(answer.Err); hint != "" {
			a.stderr.say("hint: %s: %s\n", answer.Host.Name, hint)
		}
	}
}

// hostsStatus returns the exit status of querying hosts: some answers stand
// even if other hosts did not answer.
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

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/report/block"
	"assay/run/session"
)

func (a *app) doctorCommand() *cobra.Command {
	var at where
	var install installWish
	cmd := &cobra.Command{
		Use:     "doctor",
		Short:   "Check which tools are missing, and what cannot be measured and why",
		Example: "  assay doctor\n  assay doctor -i cluster.yaml\n  assay doctor -i cluster.yaml --install-tools",
		Args:    exactly(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context(), at, install) },
	}
	at.flags(cmd)
	install.flags(cmd)
	return cmd
}

// doctor reports what cannot be measured, after installing what it may.
func (a *app) doctor(ctx context.Context, at where, install installWish) error {
	if err := install.check(at); err != nil {
		return err
	}
	target, err := at.target()
	if err != nil {
		return err
	}
	d, err := session.Examine(ctx, session.Options{
		Target: target, Install: install.install, Confirm: a.confirm(install), Tell: a.tell,
	})
	err = installed(err)
	if len(d.Hosts)+len(d.Tiers) == 0 {
		return err
	}
	perr := a.printDiagnoses(d, target.Cluster != "")
	switch {
	case err != nil && len(d.Down) > 0 && !install.install:
		return &statusError{exitPartial, errors.Join(err, perr)}
	case err != nil || perr != nil:
		return errors.Join(err, perr)
	}
	return doctorStatus(d)
}

// doctorStatus returns doctor's exit status: results of some hosts stand even if
// others did not answer, or lack what could not be installed.
func doctorStatus(d session.Diagnosis) error {
	switch {
	case len(d.Down) > 0:
		return &statusError{exitPartial, nil}
	case d.Lacking == 0:
		return nil
	case d.Lacking == len(d.Hosts):
		return &statusError{exitFailed, nil}
	default:
		return &statusError{exitPartial, nil}
	}
}

// printDiagnoses prints what is missing on this machine or, for a cluster, for
// its tiers and on each host.
func (a *app) printDiagnoses(d session.Diagnosis, cluster bool) error {
	if !cluster {
		return a.show(block.Document{Name: "Doctor", Blocks: hostBlocks(d.Hosts[0]), Data: d.Hosts[0]})
	}
	doc := block.Document{Name: "Doctor", Data: d}
	if len(d.Tiers) > 0 {
		doc.Add(tiersTable(d.Tiers))
	}
	for _, h := range d.Hosts {
		doc.Add(block.Heading{Level: 1, Text: h.Host})
		doc.Add(hostBlocks(h)...)
	}
	if len(d.Down) > 0 {
		doc.Add(block.Heading{Level: 1, Text: "Hosts that did not answer"})
	}
	for _, h := range d.Down {
		doc.Add(block.Sentence{Is: block.Bad, Word: h.Host, Text: h.Why, Advice: h.Hint})
	}
	return a.show(doc)
}

func tiersTable(all []session.TierDiagnosis) block.Table {
	var rows [][]string
	for _, d := range all {
		there := list(d.Checked)
		if d.Err != nil {
			there = "failed: " + strings.Join(strings.Fields(d.Error), " ")
		}
		rows = append(rows, []string{d.Tier, cmp.Or(there, "-"), cmp.Or(list(d.Unasked), "-")})
	}
	return block.Texts([]string{"tier", "found", "checked during a run only"}, rows)
}

func hostBlocks(d session.HostDiagnosis) block.Blocks {
	var rows [][]string
	for _, l := range d.Tools {
		rows = append(rows, []string{l.Tool, l.State, l.Version, strings.Join(l.Probes, ", "), l.Hint})
	}
	all := block.Blocks{block.Texts([]string{"tool", "state", "version", "used by", "how to install"}, rows)}
	rows = nil
	for _, l := range few(d.Absent) {
		rows = append(rows, []string{l.Suite, l.Case, string(l.Word), withHint(l.Why, l.Hint)})
	}
	if len(rows) == 0 {
		all = append(all, block.Sentence{Text: "all cases of all suites can be measured here"})
	} else {
		all = append(all, block.Texts([]string{"suite", "cannot be measured", "", "why"}, rows))
	}
	rows = nil
	for _, m := range d.Missing {
		rows = append(rows, []string{m.Fact, withHint(m.Why, m.Hint)})
	}
	if len(rows) > 0 {
		all = append(all, block.Texts([]string{"missing fact", "why, and how to get it"}, rows))
	}
	return all
}

// mostAlike is how many of a suite's cases with the same lack are listed one by
// one.
const mostAlike = 3

// few merges many rows that differ only in the case into one, with the number of the
// others: a suite may have fifty cases on a directory that is too small for any.
func few(all []session.Unmeasurable) []session.Unmeasurable {
	alike := map[session.Unmeasurable]int{}
	kind := func(l session.Unmeasurable) session.Unmeasurable { l.Case = ""; return l }
	for _, l := range all {
		alike[kind(l)]++
	}
	var out []session.Unmeasurable
	for _, l := range all {
		switch n := alike[kind(l)]; {
		case n == 0: // counted already
		case n > mostAlike:
			alike[kind(l)] = 0
			l.Case += fmt.Sprintf(" and %d more", n-1)
			fallthrough
		default:
			out = append(out, l)
		}
	}
	return out
}

func withHint(why, hint string) string {
	if hint == "" {
		return why
	}
	return why + "; " + hint
}

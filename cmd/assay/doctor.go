package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/run/session"
)

func (a *app) doctorCommand() *cobra.Command {
	var at where
	var install installWish
	cmd := &cobra.Command{
		Use:     "doctor",
		Short:   "Say which tools are missing, and what cannot be measured and why",
		Example: "  assay doctor\n  assay doctor -i cluster.yaml\n  assay doctor -i cluster.yaml --install-tools",
		Args:    exactly(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context(), at, install) },
	}
	at.flags(cmd)
	install.flags(cmd)
	return cmd
}

// doctor says what cannot be measured, once what can be installed is.
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

// doctorStatus is how the doctor ends the program: hosts stand where others could
// not be asked, or lack what could not be installed.
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

// printDiagnoses prints what is missing on this machine, or for the tiers and on
// each host of a cluster.
func (a *app) printDiagnoses(d session.Diagnosis, cluster bool) error {
	switch {
	case !cluster:
		return a.printDiagnosis(d.Hosts[0])
	case a.format == formatJSON:
		return writeJSON(a.stdout, d)
	}
	if len(d.Tiers) > 0 {
		if err := a.printTiers(d.Tiers); err != nil {
			return err
		}
	}
	for i, h := range d.Hosts {
		if i > 0 || len(d.Tiers) > 0 {
			fmt.Fprintln(a.stdout)
		}
		fmt.Fprintf(a.stdout, "%s\n\n", h.Host)
		if err := a.printDiagnosis(h); err != nil {
			return err
		}
	}
	for _, h := range d.Down {
		fmt.Fprintf(a.stdout, "\n%s: %s\n", h.Host, h.Why)
		if h.Hint != "" {
			fmt.Fprintf(a.stdout, "hint: %s\n", h.Hint)
		}
	}
	return nil
}

func (a *app) printTiers(all []session.TierDiagnosis) error {
	var rows [][]string
	for _, d := range all {
		there := list(d.Checked)
		if d.Err != nil {
			there = "no: " + strings.Join(strings.Fields(d.Error), " ")
		}
		rows = append(rows, []string{d.Tier, cmp.Or(there, "-"), cmp.Or(list(d.Unasked), "-")})
	}
	return a.printTable([]string{"tier", "is there", "only a run finds out"}, rows)
}

func (a *app) printDiagnosis(d session.HostDiagnosis) error {
	if a.format == formatJSON {
		return writeJSON(a.stdout, d)
	}
	var rows [][]string
	for _, l := range d.Tools {
		rows = append(rows, []string{l.Tool, l.State, l.Version, strings.Join(l.Probes, ", "), l.Hint})
	}
	if err := a.printTable([]string{"tool", "state", "version", "for", "how to get it"}, rows); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout)
	if len(d.Absent) == 0 {
		fmt.Fprintln(a.stdout, "every case of every suite can be measured here")
	} else {
		rows = nil
		for _, l := range d.Absent {
			why := l.Why
			if l.Hint != "" {
				why += "; " + l.Hint
			}
			rows = append(rows, []string{l.Suite, l.Case, string(l.Word), why})
		}
		if err := a.printTable([]string{"suite", "cannot be measured", "", "why"}, rows); err != nil {
			return err
		}
	}
	if len(d.Missing) == 0 {
		return nil
	}
	fmt.Fprintln(a.stdout)
	rows = nil
	for _, m := range d.Missing {
		why := m.Why
		if m.Hint != "" {
			why += "; " + m.Hint
		}
		rows = append(rows, []string{m.Fact, why})
	}
	return a.printTable([]string{"fact not known", "why, and what would give it"}, rows)
}

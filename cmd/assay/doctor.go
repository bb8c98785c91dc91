package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay"
	"assay/internal/version"
	"assay/plan"
	"assay/plan/suite"
)

func (a *app) doctorCommand() *cobra.Command {
	var at where
	var install installWish
	cmd := &cobra.Command{
		Use:     "doctor",
		Short:   "Say which tools are missing, and what cannot be measured and why",
		Example: "  assay doctor\n  assay doctor -i cluster.yaml\n  assay doctor -i cluster.yaml --install-tools",
		Args:    exactly(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			hosts, storage, err := patients(at)
			if err != nil {
				return err
			}
			return a.doctor(cmd.Context(), hosts, storage, install)
		},
	}
	at.flags(cmd)
	install.flags(cmd)
	return cmd
}

// doctor looks at the tiers and at the hosts, as far as either are asked for. What
// is wrong with tiers keeps nothing of the hosts back.
func (a *app) doctor(ctx context.Context, hosts, storage *where, install installWish) error {
	var lines []tierLine
	var terr error
	if storage != nil {
		if lines, terr = a.diagnoseTiers(ctx, *storage); terr == nil {
			terr = tierErrors(lines)
		}
	}
	if hosts == nil {
		if install.install {
			a.note("there is no host to install tools on: in pods they come with the image")
		}
		return errors.Join(terr, a.printTiersAlone(lines, storage))
	}
	look, err := hosts.open(ctx)
	if err != nil {
		return errors.Join(terr, err, a.printTiersAlone(lines, storage))
	}
	defer look.close(ctx)
	if !install.install {
		return errors.Join(terr, a.printDiagnoses(look, lines))
	}
	return errors.Join(terr, a.cure(ctx, look, lines, install))
}

// cure installs what any suite lacks on each host, and says how things stand
// then, also where nothing could be installed.
func (a *app) cure(ctx context.Context, look *session, storage []tierLine, w installWish) error {
	suites, err := everySuite()
	if err != nil {
		return err
	}
	failed, err := a.install(ctx, look, suites, w)
	if ctx.Err() != nil || statusOf(err) == exitUsage {
		return err
	}
	perr := a.printDiagnoses(look, storage)
	switch {
	case err != nil:
		return err
	case perr != nil:
		return perr
	case failed == 0:
		return nil
	case failed == len(look.places()):
		return &statusError{exitFailed, nil}
	default:
		return &statusError{exitPartial, nil}
	}
}

func everySuite() (all []suite.Suite, err error) {
	for _, name := range suite.Names() {
		s, err := suite.Load(name)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// diagnosis is what the doctor found, as JSON has it.
type diagnosis struct {
	Host    string              `json:"host"`
	Tools   []toolLine          `json:"tools"`
	Absent  []absentLine        `json:"absent"`  // what the suites cannot measure here
	Missing []assay.MissingFact `json:"missing"` // facts that the audit will lack
}

type toolLine struct {
	Tool    string   `json:"tool"`
	Probes  []string `json:"probes"`
	Path    string   `json:"path,omitempty"`
	Version string   `json:"version,omitempty"`
	State   string   `json:"state"` // ok, missing, too old
	Hint    string   `json:"hint,omitempty"`
}

type absentLine struct {
	Suite string `json:"suite"`
	Case  string `json:"case"`
	assay.Absence
}

// printDiagnoses prints what is missing on this machine, or for the tiers and on
// each host of a cluster.
func (a *app) printDiagnoses(look *session, storage []tierLine) error {
	all := []diagnosis{}
	for _, h := range look.inventory.Hosts {
		f, asked := look.inventory.Facts[h.Name]
		if !asked {
			continue
		}
		d, err := diagnose(look, f)
		if err != nil {
			return err
		}
		all = append(all, d)
	}
	switch {
	case look.cluster == "":
		return a.printDiagnosis(all[0])
	case a.format == formatJSON:
		found := map[string]any{"hosts": all, "down": look.downLines()}
		if len(storage) > 0 {
			found["tiers"] = storage
		}
		if err := writeJSON(a.stdout, found); err != nil {
			return err
		}
	default:
		if len(storage) > 0 {
			if err := a.printTiers(storage); err != nil {
				return err
			}
		}
		for i, d := range all {
			if i > 0 || len(storage) > 0 {
				fmt.Fprintln(a.stdout)
			}
			fmt.Fprintf(a.stdout, "%s\n\n", d.Host)
			if err := a.printDiagnosis(d); err != nil {
				return err
			}
		}
		for _, l := range look.downLines() {
			fmt.Fprintf(a.stdout, "\n%s: %s\n", l.Host, l.Why)
			if l.Hint != "" {
				fmt.Fprintf(a.stdout, "hint: %s\n", l.Hint)
			}
		}
	}
	if len(look.down) > 0 {
		return &statusError{exitPartial, nil}
	}
	return nil
}

func diagnose(look *session, f assay.Facts) (diagnosis, error) {
	d := diagnosis{Host: f.Host, Tools: toolLines(look, f), Absent: []absentLine{}, Missing: f.Missing}
	if d.Missing == nil {
		d.Missing = []assay.MissingFact{}
	}
	suites, err := everySuite()
	if err != nil {
		return d, err
	}
	for _, s := range suites {
		if !slices.ContainsFunc(s.Cases, func(c assay.Case) bool { return len(look.inventory.Of(c.On)) > 0 }) {
			continue // one machine has no links
		}
		p, err := plan.Make(look.inventory, s, look.probes, plan.Options{Seed: 1})
		if err != nil {
			return d, err
		}
		for _, t := range p.Trials {
			if t.Absent != nil && t.Subject.Host == f.Host {
				d.Absent = append(d.Absent, absentLine{s.Name, t.Probe + "/" + t.Case + " on " + t.Subject.Name, *t.Absent})
			}
		}
	}
	return d, nil
}

func toolLines(look *session, f assay.Facts) []toolLine {
	var lines []toolLine
	index := map[string]int{}
	for _, p := range look.probes {
		spec := p.Spec()
		for _, need := range spec.Tools {
			if i, seen := index[need.Name]; seen {
				lines[i].Probes = append(lines[i].Probes, spec.Name)
				continue
			}
			index[need.Name] = len(lines)
			have := f.Tool(need.Name)
			l := toolLine{Tool: need.Name, Probes: []string{spec.Name}, Path: have.Path, Version: have.Version, State: "ok"}
			switch {
			case have.Path == "" && need.Optional:
				l.State, l.Hint = "missing, not needed", plan.InstallHint(need, f.Packager)
			case have.Path == "":
				l.State, l.Hint = "missing", plan.InstallHint(need, f.Packager)
			case version.Older(have.Version, need.Least):
				l.State, l.Hint = "too old, "+need.Least+" is needed", plan.InstallHint(need, f.Packager)
			}
			lines = append(lines, l)
		}
	}
	return lines
}

func (a *app) printDiagnosis(d diagnosis) error {
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

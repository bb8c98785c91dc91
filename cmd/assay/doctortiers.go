package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/inventory/cluster"
	"assay/run/tiers"
)

// tierLine is what the doctor found of one tier, as JSON has it.
type tierLine struct {
	Tier    string   `json:"tier"`
	Checked []string `json:"checked"` // what was asked for, and is there
	Unasked []string `json:"unasked"` // what only a run finds out
	Error   string   `json:"error,omitempty"`
	Hint    string   `json:"hint,omitempty"`

	err error
}

// patients says what of a cluster.yaml is looked at: its hosts with the words that
// choose among them, its tiers with theirs, or both.
func patients(at where) (hosts, storage *where, err error) {
	if at.cluster == "" {
		return &at, nil, nil
	}
	c, err := readCluster(at.cluster)
	if err != nil {
		return nil, nil, err
	}
	ofHosts, ofTiers, err := c.Sort(at.only)
	if err != nil {
		return nil, nil, usage(err)
	}
	all := len(at.only) == 0
	if len(ofTiers) > 0 || all && len(c.Tiers) > 0 {
		some := at
		some.tiers, some.only = true, ofTiers
		storage = &some
	}
	if len(ofHosts) > 0 || all && len(c.Hosts) > 0 || storage == nil {
		some := at
		some.only = ofHosts
		hosts = &some
	}
	return hosts, storage, nil
}

// diagnoseTiers looks whether tiers could be put in place, and makes nothing. What is
// wrong stands in the lines; an error says why nothing could be looked at.
func (a *app) diagnoseTiers(ctx context.Context, at where) (lines []tierLine, err error) {
	c, err := readCluster(at.cluster)
	if err != nil {
		return nil, err
	}
	chosen, err := at.chosenTiers(c)
	if err != nil {
		return nil, usage(err)
	}
	look, err := at.reach()
	if err != nil {
		return nil, err
	}
	defer look.close(ctx)
	ofPods := look.stage.Check(ctx)
	for _, n := range look.stage.Notes {
		fmt.Fprintf(a.stderr, "note: %s\n", n.Text)
	}
	for _, t := range chosen {
		lines = append(lines, examine(ctx, t, look.stage, ofPods))
	}
	return lines, nil
}

// examine says what is known of one tier. ofPods is why pods could not be made.
func examine(ctx context.Context, t cluster.Tier, stage *tiers.Stage, ofPods error) tierLine {
	found := stage.Examine(ctx, t, ofPods)
	l := tierLine{Tier: t.Name, Checked: append([]string{}, found.Checked...), Unasked: append([]string{}, found.Unasked...), err: found.Err}
	if l.err != nil {
		l.Error, l.Hint = l.err.Error(), assay.Hint(l.err)
	}
	return l
}

// tierErrors are what is wrong, each once: the tiers in pods share it.
func tierErrors(lines []tierLine) error {
	var errs []error
	for _, l := range lines {
		if l.err != nil && !slices.Contains(errs, l.err) {
			errs = append(errs, l.err)
		}
	}
	return errors.Join(errs...)
}

// printTiersAlone prints what was found of tiers, where there is nothing of hosts.
func (a *app) printTiersAlone(lines []tierLine, storage *where) error {
	if len(lines) == 0 {
		return nil
	}
	return a.printDiagnoses(&session{cluster: storage.cluster}, lines)
}

func (a *app) printTiers(lines []tierLine) error {
	var rows [][]string
	for _, l := range lines {
		there := list(l.Checked)
		if l.err != nil {
			there = "no: " + strings.Join(strings.Fields(l.Error), " ")
		}
		rows = append(rows, []string{l.Tier, cmp.Or(there, "-"), cmp.Or(list(l.Unasked), "-")})
	}
	return a.printTable([]string{"tier", "is there", "only a run finds out"}, rows)
}

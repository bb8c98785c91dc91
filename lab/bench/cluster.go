package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"assay"
	"assay/lab/hosts"
	"assay/plan"
)

const (
	clusterHosts = 8
	// A varied share of the baseline: the tools measure by the clock, so hosts
	// can share two cores here.
	clusterCases  = "randread-4k,cpu-1,memory-read-1"
	clusterBudget = 20 * time.Second // for each host

	matrixCase = "tcp-1"
	// matrixLength is how long one flow is measured, above the minimum of 1 s,
	// so that both budgets can be met.
	matrixLength = 1200 * time.Millisecond
)

// measureCluster times one run of eight hosts against eight runs of one host.
func measureCluster(ctx context.Context, w wish, dir string, say func(string)) (rows []row, notes []string, err error) {
	what, against := fmt.Sprintf("baseline of %d hosts", clusterHosts), "one host after another"
	if missing := noLab(row{what: what}); missing != nil {
		return missing, nil, nil
	}
	words := []string{"--suite", "baseline", "--only", clusterCases, "--repeats", "1", "--time-budget", clusterBudget.String()}
	err = withHosts(ctx, w, dir, clusterHosts, say, func(s site) error {
		say(what + ": at once")
		together, err := s.carry(ctx, sheet{name: "together", hosts: s.lab.Names()}, words)
		if err != nil {
			return err
		}
		var alone []assay.Run
		wall := 0.
		for _, name := range s.lab.Names() {
			say(what + ": " + name + " alone")
			file, err := s.write(sheet{name: name, hosts: []string{name}})
			if err != nil {
				return err
			}
			run, took, err := s.measure(ctx, file, words...)
			if err != nil {
				return err
			}
			alone, wall = append(alone, run), wall+took
		}
		r, said, err := waysRow(what, against, together, way{tallyOf(alone...), wall})
		if err != nil {
			return err
		}
		rows, notes = append(rows, r), append(notes, said...)
		notes = append(notes, fmt.Sprintf("%s: of the suite %s, one repeat each, as long as %s a host allow; the hosts share the CPUs here, so their figures are not looked at",
			what, clusterCases, clusterBudget))
		return nil
	})
	return rows, notes, err
}

// measureMatrix times every directed pair of eight hosts in rounds, with no
// host twice in a round, against one pair after another.
func measureMatrix(ctx context.Context, w wish, dir string, say func(string)) (rows []row, notes []string, err error) {
	what, against := fmt.Sprintf("network matrix of %d hosts, in rounds", clusterHosts), "one pair after another"
	if missing := noLab(row{what: what}); missing != nil {
		return missing, nil, nil
	}
	err = withHosts(ctx, w, dir, clusterHosts, say, func(s site) error {
		var ways [2]way
		for i, c := range []sheet{{name: "rounds"}, {name: "one-by-one", oneByOne: true}} {
			c.hosts, c.networks = s.lab.Names(), []string{hosts.Management}
			words := []string{"--suite", "network", "--only", matrixCase, "--repeats", "1"}
			budget, err := s.budget(ctx, c, matrixLength, words)
			if err != nil {
				return err
			}
			say(fmt.Sprintf("%s: %s, about %s", what, c.name, budget.Round(time.Second)))
			if ways[i], err = s.carry(ctx, c, append(words, "--time-budget", budget.String())); err != nil {
				return err
			}
		}
		r, said, err := waysRow(what, against, ways[0], ways[1])
		if err != nil {
			return err
		}
		rows, notes = append(rows, r), append(notes, said...)
		notes = append(notes, fmt.Sprintf("%s: %s of each of %d directed pairs on one network, %s s each",
			what, matrixCase, clusterHosts*(clusterHosts-1), strconv.FormatFloat(matrixLength.Seconds(), 'g', -1, 64)))
		return nil
	})
	return rows, notes, err
}

// carry measures a cluster with the command-line words of a plan.
func (s site) carry(ctx context.Context, c sheet, words []string) (way, error) {
	file, err := s.write(c)
	if err != nil {
		return way{}, err
	}
	run, wall, err := s.measure(ctx, file, words...)
	return way{tallyOf(run), wall}, err
}

// budget asks assay for its plan and returns the budget that makes each repeat
// measure for length.
func (s site) budget(ctx context.Context, c sheet, length time.Duration, words []string) (time.Duration, error) {
	file, err := s.write(c)
	if err != nil {
		return 0, err
	}
	out, err := s.assay(append([]string{"plan", "-i", file, "--seed", "1", "--format", "json"}, words...)...).run(ctx)
	if err != nil {
		return 0, err
	}
	var p plan.Plan
	if err := json.Unmarshal(out.stdout, &p); err != nil {
		return 0, fmt.Errorf("assay plan: %w", err)
	}
	return budgetFor(p, length), nil
}

// planShare is the share of its budget that a plan uses.
const planShare = .97

// budgetFor returns the budget for p with repeats of another length, in tenths
// of a second.
func budgetFor(p plan.Plan, length time.Duration) time.Duration {
	around := p.Estimate - p.Course(p.Schedule) // what a plan adds to the course of its trials
	for i := range p.Trials {
		p.Trials[i].Length = length
	}
	whole := float64(around+p.Course(p.Schedule)) / planShare
	const tenth = time.Second / 10
	return (time.Duration(whole) + tenth - 1).Truncate(tenth)
}

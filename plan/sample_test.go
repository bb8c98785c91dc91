package plan

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/plan/suite"
)

// linkProbe makes a trial of every link.
type linkProbe struct{}

func (linkProbe) Spec() assay.Spec { return assay.Spec{Name: "iperf3"} }

func (linkProbe) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	var all []assay.Trial
	for _, s := range inv.Subjects {
		if s.Kind == assay.KindLink {
			all = append(all, assay.Trial{ID: c.Name + "@" + s.ID, Probe: c.Probe, Case: c.Name, Subject: s, Peer: s.Peer, Overhead: time.Second})
		}
	}
	return all, nil
}

func (linkProbe) Run(context.Context, assay.Trial, assay.Bench) (assay.Transcript, error) {
	return assay.Transcript{}, nil
}

func (linkProbe) Parse(assay.Transcript) ([]assay.Measurement, error) { return nil, nil }

// cabled returns an inventory of n hosts with all links of one network.
func cabled(n int) assay.Inventory {
	inv := assay.Inventory{File: "cluster.yaml", Facts: map[string]assay.Facts{}, Networks: []assay.Network{{Name: "lan"}}}
	for a := range n {
		inv.Hosts = append(inv.Hosts, assay.Host{Name: host(a), Labels: map[string]string{"rack": string(rune('a' + a/16))}})
		inv.Facts[host(a)] = assay.Facts{Host: host(a)}
	}
	for _, t := range matrix(n, "tcp", "lan") {
		t.Subject.Kind = assay.KindLink
		inv.Subjects = append(inv.Subjects, t.Subject)
	}
	return inv
}

func TestManyHostsHaveASampleOfTheirLinksMeasured(t *testing.T) {
	s := suite.Suite{Name: "network", Budget: 15 * time.Minute, Repeats: 6, Precision: .02, Cases: []assay.Case{
		{Probe: "iperf3", Name: "tcp-1", On: assay.KindLink, Seconds: 3}}}
	for _, k := range []struct{ hosts, trials, repeats int }{{32, 32 * 31, 6}, {64, 64 / 2 * 40, 1}} {
		p, err := Make(cabled(k.hosts), s, []assay.Probe{linkProbe{}}, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(p.Trials); n > k.trials || n < k.trials*95/100 {
			t.Errorf("%d hosts: %d trials, want about %d", k.hosts, n, k.trials)
		}
		if k.hosts == 32 {
			continue // repeats depend on the budget
		}
		times := map[string]int{}
		for _, trial := range p.Trials {
			if trial.Repeats != k.repeats || trial.Precision != 0 {
				t.Fatalf("%d hosts: %s has %d repeats and a precision of %v", k.hosts, trial.ID, trial.Repeats, trial.Precision)
			}
			times[trial.Subject.Host]++
			times[trial.Peer]++
		}
		for h, n := range times {
			if n < 36 || n > 40 {
				t.Errorf("%s is in %d links", h, n)
			}
		}
		if p.Estimate > s.Budget {
			t.Errorf("it takes %s of %s", p.Estimate, s.Budget)
		}
		if !slices.ContainsFunc(p.Notes, func(n assay.Note) bool {
			return n.ID == "sample" && strings.Contains(n.Text, "of 4032 links between 64 hosts")
		}) {
			t.Errorf("the plan does not say that it is a sample: %v", p.Notes)
		}
	}
}

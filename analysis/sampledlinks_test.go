package analysis_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"assay"
	"assay/analysis"
	"assay/analysis/sampled"
	"assay/analysis/sampled/sampledtest"
	"assay/plan/sampling"
)

// sampledRun returns a run of 100 hosts in racks of 20, with 40 rounds of links
// measured once each.
func sampledRun(seed uint64, faults int) (assay.Run, []sampledtest.Planted) {
	ways, planted, _ := sampledtest.Simulate(sampledtest.Cluster{Hosts: 100, PerRack: 20, Faults: faults, Rounds: 40}, rand.New(rand.NewPCG(seed, 5)))
	return runOf(ways), planted
}

// runOf returns a run that measured these paths once each.
func runOf(ways []sampled.Way) assay.Run {
	run := assay.Run{Suite: "network", Inventory: assay.Inventory{File: "cluster.yaml", Facts: map[string]assay.Facts{}, Networks: []assay.Network{{Name: "lan", Addresses: map[string]string{}}}}}
	known := map[string]bool{}
	enter := func(host, rack string) {
		if !known[host] {
			known[host] = true
			run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: host, Labels: map[string]string{"rack": rack}})
			run.Inventory.Facts[host] = assay.Facts{Host: host}
			run.Inventory.Networks[0].Addresses[host] = host
		}
	}
	for i, w := range ways {
		enter(w.From, w.FromRack)
		enter(w.To, w.ToRack)
		run.Results = append(run.Results, resultOf(w, i))
	}
	return run
}

func link(from, to string) assay.Subject {
	return assay.Subject{ID: fmt.Sprintf("%s/link/lan:%s", from, to), Kind: assay.KindLink, Host: from, Peer: to, Network: "lan", Name: "lan"}
}

func resultOf(w sampled.Way, i int) assay.Result {
	s := link(w.From, w.To)
	return assay.Result{
		Trial: assay.Trial{ID: fmt.Sprintf("iperf3/tcp-1@%s#%d", s.ID, i), Probe: "iperf3", Case: "tcp-1", Title: fmt.Sprintf("TCP, one flow, %s → %s on lan", w.From, w.To), Subject: s, Peer: w.To, Repeats: 1, Length: 3 * time.Second},
		Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
			{Metric: "net.tcp.throughput", Value: w.Rate, Unit: assay.BytesPerSecond}, {Metric: "net.tcp.retransmits", Value: w.Retransmits, Unit: assay.One}}}},
	}
}

// After a few rounds a slow receiver is a suspect and more of its links are asked for; with
// them it is named.
func TestASuspectOfASampleIsFollowedUp(t *testing.T) {
	ways, _, measure := sampledtest.Simulate(sampledtest.Cluster{Hosts: 100, Rounds: 8}, rand.New(rand.NewPCG(3, 5)))
	const slow = "host7"
	spoil := func(w sampled.Way) sampled.Way {
		if w.To == slow {
			w.Rate *= .3
		}
		return w
	}
	for i := range ways {
		ways[i] = spoil(ways[i])
	}
	run := runOf(ways)
	for _, from := range run.Inventory.Hosts {
		for _, to := range run.Inventory.Hosts {
			if from.Name != to.Name {
				run.Inventory.Subjects = append(run.Inventory.Subjects, link(from.Name, to.Name))
			}
		}
	}
	found := analysis.Of(run)
	if len(found.Outliers) > 0 {
		t.Fatalf("named too early: %+v", found.Outliers[0].Standout)
	}
	questions := found.Questions()
	at := slices.IndexFunc(questions, func(q analysis.Question) bool { return q.Who() == slow })
	if at < 0 || len(questions[at].Tests) != 1 || len(questions[at].Tests[0].Subjects) != 8 {
		t.Fatalf("%+v: %s is to be followed up on eight links", questions, slow)
	}
	for i, q := range questions {
		for _, id := range q.Tests[0].Subjects {
			s := run.Inventory.Subjects[slices.IndexFunc(run.Inventory.Subjects, func(s assay.Subject) bool { return s.ID == id })]
			if slices.ContainsFunc(run.Results, func(r assay.Result) bool { return r.Trial.Subject.ID == id }) {
				t.Errorf("%s was measured already", id)
			}
			r := resultOf(spoil(measure(sampling.Pair{From: s.Host, To: s.Peer})), 1000+100*i)
			r.Trial.Case, r.Trial.Decides = q.Tests[0].Case, q.Who()
			r.Trial.ID = "iperf3/flow-1@" + id
			run.Results = append(run.Results, r)
		}
	}
	if after := analysis.Of(run); len(after.Outliers) != 1 || after.Outliers[0].Host != slow {
		t.Errorf("%d hosts are named, want %s alone", len(after.Outliers), slow)
	}
}

// For a sample of links, the verdict names exactly the faulty hosts and racks.
func TestTheVerdictOnASampleOfLinks(t *testing.T) {
	for seed := range uint64(5) {
		run, planted := sampledRun(seed, 2)
		found := analysis.Of(run)
		var named, want []string
		for _, o := range found.Outliers {
			named = append(named, o.Host)
		}
		for _, s := range found.Side.Signs {
			named = append(named, s.Host)
		}
		for _, p := range planted {
			name := p.Name
			if name[0] == 'r' {
				name = "rack " + name
			}
			want = append(want, name)
		}
		slices.Sort(named) // twice if both outlier and sign
		named = slices.Compact(named)
		slices.Sort(want)
		if !slices.Equal(named, want) {
			t.Errorf("seed %d: %v are named, want %v", seed, named, want)
		}
	}
}

func TestASampleOfASoundClusterBlamesNobody(t *testing.T) {
	for seed := range uint64(5) {
		run, _ := sampledRun(seed, 0)
		if found := analysis.Of(run); len(found.Outliers)+len(found.Side.Signs) > 0 {
			t.Errorf("seed %d: %+v %+v", seed, found.Outliers, found.Side.Signs)
		}
	}
}

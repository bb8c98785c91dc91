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
)

// sampledRun is a run of 100 hosts in racks of 20 of which 40 rounds of links were
// measured, once each.
func sampledRun(seed uint64, faults int) (assay.Run, []sampled.Planted) {
	ways, planted := sampled.Simulate(sampled.Cluster{Hosts: 100, PerRack: 20, Faults: faults, Rounds: 40}, rand.New(rand.NewPCG(seed, 5)))
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
		s := assay.Subject{ID: fmt.Sprintf("%s/link/lan:%s", w.From, w.To), Kind: assay.KindLink, Host: w.From, Peer: w.To, Network: "lan", Name: "lan"}
		run.Results = append(run.Results, assay.Result{
			Trial: assay.Trial{ID: fmt.Sprintf("iperf3/tcp-1@%s#%d", s.ID, i), Probe: "iperf3", Case: "tcp-1", Title: fmt.Sprintf("TCP, one flow, %s → %s on lan", w.From, w.To), Subject: s, Peer: w.To, Repeats: 1, Length: 3 * time.Second},
			Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
				{Metric: "net.tcp.throughput", Value: w.Rate, Unit: assay.BytesPerSecond}, {Metric: "net.tcp.retransmits", Value: w.Retransmits, Unit: assay.One}}}},
		})
	}
	return run, planted
}

// Of a sample of links the verdict names the hosts and racks that have a fault, and
// nobody else.
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
		slices.Sort(named) // twice where it is an outlier and a sign
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

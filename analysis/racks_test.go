package analysis

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"assay"
)

// racksRun returns a run of racks of four hosts with all links measured; slow returns the
// factor by which a path is slower.
func racksRun(racks int, dice *rand.Rand, slow func(from, to int) float64) assay.Run {
	run := assay.Run{Inventory: assay.Inventory{Facts: map[string]assay.Facts{}, Networks: []assay.Network{{Name: "lan", Addresses: map[string]string{}}}}}
	const each = 4
	for i := range racks * each {
		name := fmt.Sprintf("host%02d", i)
		run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: name, Labels: map[string]string{"rack": fmt.Sprint(i / each)}})
		run.Inventory.Facts[name], run.Inventory.Networks[0].Addresses[name] = assay.Facts{Host: name}, name
		for j := range racks * each {
			if i == j {
				continue
			}
			s := assay.Subject{ID: fmt.Sprintf("%s/link/lan:%d", name, j), Kind: assay.KindLink, Host: name, Peer: fmt.Sprintf("host%02d", j), Network: "lan", Name: "lan"}
			r := assay.Result{Trial: assay.Trial{ID: "tcp-1@" + s.ID, Case: "tcp-1", Title: fmt.Sprintf("TCP, one flow, %s → %s on lan", s.Host, s.Peer), Subject: s, Peer: s.Peer, Repeats: 3}}
			for n := range 3 {
				r.Repeats = append(r.Repeats, assay.Repeat{N: n + 1, Outcome: assay.Done, Measurements: []assay.Measurement{
					{Metric: "net.tcp.throughput", Value: 1.1e9 * (1 + .05*dice.NormFloat64()) / slow(i/each, j/each)},
				}})
			}
			run.Results = append(run.Results, r)
		}
	}
	return run
}

// If all hosts behind an uplink or switch are slow, it is named instead of them; if the
// file names no racks, or only one host is slow, no rack is named.
func TestASharedUplinkIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		racks int
		slow  func(from, to int) float64
		want  string
	}{
		"out of a rack of three": {3, func(from, to int) float64 {
			if from == 1 && to != 1 {
				return 4
			}
			return 1
		}, "rack 1  from host; "},
		"into a rack of three": {3, func(from, to int) float64 {
			if to == 2 && from != 2 {
				return 4
			}
			return 1
		}, "rack 2  to host; "},
		"between two": {2, func(from, to int) float64 {
			if from != to {
				return 3
			}
			return 1
		}, "rack 0 rack 1 path; "},
		"one way between two": {2, func(from, to int) float64 {
			if from == 1 && to == 0 {
				return 3
			}
			return 1
		}, "rack 1 rack 0 one way; "},
		"nothing": {3, func(_, _ int) float64 { return 1 }, ""},
		"a little between two": {2, func(from, to int) float64 {
			if from != to {
				return 1.2
			}
			return 1
		}, ""},
	} {
		dice := rand.New(rand.NewPCG(3, 4)) // #nosec G404 -- a simulation
		found, said := Of(racksRun(c.racks, dice, c.slow)), ""
		for _, o := range found.Outliers {
			said += fmt.Sprintf("%s %s %s; ", o.Host, o.Peer, o.Ways)
			if !o.Racks {
				t.Errorf("%s: %s is no rack", name, o.Host)
			}
		}
		if said != c.want {
			t.Errorf("%s: %q, want %q", name, said, c.want)
		}
		unnamed := racksRun(c.racks, dice, c.slow)
		for i := range unnamed.Inventory.Hosts {
			unnamed.Inventory.Hosts[i].Labels = nil
		}
		for _, o := range Of(unnamed).Outliers {
			if o.Racks {
				t.Errorf("%s, without labels: %s", name, o.Host)
			}
		}
	}
}

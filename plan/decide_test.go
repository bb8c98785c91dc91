package plan

import (
	"slices"
	"testing"
	"time"

	"assay"
	"assay/plan/suite"
	probeall "assay/probe/all"
)

// decidable returns four hosts with iperf3, and all links between them.
func decidable() assay.Inventory {
	inv := assay.Inventory{Facts: map[string]assay.Facts{}, Networks: []assay.Network{{Name: "san", Addresses: map[string]string{}}}}
	all := []string{"a", "b", "c", "d"}
	for i, h := range all {
		inv.Hosts = append(inv.Hosts, assay.Host{Name: h})
		inv.Facts[h] = assay.Facts{Host: h, Tools: []assay.ToolFacts{{Name: "iperf3", Path: "/usr/bin/iperf3", Version: "3.12"}}}
		inv.Networks[0].Addresses[h] = "10.0.0." + string(rune('1'+i))
		for _, peer := range all {
			if peer != h {
				inv.Subjects = append(inv.Subjects, assay.Subject{ID: h + "/link/san:" + peer, Kind: assay.KindLink, Host: h, Peer: peer, Network: "san"})
			}
		}
	}
	return inv
}

// Deciding measurements run on the named subjects, once each, with the facts known
// by then; what cannot be measured is left out.
func TestDecide(t *testing.T) {
	inv := decidable()
	wanted := []Wanted{
		{Case: "udp-slow", Set: map[string]string{"rate": "25M"}, Subjects: []string{"a/link/san:b", "c/link/san:d"}, Decides: "b"},
		{Case: "flows-4", Subjects: []string{"a/link/san:b"}, Decides: "b"},
		{Case: "udp-slow", Set: map[string]string{"rate": "9M"}, Subjects: []string{"c/link/san:d"}, Decides: "d"},
		{Case: "reads-slow", Subjects: []string{"a/directory//srv"}, Decides: "b"},
	}
	trials, err := Decide(inv, assay.Run{}, wanted, probeall.Probes())
	if err != nil || len(trials) != 3 {
		t.Fatalf("%+v, %v", trials, err)
	}
	for i, want := range []struct{ id, rate string }{{"iperf3/udp-slow@a/link/san:b", "25M"}, {"iperf3/udp-slow@c/link/san:d", "25M"}, {"iperf3/flows-4@a/link/san:b", ""}} {
		if got := trials[i]; got.ID != want.id || got.Settings["rate"] != want.rate || got.Decides != "b" || got.Repeats != 1 || got.Length == 0 || got.Bound == 0 {
			t.Errorf("%+v, want %s", got, want.id)
		}
	}
	delete(inv.Facts, "b")
	if trials, err = Decide(inv, assay.Run{}, wanted, probeall.Probes()); err != nil || len(trials) != 1 || trials[0].ID != "iperf3/udp-slow@c/link/san:d" {
		t.Errorf("without b: %+v, %v", trials, err)
	}
	if _, err = Decide(inv, assay.Run{}, []Wanted{{Case: "oracle"}}, probeall.Probes()); err == nil {
		t.Error("a case that is not there was planned")
	}
}

// Trials are added while they fit: all trials of a question, or none.
func TestAddWithinTheRoom(t *testing.T) {
	inv := decidable()
	trials, err := Decide(inv, assay.Run{}, []Wanted{
		{Case: "udp-slow", Subjects: []string{"a/link/san:b", "c/link/san:d"}, Decides: "b"},
		{Case: "flows-4", Subjects: []string{"a/link/san:b", "b/link/san:a"}, Decides: "b"},
	}, probeall.Probes())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		room time.Duration
		want []Slot
	}{
		{time.Second, nil},
		{4 * time.Second, []Slot{{1, 1}, {2, 1}}}, // in parallel on different hosts
		{time.Minute, []Slot{{1, 1}, {2, 1}, {3, 1}, {4, 1}}},
	} {
		p := Plan{Trials: []assay.Trial{{ID: "planned"}}}
		got := p.Add(trials, c.room)
		slices.SortFunc(got, func(x, y Slot) int { return x.Trial - y.Trial })
		if !slices.Equal(got, c.want) || len(p.Trials) != 1+len(c.want) {
			t.Errorf("in %s: %v of %d trials, want %v", c.room, got, len(p.Trials), c.want)
		}
	}
}

// Like does not repeat the deciding measurements of the other run; a resumed run
// finishes its own.
func TestWhatDecidedIsOfOneRun(t *testing.T) {
	was := assay.Run{ID: "r", Suite: "cluster", Seed: 1, Budget: time.Minute, Status: assay.RunInterrupted, Results: []assay.Result{
		{Trial: assay.Trial{ID: "planned", Repeats: 1, Length: time.Second}, Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done}}},
		{Trial: assay.Trial{ID: "decides", Decides: "host3", Repeats: 1, Length: time.Second}},
	}}
	like, err := Like(was, suite.Suite{Title: "t"}, nil, Options{Seed: 1})
	if err != nil || len(like.Trials) != 1 || like.Trials[0].ID != "planned" {
		t.Errorf("%+v, %v", like.Trials, err)
	}
	again, _, err := Again(was, suite.Suite{Title: "t"}, 0)
	if err != nil || len(again.Trials) != 2 || !slices.Equal(again.Schedule, []Slot{{1, 1}}) {
		t.Errorf("%+v, %+v, %v", again.Trials, again.Schedule, err)
	}
}

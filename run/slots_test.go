package run_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"assay"
	"assay/place/local"
	"assay/plan"
	"assay/run"
	"assay/store"
)

// meeting is a probe that records who measures concurrently.
type meeting struct {
	mu      *sync.Mutex
	here    map[string]int // trials under way, by host
	order   map[string][]string
	most    *int // hosts that measured concurrently
	clashed *bool
	wait    chan struct{} // closed once all hosts measured at once
	hosts   int
}

func (meeting) Spec() assay.Spec { return assay.Spec{Name: "meeting"} }
func (meeting) Trials(assay.Inventory, assay.Case) ([]assay.Trial, error) {
	return nil, nil
}
func (m meeting) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	hosts := []string{t.Subject.Host}
	if t.Peer != "" {
		hosts = append(hosts, t.Peer)
		if on.Peer == nil || on.Peer.Host().Name != t.Peer {
			return assay.Transcript{}, fmt.Errorf("%s has no place at its other end", t.ID)
		}
	}
	m.mu.Lock()
	for _, h := range hosts {
		if m.here[h]++; m.here[h] > 1 {
			*m.clashed = true
		}
		m.order[h] = append(m.order[h], t.ID)
	}
	busy := 0
	for _, n := range m.here {
		busy += min(n, 1)
	}
	*m.most = max(*m.most, busy)
	if busy == m.hosts {
		select {
		case <-m.wait:
		default:
			close(m.wait)
		}
	}
	m.mu.Unlock()
	select {
	case <-m.wait: // all hosts were measured at once, as required
	case <-ctx.Done():
		return assay.Transcript{}, ctx.Err()
	}
	m.mu.Lock()
	for _, h := range hosts {
		m.here[h]--
	}
	m.mu.Unlock()
	return assay.Transcript{Steps: []assay.Step{{Name: "measure"}}}, nil
}
func (meeting) Parse(assay.Transcript) ([]assay.Measurement, error) {
	return []assay.Measurement{{Metric: "cpu.events_per_second", Value: 1, Unit: assay.PerSecond}}, nil
}

func trialOn(host, peer, name string) assay.Trial {
	return assay.Trial{
		ID: name + "@" + host + peer, Probe: "meeting", Title: name, Peer: peer, Repeats: 2, Length: time.Millisecond, Overhead: time.Millisecond,
		Bound: 5 * time.Minute, Subject: assay.Subject{ID: host + "/cpu", Kind: assay.KindCPU, Host: host, Name: "cpu"},
	}
}

// Hosts are measured concurrently, each by one trial at a time and in the
// schedule's order.
func TestHostsAreMeasuredAtOnce(t *testing.T) {
	st, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	hosts := []string{"a", "b", "c"}
	inv, places := assay.Inventory{Facts: map[string]assay.Facts{}}, map[string]assay.Place{}
	p := plan.Plan{Title: "test", Budget: 10 * time.Minute}
	for _, h := range hosts {
		inv.Hosts = append(inv.Hosts, assay.Host{Name: h})
		inv.Facts[h] = assay.Facts{Host: h}
		places[h] = local.New(h, "")
		p.Trials = append(p.Trials, trialOn(h, "", "one"), trialOn(h, "", "two"))
	}
	p.Trials = append(p.Trials, trialOn("a", "b", "link"))
	var want []string
	for n := 1; n <= 2; n++ {
		for i, tr := range p.Trials {
			p.Schedule = append(p.Schedule, plan.Slot{Trial: i, Repeat: n})
			if tr.Subject.Host == "a" || tr.Peer == "a" {
				want = append(want, tr.ID)
			}
		}
	}
	m := meeting{mu: new(sync.Mutex), here: map[string]int{}, order: map[string][]string{}, most: new(int), clashed: new(bool), wait: make(chan struct{}), hosts: len(hosts)}
	owner, err := store.Self(runID)
	if err != nil {
		t.Fatal(err)
	}
	head := assay.Run{ID: runID, Started: time.Now(), Inventory: inv, Status: assay.RunRunning}
	if err := st.Begin(context.Background(), head); err != nil {
		t.Fatal(err)
	}
	e := run.Engine{Places: places, Probes: []assay.Probe{m}, Store: st, Owner: owner, Tell: func(run.Event) {}}
	r, err := e.Run(context.Background(), p, head)
	if err != nil || r.Status != assay.RunDone {
		t.Fatalf("%s, %v: %v", r.Status, err, r.Notes)
	}
	if *m.most != len(hosts) || *m.clashed {
		t.Errorf("%d of %d hosts at once, two trials on one host: %v", *m.most, len(hosts), *m.clashed)
	}
	if !slices.Equal(m.order["a"], want) {
		t.Errorf("on a in the order %v, want %v", m.order["a"], want)
	}
	for _, res := range r.Results {
		if len(res.Counted()) != 2 {
			t.Errorf("%s has %d repeats", res.Trial.ID, len(res.Counted()))
		}
	}
}

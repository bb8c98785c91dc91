package run_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"assay"
	"assay/plan"
)

// readied is a gauge with preparations before each repeat, and longer ones on cat.
type readied struct {
	*gauge
	fails string // the host on which that fails when all are measured

	mu      sync.Mutex
	waiting map[int]int // hosts that are ready, by how many there are
	begun   map[int]int // hosts that measure
	early   []string    // what measured before all were ready
}

var _ assay.RepeatPreparer = &readied{}

func (r *readied) PrepareRepeat(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	host, k := t.Subject.Host, hostsOf(t)
	if on.Scratch.File == "" || on.Length <= 0 || on.Place.Host().Name != host {
		return assay.Transcript{}, fmt.Errorf("%s was given %+v", host, on)
	}
	c := assay.Cmd{Argv: []string{"echo", "tidy"}}
	if host == "cat" {
		c.Argv = []string{"sleep", "0.05"}
	}
	out, err := on.Place.Run(ctx, c)
	if host == r.fails && k == 3 {
		err = assay.WithHint("look at the store", "it cannot be emptied")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting[k]++
	return assay.Transcript{Steps: []assay.Step{{Name: "tidy", Argv: c.Argv, Output: out}}}, err
}

func (r *readied) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	k := hostsOf(t)
	r.mu.Lock()
	if k > 1 && r.waiting[k] != k { // single-host trials run in parallel
		r.early = append(r.early, fmt.Sprintf("%s: %d of %d were ready", t.Subject.Host, r.waiting[k], k))
	}
	if r.begun[k]++; r.begun[k] == k {
		r.waiting[k], r.begun[k] = 0, 0
	}
	r.mu.Unlock()
	return r.gauge.Run(ctx, t, on)
}

// carryReadied runs the plan with a preparing probe.
func (p *pool) carryReadied(t *testing.T, fails string) (assay.Run, *readied) {
	t.Helper()
	r := &readied{gauge: p.probe, fails: fails, waiting: map[int]int{}, begun: map[int]int{}}
	st := p.store(t)
	head := assay.Run{ID: runID, Suite: "test", Started: time.Now(), Status: assay.RunRunning, Seed: 1, Budget: poolBudget, Inventory: p.inv}
	if err := st.Begin(context.Background(), head); err != nil {
		t.Fatal(err)
	}
	e := p.engine(t, st)
	e.Probes = []assay.Probe{r}
	made := p.plan(t)
	made.Precision = plan.AsPlanned
	got, err := e.Run(context.Background(), made, head)
	if err != nil {
		t.Fatal(err)
	}
	p.expectClean(t, st)
	return got, r
}

// No host is measured before all are ready, and the preparations are in the
// transcript but not part of the measurement.
func TestAllHostsAreReadyBeforeOneIsMeasured(t *testing.T) {
	got, r := newPool(t).carryReadied(t, "")
	if got.Status != assay.RunDone || len(r.early) > 0 {
		t.Fatalf("%s: %q, notes %v", got.Status, r.early, got.Notes)
	}
	for k := 1; k <= 3; k++ {
		reps := on(t, got, k).Counted()
		if len(reps) != 3 {
			t.Fatalf("on %d hosts: %d repeats", k, len(reps))
		}
		for _, rep := range reps {
			hosts := map[string]bool{}
			for _, s := range rep.Transcript.Steps {
				if s.Name == "prepare: tidy" {
					hosts[s.Host] = true
				}
			}
			if len(hosts) != k || rep.Transcript.Steps[0].Name != "measure" {
				t.Errorf("on %d hosts: readied %v, first %q", k, hosts, rep.Transcript.Steps[0].Name)
			}
		}
	}
}

// A failure before the repeat fails it, and names the host.
func TestAHostThatCannotBeReadied(t *testing.T) {
	got, _ := newPool(t).carryReadied(t, "bob")
	if got.Status != assay.RunPartial || len(on(t, got, 2).Counted()) != 3 {
		t.Errorf("%s, %d repeats on two hosts", got.Status, len(on(t, got, 2).Counted()))
	}
	rep := on(t, got, 3).Repeats[0]
	if rep.Outcome != assay.Broke || rep.Error != "host bob: it cannot be emptied" || rep.Hint != "look at the store" {
		t.Errorf("%s: %q, hint %q", rep.Outcome, rep.Error, rep.Hint)
	}
	said := false
	for _, s := range rep.Transcript.Steps {
		said = said || s.Host == "bob" && strings.HasPrefix(s.Name, "prepare: tidy")
		if s.Name == "measure" {
			t.Error("it was measured all the same")
		}
	}
	if !said {
		t.Errorf("what went wrong is not in the transcript: %+v", rep.Transcript.Steps)
	}
}

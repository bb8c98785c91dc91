package run_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay"
	"assay/place/local"
	"assay/plan"
	"assay/run"
	"assay/store"
)

// frail is a host that goes away, and may come back.
type frail struct {
	assay.Place
	away *atomic.Int32 // commands that will find it away; -1 for all
}

func (f frail) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if n := f.away.Load(); n != 0 {
		if n > 0 {
			f.away.Add(-1)
		}
		return assay.Output{}, assay.WithHint("switch it on", "host %s: %w: no answer", f.Host().Name, assay.ErrHostGone)
	}
	return f.Place.Run(ctx, c)
}

// caller is a probe that runs one command; before is called first.
type caller struct{ before func(t assay.Trial) }

func (caller) Spec() assay.Spec                                          { return assay.Spec{Name: "caller"} }
func (caller) Trials(assay.Inventory, assay.Case) ([]assay.Trial, error) { return nil, nil }
func (c caller) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	c.before(t)
	_, err := on.Place.Run(ctx, assay.Cmd{Argv: []string{"true"}})
	if err == nil && on.Peer != nil {
		if _, gone := on.Peer.Run(ctx, assay.Cmd{Argv: []string{"true"}}); gone != nil {
			err = fmt.Errorf("%s does not answer", t.Peer) // as a client reports it
		}
	}
	return assay.Transcript{Steps: []assay.Step{{Name: "measure"}}}, err
}
func (caller) Parse(assay.Transcript) ([]assay.Measurement, error) {
	return []assay.Measurement{{Metric: "cpu.events_per_second", Value: 1, Unit: assay.PerSecond}}, nil
}

// carryFrail runs two trials on each of hosts a and b, and one from a to b, three
// times each. before is called before each repeat, with b's state.
func carryFrail(t *testing.T, before func(tr assay.Trial, away *atomic.Int32)) (assay.Run, *store.Store, []run.Event) {
	t.Helper()
	st, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	away := new(atomic.Int32)
	places := map[string]assay.Place{"a": local.New("a", ""), "b": frail{local.New("b", ""), away}}
	inv := assay.Inventory{Hosts: []assay.Host{{Name: "a"}, {Name: "b"}}, Facts: map[string]assay.Facts{"a": {Host: "a"}, "b": {Host: "b"}}}
	p := plan.Plan{Title: "test", Budget: 10 * time.Minute}
	p.Trials = []assay.Trial{trialOn("a", "", "one"), trialOn("b", "", "one"), trialOn("b", "", "two"), trialOn("a", "b", "link")}
	for n := 1; n <= 3; n++ {
		for i := range p.Trials {
			p.Trials[i].Probe, p.Trials[i].Repeats = "caller", 3
			p.Schedule = append(p.Schedule, plan.Slot{Trial: i, Repeat: n})
		}
	}
	owner, err := store.Self(runID)
	if err != nil {
		t.Fatal(err)
	}
	head := assay.Run{ID: runID, Started: time.Now(), Inventory: inv, Status: assay.RunRunning}
	if err := st.Begin(context.Background(), head); err != nil {
		t.Fatal(err)
	}
	events := make(chan run.Event, 1000)
	e := run.Engine{
		Places: places, Probes: []assay.Probe{caller{func(tr assay.Trial) { before(tr, away) }}}, Store: st, Owner: owner,
		Tell: func(ev run.Event) { events <- ev },
	}
	got, err := e.Run(context.Background(), p, head)
	if err != nil {
		t.Fatal(err)
	}
	close(events)
	var all []run.Event
	for ev := range events {
		all = append(all, ev)
	}
	return got, st, all
}

func TestAHostThatGoesAwayIsGivenUp(t *testing.T) {
	var repeats atomic.Int32
	got, st, events := carryFrail(t, func(tr assay.Trial, away *atomic.Int32) {
		if tr.ID == "one@b" && repeats.Add(1) == 2 {
			away.Store(-1)
		}
	})
	if got.Status != assay.RunPartial {
		t.Errorf("the run is %s", got.Status)
	}
	counted := map[string]int{}
	for _, r := range got.Results {
		counted[r.Trial.ID] = len(r.Counted())
		if len(r.Repeats) > len(r.Counted())+1 {
			t.Errorf("%s was tried %d times", r.Trial.ID, len(r.Repeats))
		}
		if r.Trial.Absent != nil {
			t.Errorf("%s has a number and is absent: %+v", r.Trial.ID, *r.Trial.Absent)
		}
	}
	if counted["one@a"] != 3 || counted["one@b"] != 1 || counted["two@b"] != 1 || counted["link@ab"] != 1 {
		t.Errorf("repeats that count: %v", counted)
	}
	gone := 0
	for _, ev := range events {
		if ev.Kind == run.EventGone {
			gone++
			if ev.Host != "b" || !strings.Contains(ev.Text, "no answer") {
				t.Errorf("gone: %+v", ev)
			}
		}
	}
	if gone != 1 {
		t.Errorf("told %d times that a host is gone", gone)
	}
	const want = "b went away: host is gone: no answer"
	if !hasNote(got, want) {
		t.Errorf("notes: %+v", got.Notes)
	}
	if stored, err := st.Load(context.Background(), runID); err != nil || !hasNote(stored, want) {
		t.Errorf("stored: %v, %+v", err, stored.Notes)
	}
}

func hasNote(r assay.Run, text string) bool {
	for _, n := range r.Notes {
		if n.Text == text {
			return true
		}
	}
	return false
}

func TestWhatAGoneHostNeverGaveSaysWhy(t *testing.T) {
	got, st, _ := carryFrail(t, func(tr assay.Trial, away *atomic.Int32) { away.Store(-1) })
	stored, err := st.Load(context.Background(), runID)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []assay.Run{got, stored} {
		for _, result := range r.Results {
			absent := result.Trial.Absent
			if result.Trial.ID == "one@a" {
				if absent != nil || len(result.Counted()) != 3 {
					t.Errorf("one@a: %+v, %d repeats", absent, len(result.Counted()))
				}
				continue
			}
			if absent == nil || absent.Word != assay.Unknown || absent.Gone != "b" ||
				absent.Why != "b went away: host is gone: no answer" ||
				absent.Hint != "switch it on; when b is back: assay run --resume "+runID {
				t.Errorf("%s: %+v", result.Trial.ID, absent)
			}
		}
	}
}

func TestAHostThatIsBackIsMeasuredOn(t *testing.T) {
	var first atomic.Bool
	got, _, events := carryFrail(t, func(tr assay.Trial, away *atomic.Int32) {
		if tr.ID == "one@b" && first.CompareAndSwap(false, true) {
			away.Store(2) // the watch, or the command itself; the next check finds the host
		}
	})
	for _, ev := range events {
		if ev.Kind == run.EventGone {
			t.Errorf("given up: %+v", ev)
		}
	}
	for _, r := range got.Results {
		want := 3
		if r.Trial.ID == "one@b" {
			want = 2
		}
		if len(r.Counted()) != want {
			t.Errorf("%s: %d repeats count, not %d", r.Trial.ID, len(r.Counted()), want)
		}
	}
}

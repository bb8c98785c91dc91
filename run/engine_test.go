package run_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/place/local"
	"assay/plan"
	"assay/plan/suite"
	"assay/run"
	"assay/store"
	volumeall "assay/volume/all"
	"assay/volume/dir"
	"assay/volume/volumetest"
)

// writer is a probe that writes a file into its scratch space and reports a
// figure; behave changes what it does in one repeat.
type writer struct {
	behave func(ctx context.Context, n int, on assay.Bench) error
	figure func(name string) float64 // of the next repeat of a case; nil: 42
	calls  *int
	volume string // "" is dir
	turns  bool   // ways of its spaces take turns
	bound  time.Duration
}

func (writer) Spec() assay.Spec { return assay.Spec{Name: "writer"} }

func (w writer) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	var out []assay.Trial
	for _, s := range inv.Of(c.On) {
		s.Turns = w.turns
		out = append(out, assay.Trial{
			ID: "writer/" + c.Name + "@" + s.ID, Probe: "writer", Case: c.Name, Title: c.Title, Subject: s,
			Risk: assay.Writes, Scratch: 64 << 20, Volume: cmp.Or(w.volume, "dir"), Overhead: time.Millisecond, Bound: w.bound,
		})
	}
	return out, nil
}

func (w writer) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	*w.calls++
	if w.behave != nil {
		if err := w.behave(ctx, *w.calls, on); err != nil {
			return assay.Transcript{}, err
		}
	}
	value := 42.
	if w.figure != nil {
		value = w.figure(t.Case)
	}
	c := assay.Cmd{Argv: []string{"sh", "-c", `echo some data > "$1"; echo "$2"`, "sh", on.Scratch.File, fmt.Sprint(value)}}
	out, err := on.Place.Run(ctx, c)
	return assay.Transcript{Probe: "writer", Steps: []assay.Step{{Name: "measure", Argv: c.Argv, Output: out}}}, err
}

func (writer) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	var v float64
	if _, err := fmt.Sscan(string(tr.Step("measure").Output.Stdout), &v); err != nil {
		return nil, err
	}
	return []assay.Measurement{{Metric: "storage.write.iops", Value: v, Unit: assay.PerSecond}}, nil
}

func (writer) Notes(assay.Transcript) []assay.Note {
	return []assay.Note{{ID: "writer-said", Text: "depth capped"}}
}

// bench is a small run on a directory of this machine.
type bench struct {
	dir, db string
	probe   writer
	cases   int
	budget  time.Duration
	events  []run.Event
	warmup  float64
	suite   suite.Suite    // its repeats and precision, if any
	length  float64        // s of a repeat; 0: 10 ms
	volumes []assay.Volume // beside all others
	keep    bool           // the engine's
	// spent is a budget that is over before the first repeat; recorded is the engine's.
	spent, recorded bool
	place           func(assay.Place) assay.Place // wraps this machine; nil: nothing does
	// investigate is the engine's.
	investigate func(assay.Run) ([]assay.Trial, map[string]string)
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return &bench{
		dir: t.TempDir(), db: filepath.Join(t.TempDir(), "assay.db"),
		probe: writer{calls: new(int)}, cases: 2, budget: time.Hour, // room for all repeats, however slow this machine
	}
}

// runID is unique to this process: processes with it are killed, and packages are
// tested in parallel.
var runID = fmt.Sprintf("20260101-000000-%06x", os.Getpid()&0xffffff)

func (b *bench) carry(ctx context.Context, t *testing.T) (assay.Run, *store.Store, error) {
	t.Helper()
	st, err := store.Open(context.Background(), b.db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	inv := assay.Inventory{
		Hosts: []assay.Host{{Name: "here"}}, Facts: map[string]assay.Facts{"here": {Host: "here"}},
		Subjects: []assay.Subject{{ID: "here/directory/" + b.dir, Kind: assay.KindDirectory, Host: "here", Name: b.dir}},
	}
	s := suite.Suite{Name: "test", Title: "test", Budget: b.budget, Repeats: max(b.suite.Repeats, 3), Precision: b.suite.Precision}
	length := max(b.length, .01)
	s.Cases = b.suite.Cases
	for i := range b.cases {
		s.Cases = append(s.Cases, assay.Case{
			Probe: "writer", Name: fmt.Sprint("case", i), Title: fmt.Sprint("case ", i), On: assay.KindDirectory,
			Seconds: length, Longest: length, Warmup: b.warmup,
		})
	}
	p, err := plan.Make(inv, s, []assay.Probe{b.probe}, plan.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	owner, err := store.Self(runID)
	if err != nil {
		t.Fatal(err)
	}
	head := assay.Run{ID: runID, Suite: "test", Started: time.Now(), Status: assay.RunRunning, Seed: 1, Budget: b.budget, Inventory: inv}
	if err := st.Begin(context.Background(), head); err != nil {
		t.Fatal(err)
	}
	var here assay.Place = local.New("here", runID)
	if b.place != nil {
		here = b.place(here)
	}
	e := run.Engine{
		Places: map[string]assay.Place{"here": here}, Probes: []assay.Probe{b.probe},
		Volumes: append(append(volumeall.Volumes(), volumetest.Loop{}, restless{dir.New()}), b.volumes...), Store: st, Owner: owner, Keep: b.keep,
		Tell: func(ev run.Event) { b.events = append(b.events, ev) }, Investigate: b.investigate, Recorded: b.recorded,
	}
	if b.spent {
		p.Budget = 0
	}
	got, err := e.Run(ctx, p, head)
	return got, st, err
}

// expectClean fails if anything is left in the directory or the journal.
func (b *bench) expectClean(t *testing.T, st *store.Store) {
	t.Helper()
	left, err := os.ReadDir(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		t.Errorf("%s was left behind", e.Name())
	}
	entries, err := st.Outstanding(context.Background())
	if err != nil || len(entries) > 0 {
		t.Errorf("the journal still holds %v, %v", entries, err)
	}
}

func TestARunMeasuresStoresAndCleansUp(t *testing.T) {
	b := newBench(t)
	b.warmup = .01
	got, st, err := b.carry(context.Background(), t)
	if err != nil {
		t.Fatal(err)
	}
	if got.Status != assay.RunDone {
		t.Errorf("status %s, notes %v", got.Status, got.Notes)
	}
	for _, r := range got.Results {
		if v := r.Values("storage.write.iops"); len(v) != 3 || v[0] != 42 {
			t.Errorf("%s: %v", r.Trial.ID, v)
		}
		if len(r.Repeats) != 4 || r.Repeats[0].N != 0 {
			t.Errorf("%s: %d repeats, the first is number %d; want a warm-up and three", r.Trial.ID, len(r.Repeats), r.Repeats[0].N)
		}
		if w := r.Repeats[1].Watch; w == nil || w.After.Uptime < w.Before.Uptime || w.ToolCPU < 0 {
			t.Errorf("%s: watch %+v", r.Trial.ID, w)
		}
		if r.Scratch.Dir == "" {
			t.Errorf("%s does not say what scratch space it had", r.Trial.ID)
		}
	}
	b.expectClean(t, st)
	if !strings.Contains(fmt.Sprint(got.Notes), "scratch space removed (verified): here/directory/"+b.dir) {
		t.Errorf("notes %v do not say that the scratch space is gone", got.Notes)
	}

	if n := strings.Count(fmt.Sprint(got.Notes), "depth capped"); n != 2 {
		t.Errorf("what the tool said of itself in every repeat of two trials stands there %d times", n)
	}

	loaded, err := st.Load(context.Background(), runID)
	if err != nil {
		t.Fatal(err)
	}
	if loaded.Status != assay.RunDone || len(loaded.Results) != 2 || len(loaded.Results[0].Values("storage.write.iops")) != 3 {
		t.Errorf("the store holds %s with %d results", loaded.Status, len(loaded.Results))
	}
	tr, err := st.Transcript(context.Background(), runID, got.Results[0].Trial.ID, 2)
	if err != nil || strings.TrimSpace(string(tr.Step("measure").Output.Stdout)) != "42" {
		t.Errorf("transcript %+v, %v", tr, err)
	}
	last := b.events[len(b.events)-1]
	if last.Done != last.Of || last.Of != 8 {
		t.Errorf("the last event says %d of %d", last.Done, last.Of)
	}
}

func TestAFailingTrialDoesNotStopTheOthers(t *testing.T) {
	b := newBench(t)
	broken := assay.WithHint("mend it", "the tool died")
	b.probe.behave = func(_ context.Context, n int, on assay.Bench) error {
		if n%2 == 1 { // whichever trial comes first in a round
			return broken
		}
		return nil
	}
	b.cases = 1
	got, st, err := b.carry(context.Background(), t)
	if err != nil {
		t.Fatal(err)
	}
	if got.Status != assay.RunPartial || len(got.Results[0].Values("storage.write.iops")) != 1 {
		t.Errorf("status %s, %d values; want partial with one", got.Status, len(got.Results[0].Values("storage.write.iops")))
	}
	if r := got.Results[0].Repeats[0]; r.Outcome != assay.Broke || r.Error != "the tool died" || r.Hint != "mend it" {
		t.Errorf("the failed repeat says %q %q %q", r.Outcome, r.Error, r.Hint)
	}
	b.expectClean(t, st)
}

func TestATrialThatOnlyFailsIsGivenUp(t *testing.T) {
	b := newBench(t)
	b.cases = 1
	b.probe.behave = func(context.Context, int, assay.Bench) error { return errors.New("no") }
	got, st, _ := b.carry(context.Background(), t)
	if *b.probe.calls != 2 || got.Status != assay.RunFailed {
		t.Errorf("tried %d times, status %s; want 2 times and failed", *b.probe.calls, got.Status)
	}
	b.expectClean(t, st)
}

func TestCancellationCleansUp(t *testing.T) {
	b := newBench(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b.probe.behave = func(ctx context.Context, n int, on assay.Bench) error {
		if n < 2 {
			return nil
		}
		cancel()
		_, err := on.Place.Run(ctx, assay.Cmd{Argv: []string{"sleep", "600"}})
		return err
	}
	began := time.Now()
	got, st, err := b.carry(ctx, t)
	if !errors.Is(err, context.Canceled) || got.Status != assay.RunInterrupted {
		t.Errorf("error %v, status %s", err, got.Status)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %s to stop", took)
	}
	b.expectClean(t, st)
	loaded, err := st.Load(context.Background(), runID)
	if err != nil || loaded.Status != assay.RunInterrupted {
		t.Errorf("stored as %s, %v", loaded.Status, err)
	}
}

func TestTheBudgetIsHard(t *testing.T) {
	b := newBench(t)
	b.budget = 4 * time.Second
	b.cases = 1
	b.probe.behave = func(ctx context.Context, n int, on assay.Bench) error {
		// Each repeat takes far longer than planned.
		_, err := on.Place.Run(ctx, assay.Cmd{Argv: []string{"sleep", "3"}})
		return err
	}
	got, st, err := b.carry(context.Background(), t)
	if err != nil {
		t.Fatal(err)
	}
	if got.Status != assay.RunDone || *b.probe.calls >= 3 {
		t.Errorf("took %s in %d repeats, status %s", got.Elapsed, *b.probe.calls, got.Status)
	}
	if !strings.Contains(fmt.Sprint(got.Notes), "budget") {
		t.Errorf("notes %v do not name the budget", got.Notes)
	}
	b.expectClean(t, st)
}

// Recordings are replayed in full, however slow this machine is.
func TestNoBudgetEndsInARecording(t *testing.T) {
	for _, recorded := range []bool{false, true} {
		b := newBench(t)
		b.spent, b.recorded = true, recorded
		got, st, err := b.carry(context.Background(), t)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if recorded {
			want = 3
		}
		for _, r := range got.Results {
			if n := len(r.Counted()); n != want {
				t.Errorf("recorded %v: %d repeats of %s, want %d", recorded, n, r.Trial.Case, want)
			}
		}
		b.expectClean(t, st)
	}
}

func TestAMissingDirectoryFailsEachTrialOnce(t *testing.T) {
	b := newBench(t)
	b.dir = filepath.Join(b.dir, "nowhere")
	got, _, err := b.carry(context.Background(), t)
	if got.Status != assay.RunFailed || *b.probe.calls != 0 {
		t.Errorf("status %s after %d calls, %v", got.Status, *b.probe.calls, err)
	}
	if r := got.Results[0].Repeats[0]; !strings.Contains(r.Error, "nowhere") || r.Hint == "" {
		t.Errorf("the repeat says %q, hint %q", r.Error, r.Hint)
	}
}

// A killed run leaves its journal entry, its directory and perhaps a process;
// Cleanup removes all three and leaves live runs alone.
func TestCleanupAfterAKilledRun(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	st, err := store.Open(ctx, filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	volumes := volumeall.Volumes()
	dirs := volumes[slices.IndexFunc(volumes, func(v assay.Volume) bool { return v.Kind() == "dir" })]
	subject := assay.Subject{ID: "here/directory/" + dir, Host: "here", Name: dir}
	alive, err := store.Self("alive")
	if err != nil {
		t.Fatal(err)
	}
	dead := alive
	dead.Run, dead.Start = "dead-"+t.Name(), "1"
	at := local.New("here", dead.Run)
	for id, owner := range map[string]store.Owner{"aaaaaaaaaaaaaaaa": alive, "dddddddddddddddd": dead} {
		r, err := dirs.Reserve(ctx, nil, subject, assay.Request{ID: id, Bytes: 64 << 20})
		if err != nil {
			t.Fatal(err)
		}
		if err := st.Journal(ctx, r, owner); err != nil {
			t.Fatal(err)
		}
		if _, err := dirs.Lend(ctx, at, r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := at.Run(ctx, assay.Cmd{Argv: []string{"setsid", "--fork", "sleep", "600"}}); err != nil {
		t.Skipf("needs setsid: %v", err)
	}
	released, err := run.Cleanup(ctx, st, map[string]assay.Place{"here": local.New("here", "")}, volumeall.Journalled(), false)
	if err != nil {
		t.Fatal(err)
	}
	if len(released) != 1 || released[0].Err != nil || released[0].Killed != 1 || released[0].Entry.Owner.Run != dead.Run {
		t.Errorf("released %+v; want the dead run's space and one process", released)
	}
	left, _ := os.ReadDir(dir)
	if len(left) != 1 || left[0].Name() != ".assay-aaaaaaaaaaaaaaaa" {
		t.Errorf("left: %v; want only what belongs to the living", left)
	}
	again, err := run.Cleanup(ctx, st, map[string]assay.Place{"here": local.New("here", "")}, volumeall.Journalled(), false)
	if err != nil || len(again) != 0 {
		t.Errorf("a second clean-up found %v, %v", again, err)
	}
}

package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"assay"
	"assay/compare"
	"assay/plan"
	"assay/plan/suite"
	"assay/run/session"
	"assay/store"
)

// told records the events of a session, and calls seen for each.
type told struct {
	mu   sync.Mutex
	all  []session.Event
	seen func(session.Event)
}

func (t *told) tell(e session.Event) {
	t.mu.Lock()
	t.all = append(t.all, e)
	t.mu.Unlock()
	if t.seen != nil {
		t.seen(e)
	}
}

// count returns the number of events of a kind.
func (t *told) count(kind session.EventKind) (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range t.all {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

// quick returns the options of a quick look at dir that takes a few seconds: short
// repeats on a small file, and a budget that a busy machine does not use up.
func quick(t *testing.T, dir string, events *told) session.Options {
	t.Helper()
	s, err := suite.Load("quick")
	if err != nil {
		t.Fatal(err)
	}
	return session.Options{
		Target: session.Target{Directories: []string{dir}}, Suite: s, Version: "test", Tell: events.tell,
		Plan: plan.Options{Budget: time.Hour, Repeats: 2, Longest: time.Second, Size: 64 << 20, Seed: 1, Precision: plan.AsPlanned},
	}
}

func begin(t *testing.T, o session.Options) *session.Session {
	t.Helper()
	s, err := session.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func database(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// wantEmpty fails if anything is left in dir.
func wantEmpty(t *testing.T, dir string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left in %s: %v, %v", dir, left, err)
	}
}

// counted returns how many repeats of a run count.
func counted(r assay.Run) (n int) {
	for _, one := range r.Results {
		n += len(one.Counted())
	}
	return n
}

// A run is reported as it goes, and stored with the audit's findings.
func TestARun(t *testing.T) {
	dir, st, events := t.TempDir(), database(t), new(told)
	s := begin(t, quick(t, dir, events))
	measured, err := s.Run(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if measured.Status != assay.RunDone && measured.Status != assay.RunPartial || counted(measured) == 0 || measured.Version != "test" {
		t.Errorf("%s with %d repeats of version %s", measured.Status, counted(measured), measured.Version)
	}
	plans := events.count(session.EventPlan)
	first := slices.IndexFunc(events.all, func(e session.Event) bool { return e.Kind == session.EventPlan })
	if plans != 1 || events.all[first].Plan.Suite != "quick" || len(events.all[first].Inventory.Hosts) != 1 {
		t.Fatalf("%d plans: %+v", plans, events.all[first])
	}
	begun, ended := events.count(session.EventBegin), events.count(session.EventEnd)
	if begun == 0 || begun != ended || events.count(session.EventOver) != 1 {
		t.Errorf("%d repeats began and %d ended", begun, ended)
	}
	stored, err := st.Find(t.Context(), "latest")
	if err != nil || stored.ID != measured.ID || counted(stored) != counted(measured) {
		t.Fatalf("stored is %s with %d repeats, measured %s with %d: %v", stored.ID, counted(stored), measured.ID, counted(measured), err)
	}
	if len(stored.Findings) == 0 || len(stored.Findings) != len(measured.Findings) {
		t.Errorf("%d findings are stored, %d were made", len(stored.Findings), len(measured.Findings))
	}
	if left := s.Left(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	wantEmpty(t, dir)
}

// While a run measures, another on the same host is refused. A cancelled run is
// stored as far as it got, and can be resumed.
func TestInterruptedAndResumed(t *testing.T) {
	dir, st, events := t.TempDir(), database(t), new(told)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	measuring, rivalled := make(chan struct{}), make(chan struct{})
	events.seen = func(e session.Event) {
		switch {
		case e.Kind == session.EventBegin && events.count(session.EventBegin) == 1:
			close(measuring)
			<-rivalled
		case e.Kind == session.EventEnd && e.Repeat > 0:
			cancel()
		}
	}
	go func() {
		defer close(rivalled)
		select {
		case <-measuring:
		case <-ctx.Done():
			return
		}
		rival := begin(t, quick(t, t.TempDir(), new(told)))
		if r, err := rival.Run(ctx, st); !errors.Is(err, assay.ErrBusy) || r.ID != "" {
			t.Errorf("a second run on the same host: run %q, %v", r.ID, err)
		}
	}()
	s := begin(t, quick(t, dir, events))
	measured, err := s.Run(ctx, st)
	<-rivalled
	if !errors.Is(err, context.Canceled) || measured.Status != assay.RunInterrupted {
		t.Fatalf("%s: %v", measured.Status, err)
	}
	wantEmpty(t, dir)

	was, err := st.Find(t.Context(), measured.ID)
	if err != nil || was.Status != assay.RunInterrupted || counted(was) != 1 {
		t.Fatalf("stored is %s with %d repeats: %v", was.Status, counted(was), err)
	}
	more := new(told)
	s, err = session.Resume(was, session.Options{Tell: more.tell, Plan: plan.Options{Budget: time.Hour}})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := s.Run(t.Context(), st)
	if err != nil || whole.ID != was.ID || counted(whole) <= 1 || whole.Status == assay.RunInterrupted {
		t.Errorf("run %s is %s with %d repeats: %v", whole.ID, whole.Status, counted(whole), err)
	}
	if !slices.ContainsFunc(whole.Notes, func(n assay.Note) bool { return n.ID == "resumed" }) || more.count(session.EventPlan) != 1 {
		t.Errorf("notes %v", whole.Notes)
	}
	wantEmpty(t, dir)
}

// A run like another has its trials, lengths, sizes and repeats, whatever the budget;
// compared with it, every figure has a partner.
func TestARunLikeAnother(t *testing.T) {
	dir, st := t.TempDir(), database(t)
	first := quick(t, dir, new(told))
	base, err := begin(t, first).Run(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	o := session.Options{Tell: new(told).tell, Plan: plan.Options{Budget: time.Hour}}
	s, err := session.Like(base, o)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Run(t.Context(), st)
	if err != nil || again.ID == base.ID || again.Suite != base.Suite || again.Seed == base.Seed || len(again.Results) != len(base.Results) {
		t.Fatalf("run %s of %s with seed %d: %v", again.ID, again.Suite, again.Seed, err)
	}
	columns := make([]compare.Column, 2)
	for i, r := range base.Results {
		is := again.Results[i]
		if is.Trial.ID != r.Trial.ID || is.Trial.Length != r.Trial.Length || is.Scratch.Bytes != r.Scratch.Bytes || len(is.Counted()) < r.Trial.Repeats {
			t.Errorf("%s: %s on %d B with %d repeats; was %s: %s on %d B with %d", is.Trial.ID, is.Trial.Length, is.Scratch.Bytes, len(is.Counted()),
				r.Trial.ID, r.Trial.Length, r.Scratch.Bytes, r.Trial.Repeats)
		}
		columns[0].Picks = append(columns[0].Picks, compare.Pick{Run: &base, Result: &base.Results[i]})
		columns[1].Picks = append(columns[1].Picks, compare.Pick{Run: &again, Result: &again.Results[i]})
	}
	base.Findings, again.Findings = nil, nil // plausible values depend on the machine
	c := compare.Compare(columns, compare.Options{})
	for i := range c.Refused { // so does the duration of dd
		c.Refused[i].Settings = slices.DeleteFunc(c.Refused[i].Settings, func(s compare.Difference) bool { return s.Name == "seconds" })
	}
	refused := slices.ContainsFunc(c.Refused, func(r compare.Row) bool { return len(r.Settings)+len(r.Facts) > 0 })
	if len(c.Rows)+len(c.Refused) == 0 || refused || len(c.Lone) > 0 {
		t.Errorf("%d figures compared, refused %+v, alone %v", len(c.Rows), c.Refused, c.Lone)
	}
	if !slices.ContainsFunc(again.Notes, func(n assay.Note) bool { return n.ID == "like" && strings.Contains(n.Text, base.ID) }) {
		t.Errorf("notes %v", again.Notes)
	}
	wantEmpty(t, dir)

	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	s, err = session.Like(base, o)
	if err != nil {
		t.Fatal(err)
	}
	var input *session.InputError
	if _, err = s.Run(t.Context(), st); !errors.As(err, &input) || !errors.Is(err, assay.ErrNotFound) || !strings.Contains(err.Error(), dir) {
		t.Errorf("the directory is gone: %v", err)
	}
}

// Runs that assay did not measure, or not over, are no plan.
func TestNoRunLikeThese(t *testing.T) {
	if _, err := session.Like(assay.Run{ID: "r", Suite: "quick", Status: assay.RunRunning}, session.Options{}); !errors.Is(err, assay.ErrBusy) {
		t.Errorf("a run that is still going: %v", err)
	}
	foreign := assay.Run{ID: "r", Suite: "quick", Results: []assay.Result{{Trial: assay.Trial{ID: "t", From: "blog.txt:3"}}}}
	if _, err := session.Like(foreign, session.Options{}); !errors.Is(err, plan.ErrNotMeasured) || !strings.Contains(err.Error(), "blog.txt:3") {
		t.Errorf("figures of somebody else: %v", err)
	}
}

// What a run keeps has no owner once the run is over, even if its process lives on:
// it stays until a cleanup.
func TestKeptUntilCleanup(t *testing.T) {
	dir, st := t.TempDir(), database(t)
	o := quick(t, dir, new(told))
	o.Keep, o.Plan.Only = true, []string{"write"}
	s := begin(t, o)
	kept, err := s.Run(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if there, err := os.ReadDir(dir); err != nil || len(there) == 0 || len(s.Left()) == 0 {
		t.Fatalf("kept %v, told of %v: %v", there, s.Left(), err)
	}
	done, err := session.Cleanup(t.Context(), st, "", func(string) {})
	if err != nil || len(done.Released) != len(s.Left()) || done.InUse > 0 {
		t.Errorf("%+v: %v", done, err)
	}
	for _, r := range done.Released {
		if r.Err != nil || r.Entry.Owner.Run != kept.ID {
			t.Errorf("%+v", r)
		}
	}
	wantEmpty(t, dir)
}

// Two sessions in one process do not affect each other.
func TestTwoAtOnce(t *testing.T) {
	recordings, err := filepath.Abs("../../cmd/assay/testdata/recordings")
	if err != nil {
		t.Fatal(err)
	}
	st := database(t)
	var both sync.WaitGroup
	for name, p := range map[string]plan.Options{
		"quick":    {Budget: 9 * time.Second, Repeats: 1, Seed: 1},
		"baseline": {Budget: 17 * time.Second, Repeats: 2, Seed: 1, Only: []string{"smart", "thermal", "randread-4k", "cpu-1", "memory-read-1"}},
	} {
		measured, err := suite.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		both.Go(func() {
			events := new(told)
			s, err := session.New(session.Options{
				Target: session.Target{Directories: []string{"/srv/assay-test"}, Replay: filepath.Join(recordings, name+".jsonl")},
				Suite:  measured, Plan: p, Tell: events.tell,
			})
			if err != nil {
				t.Error(err)
				return
			}
			r, err := s.Run(t.Context(), st)
			if err != nil || r.Suite != name || counted(r) == 0 {
				t.Errorf("%s: a run of %s with %d repeats: %v", name, r.Suite, counted(r), err)
			}
			if events.count(session.EventPlan) != 1 || events.count(session.EventOver) != 1 {
				t.Errorf("%s was told of %+v", name, events.all)
			}
			for _, e := range events.all {
				if e.Plan != nil && e.Plan.Suite != name {
					t.Errorf("%s was told of a run of %s", name, e.Plan.Suite)
				}
			}
		})
	}
	both.Wait()
	if runs, err := st.Runs(t.Context()); err != nil || len(runs) != 2 {
		t.Errorf("stored %v: %v", runs, err)
	}
}

// A plan makes nothing and needs no store.
func TestPlan(t *testing.T) {
	dir := t.TempDir()
	p, err := begin(t, quick(t, dir, new(told))).Plan(t.Context())
	if err != nil || len(p.Trials) != 3 || len(p.Schedule) == 0 {
		t.Errorf("%+v: %v", p, err)
	}
	wantEmpty(t, dir)
}

// Wrong input is distinguished from other errors.
func TestInputErrors(t *testing.T) {
	for name, target := range map[string]session.Target{
		"no cluster":      {Only: []string{"pve1"}},
		"no file":         {Cluster: filepath.Join(t.TempDir(), "cluster.yaml")},
		"no recording":    {Replay: filepath.Join(t.TempDir(), "none.jsonl")},
		"both":            {Record: "a", Replay: "b"},
		"own directories": {Cluster: "cluster.yaml", Directories: []string{"/srv"}},
	} {
		o := quick(t, "", new(told))
		o.Target = target
		_, err := session.New(o)
		var input *session.InputError
		if !errors.As(err, &input) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := session.Resume(assay.Run{ID: "r", Status: assay.RunRunning}, session.Options{})
	if !errors.Is(err, assay.ErrBusy) {
		t.Errorf("a run that is still going: %v", err)
	}
}

// The leftovers of a killed run take no room from the next one, which removes them
// before it chooses its file sizes.
func TestRoomIsJudgedAfterTheCleanUp(t *testing.T) {
	dir, st := t.TempDir(), database(t)
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=300m"); err != nil {
		t.Skipf("needs root to mount a tmpfs: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	here, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	left := assay.Receipt{ID: "0123456789abcdef", Volume: "dir", Host: here, Subject: here + "/directory/" + dir,
		Names: map[string]string{"dir": filepath.Join(dir, ".assay-0123456789abcdef")}}
	dead := store.Owner{PID: 4194304, Start: "1", Boot: "another boot", Run: "20260101-000000-abcdef"}
	if err := errors.Join(st.Journal(t.Context(), left, dead), os.Mkdir(left.Names["dir"], 0o700),
		os.WriteFile(filepath.Join(left.Names["dir"], "data"), make([]byte, 260<<20), 0o600)); err != nil {
		t.Fatal(err)
	}
	o := quick(t, dir, new(told))
	o.Plan.Only = []string{"write"}
	measured, err := begin(t, o).Run(t.Context(), st)
	if err != nil || measured.Status != assay.RunDone || counted(measured) == 0 {
		t.Errorf("%s with %d repeats: %v", measured.Status, counted(measured), err)
		for _, r := range measured.Results {
			t.Logf("%s: %+v", r.Trial.ID, r.Trial.Absent)
		}
	}
	wantEmpty(t, dir)
}

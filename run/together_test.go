package run_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/place/local"
	"assay/plan"
	"assay/plan/multiclient"
	"assay/plan/suite"
	"assay/run"
	"assay/store"
	volumeall "assay/volume/all"
)

// gauge is a probe of a tier's hosts: its figure is the host's.
type gauge struct {
	figures map[string]float64
	// before is called in each repeat on each host, with the number of hosts at
	// once.
	before func(ctx context.Context, host string, hosts int, at assay.Place) error
	// bytes are the sizes given to repeats, by number of concurrent hosts.
	mu    sync.Mutex
	bytes map[int][]int64
}

func (*gauge) Spec() assay.Spec { return assay.Spec{Name: "gauge"} }

func (*gauge) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	var out []assay.Trial
	for _, s := range inv.Of(c.On) {
		out = append(out, assay.Trial{
			ID: "gauge/" + c.Name + "@" + s.ID, Probe: "gauge", Case: c.Name, Title: c.Title, Subject: s,
			Risk: assay.Writes, Scratch: 64 << 20, Volume: "dir", Overhead: time.Millisecond,
		})
	}
	return out, nil
}

func (*gauge) Prepare(_ context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, assay.Scratch, error) {
	return assay.Transcript{Steps: []assay.Step{{Name: "fill", Argv: []string{"fill", t.Subject.Host}}}}, on.Scratch, nil
}

// hostsOf returns the number of hosts of a test's trial: its parts share its
// id.
func hostsOf(t assay.Trial) int {
	for k := 2; k < 9; k++ {
		if strings.Contains(t.ID, fmt.Sprintf("-%d-hosts@", k)) {
			return k
		}
	}
	return 1
}

func (g *gauge) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	host, k := t.Subject.Host, hostsOf(t)
	if on.Place.Host().Name != host || len(t.Others) > 0 || t.Case != "load" {
		return assay.Transcript{}, fmt.Errorf("the probe on %s was given %s of %s, with others %v", on.Place.Host().Name, t.Case, host, t.Others)
	}
	g.mu.Lock()
	if g.bytes == nil {
		g.bytes = map[int][]int64{}
	}
	g.bytes[k] = append(g.bytes[k], on.Scratch.Bytes)
	g.mu.Unlock()
	if g.before != nil {
		if err := g.before(ctx, host, k, on.Place); err != nil {
			return assay.Transcript{}, err
		}
	}
	c := assay.Cmd{Argv: []string{"sh", "-c", `echo data > "$1"; echo "$2"`, "sh", on.Scratch.File, fmt.Sprint(g.figures[host])}}
	out, err := on.Place.Run(ctx, c)
	return assay.Transcript{Probe: "gauge", Steps: []assay.Step{{Name: "measure", Argv: c.Argv, Output: out}}}, err
}

func (*gauge) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	var v float64
	step := tr.Step("measure")
	if step == nil {
		return nil, errors.New("nothing was measured")
	}
	if _, err := fmt.Sscan(string(step.Output.Stdout), &v); err != nil {
		return nil, err
	}
	if v < 0 {
		return nil, assay.WithHint("look at the disk", "the tool failed")
	}
	return []assay.Measurement{{Metric: "storage.write.iops", Value: v, Unit: assay.PerSecond}}, nil
}

func (*gauge) Notes(assay.Transcript) []assay.Note {
	return []assay.Note{{ID: "gauge-said", Text: "depth capped"}}
}

// poolBudget has room for all repeats, however slow the machine.
const poolBudget = time.Hour

// pool is three hosts of one tier, each with its own directory.
type pool struct {
	probe  *gauge
	places map[string]assay.Place
	dirs   map[string]string
	inv    assay.Inventory
	db     string
	length time.Duration
}

func newPool(t *testing.T) *pool {
	t.Helper()
	p := &pool{
		probe:  &gauge{figures: map[string]float64{"ann": 1, "bob": 10, "cat": 100}},
		places: map[string]assay.Place{}, dirs: map[string]string{}, db: filepath.Join(t.TempDir(), "assay.db"), length: 10 * time.Millisecond,
		inv: assay.Inventory{Facts: map[string]assay.Facts{}},
	}
	for _, h := range []string{"ann", "bob", "cat"} {
		p.dirs[h], p.places[h] = t.TempDir(), local.New(h, runID)
		p.inv.Hosts = append(p.inv.Hosts, assay.Host{Name: h})
		p.inv.Facts[h] = assay.Facts{Host: h}
		p.inv.Subjects = append(p.inv.Subjects, assay.Subject{
			ID: h + "/directory/" + p.dirs[h], Kind: assay.KindDirectory, Host: h, Name: p.dirs[h], Tier: "longhorn",
		})
	}
	return p
}

func (p *pool) store(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.Open(context.Background(), p.db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return st
}

func (p *pool) plan(t *testing.T) plan.Plan {
	t.Helper()
	made, err := plan.Make(p.inv, suite.Suite{Name: "test", Title: "test", Budget: poolBudget, Repeats: 3, Cases: []assay.Case{{
		Probe: "gauge", Name: "load", Title: "load", On: assay.KindDirectory, Seconds: p.length.Seconds(), Longest: p.length.Seconds(), Together: true,
	}}}, []assay.Probe{p.probe}, plan.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func (p *pool) engine(t *testing.T, st *store.Store) *run.Engine {
	t.Helper()
	owner, err := store.Self(runID)
	if err != nil {
		t.Fatal(err)
	}
	return &run.Engine{Places: p.places, Probes: []assay.Probe{p.probe}, Volumes: volumeall.Volumes(), Store: st, Owner: owner}
}

func (p *pool) carry(ctx context.Context, t *testing.T) (assay.Run, *store.Store, error) {
	t.Helper()
	st := p.store(t)
	head := assay.Run{ID: runID, Suite: "test", Started: time.Now(), Status: assay.RunRunning, Seed: 1, Budget: poolBudget, Inventory: p.inv}
	if err := st.Begin(context.Background(), head); err != nil {
		t.Fatal(err)
	}
	got, err := p.engine(t, st).Run(ctx, p.plan(t), head)
	return got, st, err
}

// The hosts that hold a tier's data are watched along with its clients, once each, even
// if only one client measures; unreachable ones are left out.
func TestHostsThatHoldTheDataAreWatched(t *testing.T) {
	p := newPool(t)
	for h, f := range p.inv.Facts {
		f.Stack = &assay.StackFacts{Kind: "ceph", Disks: []assay.StackDisk{
			{Name: "osd.0", Host: "ann"}, {Name: "osd.1", Host: "bob"}, {Name: "osd.2", Host: "bob"}, {Name: "osd.3", Host: "elsewhere"}}}
		p.inv.Facts[h] = f
	}
	got, _, err := p.carry(context.Background(), t)
	if err != nil || got.Status != assay.RunDone {
		t.Fatalf("%s, %v, notes %v", got.Status, err, got.Notes)
	}
	for k, want := range map[int][]string{1: {"bob"}, 2: {"bob"}, 3: {"bob", "cat"}} {
		for _, rep := range on(t, got, k).Repeats {
			if others := slices.Sorted(maps.Keys(rep.Watches)); !slices.Equal(others, want) || rep.Watch == nil {
				t.Errorf("%d clients: watched %v beside the first, want %v", k, others, want)
			}
			if w := rep.Watches["bob"]; w != nil && (w.ToolCPU >= 0) != (k > 1) {
				t.Errorf("%d clients: bob's tool used %v s of CPU", k, w.ToolCPU)
			}
		}
	}
}

// A guest's hypervisor is watched along with it if it is a host of the run.
func TestTheHypervisorIsWatched(t *testing.T) {
	p := newPool(t)
	for guest, hypervisor := range map[string]string{"ann": "bob", "cat": "elsewhere"} {
		f := p.inv.Facts[guest]
		f.Guest = &assay.GuestFacts{Hypervisor: hypervisor, Disks: []assay.GuestDisk{{Name: "vda", Device: "sda"}, {Name: "vdb"}}}
		p.inv.Facts[guest] = f
	}
	got, _, err := p.carry(context.Background(), t)
	if err != nil || got.Status != assay.RunDone {
		t.Fatalf("%s, %v, notes %v", got.Status, err, got.Notes)
	}
	for k, want := range map[int][]string{1: {"bob"}, 3: {"bob", "cat"}} {
		for _, rep := range on(t, got, k).Repeats {
			if others := slices.Sorted(maps.Keys(rep.Watches)); !slices.Equal(others, want) {
				t.Errorf("%d clients: watched %v beside the first, want %v", k, others, want)
			}
		}
	}
}

// expectClean fails if scratch space is left on any host or in the journal.
func (p *pool) expectClean(t *testing.T, st *store.Store) {
	t.Helper()
	for host, dir := range p.dirs {
		left, err := os.ReadDir(dir)
		if err != nil || len(left) > 0 {
			t.Errorf("on %s is left: %v, %v", host, left, err)
		}
	}
	if entries, err := st.Outstanding(context.Background()); err != nil || len(entries) > 0 {
		t.Errorf("the journal still holds %v, %v", entries, err)
	}
}

// on returns the first result of a trial on k hosts.
func on(t *testing.T, r assay.Run, k int) *assay.Result {
	t.Helper()
	for i := range r.Results {
		if multiclient.Hosts(r.Results[i].Trial) == k {
			return &r.Results[i]
		}
	}
	t.Fatalf("no trial is on %d hosts", k)
	return nil
}

func TestHostsMeasureAtTheSameMoment(t *testing.T) {
	p := newPool(t)
	var mu sync.Mutex
	arrived := map[int]chan struct{}{}
	waiting := map[int]int{}
	// Each host waits for the others: the test ends only if all are there at once.
	p.probe.before = func(_ context.Context, host string, hosts int, _ assay.Place) error {
		mu.Lock()
		if waiting[hosts] == 0 {
			arrived[hosts] = make(chan struct{})
		}
		door := arrived[hosts]
		if waiting[hosts]++; waiting[hosts] == hosts {
			waiting[hosts] = 0
			close(door)
		}
		mu.Unlock()
		if hosts == 1 {
			return nil
		}
		select {
		case <-door:
			return nil
		case <-time.After(5 * time.Minute):
			return fmt.Errorf("%s was left waiting for %d", host, hosts)
		}
	}
	got, st, err := p.carry(context.Background(), t)
	if err != nil || got.Status != assay.RunDone {
		t.Fatalf("%s, %v, notes %v", got.Status, err, got.Notes)
	}
	for k, want := range map[int]float64{1: 1, 2: 11, 3: 111} {
		r := on(t, got, k)
		if v := r.Values("storage.write.iops"); len(v) != 3 || v[0] != want || v[2] != want {
			t.Errorf("%s: %v, want %v three times", r.Trial.ID, v, want)
		}
		if w := r.Repeats[0].Watch; w == nil || w.ToolCPU < 0 || r.Scratch.Dir == "" || !strings.HasPrefix(r.Scratch.Dir, p.dirs["ann"]) {
			t.Errorf("%s: watch %+v, scratch %+v", r.Trial.ID, w, r.Scratch)
		}
		others := r.Repeats[0].Watches
		if len(others) != k-1 {
			t.Errorf("%s: %d of its other hosts are watched, want %d", r.Trial.ID, len(others), k-1)
		}
		for host, w := range others {
			if host == r.Trial.Subject.Host || w.ToolCPU < 0 || w.After.Uptime < w.Before.Uptime {
				t.Errorf("%s: watch of %s: %+v", r.Trial.ID, host, w)
			}
		}
	}
	p.expectClean(t, st)
	for _, part := range []string{"load on 3 hosts at once: depth capped", "load: depth capped"} {
		if n := strings.Count(fmt.Sprint(got.Notes), part); n != 1 {
			t.Errorf("%q is noted %d times: %v", part, n, got.Notes)
		}
	}

	// The stored run can be loaded again, with its hosts and what ran on each.
	three := on(t, got, 3)
	loaded, err := st.Load(context.Background(), runID)
	if err != nil {
		t.Fatal(err)
	}
	back := on(t, loaded, 3)
	if d := cmp.Diff(three.Trial, back.Trial); d != "" {
		t.Error(d)
	}
	tr, err := st.Transcript(context.Background(), runID, three.Trial.ID, 2)
	if err != nil {
		t.Fatal(err)
	}
	again, err := multiclient.Parse(p.probe, tr)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(three.Repeats[1].Measurements, again); d != "" {
		t.Errorf("read again: %s", d)
	}
}

// hang makes every host but one block until it is ended.
func (p *pool) hang(but string) (ended *sync.Map) {
	ended = &sync.Map{}
	p.probe.before = func(ctx context.Context, host string, hosts int, at assay.Place) error {
		if hosts < 2 || host == but {
			return nil
		}
		_, err := at.Run(ctx, assay.Cmd{Argv: []string{"sleep", "600"}})
		ended.Store(host, err)
		return err
	}
	return ended
}

// A failure on one host ends the others, and the repeat names that host, both if
// the tool could not be run and if its output reports a failure.
func TestAFailureOnOneHostEndsTheOthers(t *testing.T) {
	for _, how := range []string{"run", "parse"} {
		t.Run(how, func(t *testing.T) {
			p := newPool(t)
			ended := p.hang("bob")
			hanging := p.probe.before
			p.probe.before = func(ctx context.Context, host string, hosts int, at assay.Place) error {
				if hosts > 1 && host == "bob" && how == "run" {
					return assay.WithHint("look at the disk", "the tool failed")
				}
				return hanging(ctx, host, hosts, at)
			}
			want := "host bob: the tool failed"
			if how == "parse" {
				p.probe.figures["bob"] = -1
			}
			began := time.Now()
			got, st, err := p.carry(context.Background(), t)
			if err != nil || got.Status != assay.RunPartial || time.Since(began) > 5*time.Minute {
				t.Errorf("%s, %v, after %s", got.Status, err, time.Since(began))
			}
			for _, k := range []int{2, 3} {
				rep := on(t, got, k).Repeats[0]
				if rep.Outcome != assay.Broke || rep.Error != want || rep.Hint != "look at the disk" {
					t.Errorf("on %d hosts: %s, %q, hint %q", k, rep.Outcome, rep.Error, rep.Hint)
				}
			}
			for _, host := range []string{"ann", "cat"} {
				if err, was := ended.Load(host); !was || !errors.Is(err.(error), context.Canceled) {
					t.Errorf("%s was not ended: %v", host, err)
				}
			}
			p.expectClean(t, st)
		})
	}
}

func TestInterruptingSeveralHosts(t *testing.T) {
	p := newPool(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p.probe.before = func(ctx context.Context, _ string, hosts int, at assay.Place) error {
		if hosts < 3 {
			return nil
		}
		cancel()
		_, err := at.Run(ctx, assay.Cmd{Argv: []string{"sleep", "600"}})
		return err
	}
	began := time.Now()
	got, st, err := p.carry(ctx, t)
	if !errors.Is(err, context.Canceled) || got.Status != assay.RunInterrupted || time.Since(began) > 5*time.Minute {
		t.Errorf("%s, %v, after %s", got.Status, err, time.Since(began))
	}
	if reps := on(t, got, 3).Repeats; len(reps) != 1 || reps[0].Outcome != assay.Interrupted {
		t.Errorf("repeats %+v", reps)
	}
	p.expectClean(t, st)

	// Resuming runs only what is left.
	p.probe.before = nil
	loaded, err := st.Load(context.Background(), runID)
	if err != nil {
		t.Fatal(err)
	}
	again, drop, err := plan.Again(loaded, suite.Suite{Title: "test"}, poolBudget)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(p.plan(t).Trials, again.Trials); d != "" {
		t.Errorf("planned again: %s", d)
	}
	if n := drop[on(t, loaded, 3).Trial.ID]; !slices.Equal(n, []int{1}) {
		t.Errorf("made anew: %v", drop)
	}
	for i := range loaded.Results {
		r := &loaded.Results[i]
		r.Repeats = slices.DeleteFunc(r.Repeats, func(rep assay.Repeat) bool { return rep.Outcome != assay.Done })
	}
	other := *p
	other.db = filepath.Join(t.TempDir(), "again.db")
	fresh := other.store(t)
	if err := fresh.Begin(context.Background(), loaded); err != nil {
		t.Fatal(err)
	}
	if err := fresh.AddTrials(context.Background(), loaded.ID, again.Trials); err != nil {
		t.Fatal(err)
	}
	whole, err := p.engine(t, fresh).Run(context.Background(), again, loaded)
	if err != nil || whole.Status != assay.RunDone {
		t.Fatalf("%s, %v, %v", whole.Status, err, whole.Notes)
	}
	for _, r := range whole.Results {
		if len(r.Counted()) != 3 {
			t.Errorf("%s has %d repeats", r.Trial.ID, len(r.Counted()))
		}
	}
	p.expectClean(t, fresh)
}

// begins is a host on which every command appears to start at the same time, so that
// load on this machine does not set hosts apart.
type begins struct {
	assay.Place
	at time.Time
}

func (b begins) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	out, err := b.Place.Run(ctx, c)
	out.Started = b.at
	return out, err
}

func TestHostsThatBeginApartAreTold(t *testing.T) {
	for by, want := range map[time.Duration]int{0: 0, time.Second: 1, 12 * time.Second: 0} {
		p := newPool(t)
		p.length = 10 * time.Second // the probe does not take that long
		began := time.Now()
		for host, at := range p.places {
			p.places[host] = begins{at, began}
		}
		p.places["cat"] = begins{p.places["cat"], began.Add(by)}
		got, _, err := p.carry(context.Background(), t)
		if err != nil {
			t.Fatal(err)
		}
		notes := fmt.Sprint(got.Notes)
		if n := strings.Count(notes, "load on 3 hosts at once: for "); n != want {
			t.Errorf("%s apart: noted %d times, want %d: %s", by, n, want, notes)
		}
		if strings.Contains(notes, "on 2 hosts at once: for ") {
			t.Errorf("two hosts that began together are noted: %s", notes)
		}
		// Hosts that hardly overlapped have no figure.
		r, hopeless := on(t, got, 3), by > 5*time.Second
		if n := len(r.Counted()); hopeless != (n == 0) {
			t.Errorf("%s apart: %d repeats count", by, n)
		}
		if rep := r.Repeats[0]; hopeless && (!strings.Contains(rep.Error, "ran together for only 0 s of ") || rep.Hint == "" || len(rep.Measurements) > 0) {
			t.Errorf("%s apart: %q, hint %q, %v", by, rep.Error, rep.Hint, rep.Measurements)
		}
	}
}

// If one host has less room, all are measured with that much.
func TestSeveralHostsHaveTheLeastSpaceOfAll(t *testing.T) {
	p := newPool(t)
	st := p.store(t)
	head := assay.Run{ID: runID, Suite: "test", Started: time.Now(), Status: assay.RunRunning, Seed: 1, Budget: poolBudget, Inventory: p.inv}
	if err := st.Begin(context.Background(), head); err != nil {
		t.Fatal(err)
	}
	e := p.engine(t, st)
	e.Probes = []assay.Probe{&tight{p.probe}}
	got, err := e.Run(context.Background(), p.plan(t), head)
	if err != nil || got.Status != assay.RunDone {
		t.Fatalf("%s, %v", got.Status, err)
	}
	for k, want := range map[int]int64{2: 16 << 20, 3: 16 << 20} {
		if r := on(t, got, k); r.Scratch.Bytes != want {
			t.Errorf("on %d hosts: %d bytes", k, r.Scratch.Bytes)
		}
		for _, n := range p.probe.bytes[k] {
			if n != want {
				t.Errorf("on %d hosts one was given %d bytes", k, n)
			}
		}
		if len(p.probe.bytes[k]) != 3*k {
			t.Errorf("on %d hosts: %d measured", k, len(p.probe.bytes[k]))
		}
	}
	if !slices.Contains(p.probe.bytes[1], 64<<20) || !slices.Contains(p.probe.bytes[1], 16<<20) {
		t.Errorf("alone they had %v", p.probe.bytes[1])
	}
	// The steps that prepared the space are recorded once, with their host.
	readied := map[string]int{}
	for _, r := range got.Results {
		for _, rep := range r.Repeats {
			for _, s := range rep.Transcript.Steps {
				if s.Name == "prepare: fill" {
					readied[s.Argv[1]]++
					if len(r.Trial.Others) > 0 && s.Host != s.Argv[1] || len(r.Trial.Others) == 0 && s.Host != "" {
						t.Errorf("what was readied on %s is said to be of %q", s.Argv[1], s.Host)
					}
				}
			}
		}
	}
	if len(readied) != 3 || readied["ann"] != 1 || readied["bob"] != 1 || readied["cat"] != 1 {
		t.Errorf("readied: %v", readied)
	}
	p.expectClean(t, st)
}

// tight is a gauge that finds less room on one host.
type tight struct{ *gauge }

func (g tight) Prepare(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, assay.Scratch, error) {
	if t.Subject.Host == "bob" {
		on.Scratch.Bytes = 16 << 20
	}
	return g.gauge.Prepare(ctx, t, on)
}

// A host that goes away takes only the trials that share it with others along.
func TestAHostOfSeveralThatGoesAway(t *testing.T) {
	p := newPool(t)
	away := new(atomic.Int32)
	p.places["cat"] = frail{p.places["cat"], away}
	p.probe.before = func(_ context.Context, host string, hosts int, _ assay.Place) error {
		if hosts == 3 && host == "cat" {
			away.Store(-1)
		}
		return nil
	}
	got, _, err := p.carry(context.Background(), t)
	if err != nil || got.Status != assay.RunPartial {
		t.Errorf("%s, %v", got.Status, err)
	}
	if r := on(t, got, 3); r.Trial.Absent == nil || r.Trial.Absent.Gone != "cat" || len(r.Repeats) != 1 {
		t.Errorf("on three hosts: %+v, %d repeats", r.Trial.Absent, len(r.Repeats))
	}
	for _, k := range []int{1, 2} {
		if r := on(t, got, k); len(r.Counted()) != 3 || r.Trial.Absent != nil {
			t.Errorf("on %d hosts: %d repeats, %+v", k, len(r.Counted()), r.Trial.Absent)
		}
	}
}

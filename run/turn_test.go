package run_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/plan/suite"
	"assay/run"
	"assay/store"
	"assay/volume/dir"
)

// turning is a volume with a cache that is turned off while it is lent.
type turning struct {
	restless
	cache string
	said  []string // actions in order
	// What the drive refuses: reading the setting, turning it off, turning it
	// back on.
	unread, refused, stuck error
}

func newTurning() *turning { return &turning{restless: restless{dir.New()}, cache: "on"} }

func (*turning) Kind() string { return "turning" }

func (v *turning) Reserve(ctx context.Context, at assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if err := want.Way.Check("turning"); err != nil {
		return assay.Receipt{}, err
	}
	r, err := v.restless.Reserve(ctx, at, s, want)
	r.Volume = "turning"
	return r, err
}

func (v *turning) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	v.said = append(v.said, "lent")
	return v.restless.Lend(ctx, at, r)
}

func (v *turning) ReserveTurn(_ context.Context, _ assay.Place, lent assay.Receipt, want assay.Request) (assay.Receipt, error) {
	return assay.Receipt{ID: want.ID, Volume: "turning", Host: lent.Host, Subject: lent.Subject, Way: want.Way,
		Restore: []assay.Property{{Of: lent.Subject, Name: "cache", Value: v.cache}}}, v.unread
}

func (v *turning) Turn(_ context.Context, _ assay.Place, r assay.Receipt) error {
	if v.refused != nil {
		return v.refused
	}
	v.cache = r.Way["cache"]
	v.said = append(v.said, v.cache)
	return nil
}

func (v *turning) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	if len(r.Restore) == 0 {
		v.said = append(v.said, "released")
		return v.restless.Release(ctx, at, r)
	}
	if v.stuck == nil {
		v.cache = r.Restore[0].Value
		v.said = append(v.said, "back "+v.cache)
	}
	return v.stuck
}

// taking returns a bench of one case, with the space as found and with its
// cache off.
func taking(t *testing.T, v *turning) *bench {
	b := newBench(t)
	b.volumes, b.cases = []assay.Volume{v}, 1
	b.probe.volume, b.probe.turns = "turning", true
	b.probe.figure = func(string) float64 { return map[string]float64{"on": 300, "off": 20}[v.cache] }
	b.suite = suite.Suite{Cases: []assay.Case{{
		Probe: "writer", Name: "case0", Title: "case 0", On: assay.KindDirectory, Seconds: .01, Longest: .01, Lend: assay.Way{"cache": "off"},
	}}}
	return b
}

// Space that cannot be lent twice is lent once, and each repeat sets it as its case
// asks: the previous setting is undone first, and after the last.
func TestWaysTakeTurnsOnOneSpace(t *testing.T) {
	v := newTurning()
	got, st, err := taking(t, v).carry(context.Background(), t)
	if err != nil || got.Status != assay.RunDone {
		t.Fatalf("%s, %v, %v", got.Status, got.Notes, err)
	}
	for _, r := range got.Results {
		want := 300.
		if r.Trial.Lend["cache"] == "off" {
			want = 20
		}
		if values := r.Values("storage.write.iops"); !slices.Equal(values, []float64{want, want, want}) {
			t.Errorf("%s: %v", r.Trial.Case, values)
		}
	}
	said := strings.Join(v.said, ", ")
	if v.said[0] != "lent" || v.said[len(v.said)-1] != "released" || strings.Count(said, "lent") != 1 || strings.Count(said, "off") != strings.Count(said, "back on") {
		t.Errorf("it was %s", said)
	}
	if entries, err := st.Outstanding(context.Background()); err != nil || len(entries) > 0 || v.cache != "on" {
		t.Errorf("left %v, %v, the cache %s", entries, err, v.cache)
	}
}

// If there is no such setting, the row says so and the rest of the run is
// unaffected.
func TestAWayThatIsNotSupported(t *testing.T) {
	none := assay.WithHint("have one", "the cache is %w: there is none", assay.ErrNotSupported)
	for name, refuse := range map[string]func(*turning){
		"read": func(v *turning) { v.unread = none },
		"set":  func(v *turning) { v.refused = none },
	} {
		v := newTurning()
		refuse(v)
		b := taking(t, v)
		got, st, err := b.carry(context.Background(), t)
		if err != nil || got.Status != assay.RunDone {
			t.Fatalf("%s: %s, %v, %v", name, got.Status, got.Notes, err)
		}
		for _, r := range got.Results {
			if r.Trial.Lend == nil && len(r.Counted()) == 3 {
				continue
			}
			want := assay.Absence{Word: assay.NotSupported, Why: "the cache is not supported: there is none", Hint: "have one"}
			if r.Trial.Lend == nil || r.Trial.Absent == nil || *r.Trial.Absent != want || len(r.Repeats) > 0 {
				t.Errorf("%s: %s is absent as %+v, with %d repeats", name, r.Trial.Case, r.Trial.Absent, len(r.Repeats))
			}
		}
		b.expectClean(t, st)
	}
}

// A setting that is not restored fails everything that would be measured under it, and
// stays in the journal for clean-up.
func TestAWayThatIsNotSetBack(t *testing.T) {
	v := newTurning()
	v.stuck = errors.New("the drive does not answer")
	b := taking(t, v)
	got, st, err := b.carry(context.Background(), t)
	if err == nil || !strings.Contains(err.Error(), "the drive does not answer") || got.Status == assay.RunDone {
		t.Errorf("%s, %v", got.Status, err)
	}
	for _, r := range got.Results {
		for _, value := range r.Values("storage.write.iops") {
			if off := r.Trial.Lend != nil; off != (value == 20) {
				t.Errorf("%s has the figure %v", r.Trial.Case, value)
			}
		}
	}
	entries, err := st.Outstanding(context.Background())
	if err != nil || len(entries) != 1 || len(entries[0].Receipt.Restore) != 1 {
		t.Fatalf("left %+v, %v", entries, err)
	}
}

// Kept space is left as it was found.
func TestKeptSpaceIsSetBack(t *testing.T) {
	v := newTurning()
	b := taking(t, v)
	b.keep = true
	_, st, err := b.carry(context.Background(), t)
	entries, _ := st.Outstanding(context.Background())
	if err != nil || v.cache != "on" || len(entries) != 1 || !entries[0].Receipt.Kept {
		t.Errorf("the cache is %s, left %+v, %v", v.cache, entries, err)
	}
}

// Clean-up restores the settings of a killed run from the journal alone.
func TestCleanupSetsBack(t *testing.T) {
	v := newTurning()
	b := taking(t, v)
	killed := func(st *store.Store) []store.Entry {
		entries, err := st.Outstanding(context.Background())
		if err != nil {
			t.Error(err)
		}
		return entries
	}
	var during []store.Entry
	b.probe.behave = func(context.Context, int, assay.Bench) error {
		if v.cache == "off" && during == nil {
			st, err := store.Open(context.Background(), b.db)
			if err != nil {
				return err
			}
			defer st.Close()
			during = killed(st)
		}
		return nil
	}
	_, st, err := b.carry(context.Background(), t)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(during, func(e store.Entry) bool { return len(e.Receipt.Restore) > 0 })
	if len(during) != 2 || at < 0 {
		t.Fatalf("while it was off the journal held %+v", during)
	}
	// The same receipt, with a dead owner.
	dead := during[at].Owner
	dead.Start = "1"
	if err := st.Journal(context.Background(), during[at].Receipt, dead); err != nil {
		t.Fatal(err)
	}
	v.cache = "off"
	released, err := run.Cleanup(context.Background(), st, map[string]assay.Place{"here": up{"here"}}, []assay.Journalled{v}, false)
	if err != nil || len(released) != 1 || released[0].Err != nil || v.cache != "on" {
		t.Errorf("released %+v, %v; the cache is %s", fmt.Sprint(released), err, v.cache)
	}
}

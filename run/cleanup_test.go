package run_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/run"
	"assay/store"
)

var errWent = errors.New("it went")

// space is a volume whose hosts go with it.
type space struct{ stuck bool }

func (*space) Kind() string { return "space" }

func (*space) Reserve(_ context.Context, _ assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	return assay.Receipt{ID: want.ID, Volume: "space", Host: s.Host, Subject: s.ID, Names: map[string]string{"hosts": "pod1 pod2"}}, nil
}

func (*space) Lend(context.Context, assay.Place, assay.Receipt) (assay.Scratch, error) {
	return assay.Scratch{}, nil
}

func (s *space) Release(context.Context, assay.Place, assay.Receipt) error {
	if s.stuck {
		return errors.New("it does not go")
	}
	return nil
}

func (*space) Takes(r assay.Receipt) ([]string, error) {
	return strings.Fields(r.Names["hosts"]), errWent
}

// lent is a volume on hosts: what it lends goes with them, or stays.
type lent struct {
	kind     string
	goes     bool
	released []string // the words of the hosts on which something was run
}

func (l *lent) Kind() string { return l.kind }

func (l *lent) Reserve(_ context.Context, _ assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	return assay.Receipt{ID: want.ID, Volume: l.kind, Host: s.Host, Subject: s.ID}, nil
}

func (*lent) Lend(context.Context, assay.Place, assay.Receipt) (assay.Scratch, error) {
	return assay.Scratch{}, nil
}

func (l *lent) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	_, err := at.Run(ctx, assay.Cmd{Argv: []string{"true"}})
	if l.goes && errors.Is(err, errWent) {
		l.released = append(l.released, r.ID+" gone")
		return nil
	}
	if err == nil {
		l.released = append(l.released, r.ID+" at "+at.Host().Name)
	}
	return err
}

// up is a place whose host answers; again is one whose earlier host is gone.
type up struct{ name string }

func (u up) Host() assay.Host { return assay.Host{Name: u.name} }
func (u up) Close() error     { return nil }
func (u up) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, nil
}

type again struct{ up }

func (again) Gone() error { return errWent }

// journalled returns a database with entries of dead runs: "run volume host".
func journalled(t *testing.T, volumes []assay.Journalled, entries ...string) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	for i, entry := range entries {
		words := strings.Fields(entry)
		owner, err := store.Self(words[0])
		if err != nil {
			t.Fatal(err)
		}
		owner.Start = "1"
		at := slices.IndexFunc(volumes, func(v assay.Journalled) bool { return v.Kind() == words[1] })
		r, err := volumes[at].(assay.Volume).Reserve(context.Background(), nil, assay.Subject{ID: entry, Host: words[2]}, assay.Request{ID: fmt.Sprintf("entry%03d", i)})
		if err != nil {
			t.Fatal(err)
		}
		if err := st.Journal(t.Context(), r, owner); err != nil {
			t.Fatal(err)
		}
	}
	return st
}

// left returns the subjects that are still in the journal.
func left(t *testing.T, st *store.Store) (all []string) {
	t.Helper()
	entries, err := st.Outstanding(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Receipt.Subject)
	}
	slices.Sort(all)
	return all
}

func TestWhatIsOnHostsThatWent(t *testing.T) {
	entries := []string{"one claim pod1", "one disk pod2", "one space here", "two claim pod1", "two claim other"}
	for name, c := range map[string]struct {
		places   []assay.Place
		stuck    bool
		released []string
		left     []string
	}{
		"without a file": {[]assay.Place{up{"here"}}, false,
			[]string{"entry000 gone"}, []string{"one disk pod2", "two claim other", "two claim pod1"}},
		// pod1 is another run's: of this run it has to release only what does not go away
		// with the pod.
		"in a run on the same tiers": {[]assay.Place{up{"here"}, up{"pod1"}, up{"pod2"}}, false,
			[]string{"entry000 gone", "entry001 at pod2", "entry003 at pod1"}, []string{"two claim other"}},
		"with pods made again": {[]assay.Place{up{"here"}, again{up{"pod1"}}, again{up{"pod2"}}}, false,
			[]string{"entry000 gone", "entry001 at pod2", "entry003 gone"}, []string{"two claim other"}},
		"when they do not go": {[]assay.Place{up{"here"}, again{up{"pod1"}}, again{up{"pod2"}}}, true,
			[]string{"entry003 gone"}, []string{"one claim pod1", "one disk pod2", "one space here", "two claim other"}},
	} {
		t.Run(name, func(t *testing.T) {
			claim, disk := &lent{kind: "claim", goes: true}, &lent{kind: "disk"}
			volumes := []assay.Journalled{claim, disk, &space{stuck: c.stuck}}
			st := journalled(t, volumes, entries...)
			places := map[string]assay.Place{}
			for _, p := range c.places {
				places[p.Host().Name] = p
			}
			released, err := run.Cleanup(t.Context(), st, places, volumes, false)
			if err != nil {
				t.Fatal(err)
			}
			got := slices.Sorted(slices.Values(slices.Concat(claim.released, disk.released)))
			if !slices.Equal(got, c.released) || !slices.Equal(left(t, st), c.left) {
				t.Errorf("released %q, and left is %q", got, left(t, st))
			}
			for _, r := range released {
				if (r.Err != nil) != slices.Contains(c.left, r.Entry.Receipt.Subject) {
					t.Errorf("%s: %v", r.Entry.Receipt.Subject, r.Err)
				}
				if r.Err != nil && places[r.Entry.Receipt.Host] == nil && !strings.Contains(assay.Hint(r.Err), "-i cluster.yaml") {
					t.Errorf("%v has the hint %q", r.Err, assay.Hint(r.Err))
				}
			}
		})
	}
}

// What a run has on hosts that it ended itself needs no journal entry if it went
// with them.
func TestSettle(t *testing.T) {
	claim, disk := &lent{kind: "claim", goes: true}, &lent{kind: "disk"}
	volumes := []assay.Journalled{claim, disk}
	st := journalled(t, volumes, "one claim pod1", "one disk pod1", "one claim other", "two claim pod1")
	if err := run.Settle(t.Context(), st, "one", map[string]assay.Place{"pod1": down{up{"pod1"}}}, volumes); err != nil {
		t.Fatal(err)
	}
	if want := []string{"one claim other", "one disk pod1", "two claim pod1"}; !slices.Equal(left(t, st), want) {
		t.Errorf("left is %q", left(t, st))
	}
}

// down is the place of a host that is gone.
type down struct{ up }

func (down) Run(context.Context, assay.Cmd) (assay.Output, error) { return assay.Output{}, errWent }

// silent is a host that never answers.
type silent struct {
	up
	why   error
	asked int
}

func (s *silent) Reap(context.Context, string) (int, error) {
	s.asked++
	return 0, fmt.Errorf("host %s: %w", s.name, s.why)
}

func (s *silent) Run(context.Context, assay.Cmd) (assay.Output, error) {
	s.asked++
	return assay.Output{}, fmt.Errorf("host %s: %w", s.name, s.why)
}

// A host that does not answer is waited for once, however much is left on it, and the
// others are cleaned up.
func TestASilentHostIsAskedOnce(t *testing.T) {
	for _, why := range []error{assay.ErrTimeout, assay.ErrTooLong, assay.ErrHostGone} {
		volumes := []assay.Journalled{&lent{kind: "disk"}}
		st := journalled(t, volumes, "one disk bad", "one disk good", "two disk bad")
		bad := &silent{up: up{"bad"}, why: why}
		released, err := run.Cleanup(t.Context(), st, map[string]assay.Place{"bad": bad, "good": up{"good"}}, volumes, false)
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"one disk bad", "two disk bad"}; bad.asked != 1 || !slices.Equal(left(t, st), want) {
			t.Errorf("%v: asked %d times, and left is %q", why, bad.asked, left(t, st))
		}
		for _, r := range released {
			if bad := r.Entry.Receipt.Host == "bad"; bad != errors.Is(r.Err, why) || bad && !strings.Contains(r.Err.Error(), "host bad") {
				t.Errorf("%v: %s: %v", why, r.Entry.Receipt.Subject, r.Err)
			}
		}
	}
}

// fromOutside is a volume that can release what it lent while the host is off.
type fromOutside struct{ lent }

func (*fromOutside) WhileOff() {}

func (o *fromOutside) Release(_ context.Context, _ assay.Place, r assay.Receipt) error {
	o.released = append(o.released, r.ID)
	return nil
}

// What was lent from outside a host is released while the host is off, even after
// another release there failed.
func TestWhatIsLentFromOutside(t *testing.T) {
	outside := &fromOutside{lent{kind: "vmdisk"}}
	volumes := []assay.Journalled{&lent{kind: "disk"}, outside}
	st := journalled(t, volumes, "one disk off", "one vmdisk off")
	places := map[string]assay.Place{"off": &silent{up: up{"off"}, why: assay.ErrHostGone}}
	if _, err := run.Cleanup(t.Context(), st, places, volumes, false); err != nil {
		t.Fatal(err)
	}
	if want := []string{"one disk off"}; len(outside.released) != 1 || !slices.Equal(left(t, st), want) {
		t.Errorf("released %q, and left is %q", outside.released, left(t, st))
	}
}

// apart is a volume with parts on several hosts.
type apart struct {
	*lent
	hosts map[string]assay.Place
}

func (a apart) Among(hosts map[string]assay.Place) assay.Volume { return apart{a.lent, hosts} }

func (a apart) Release(context.Context, assay.Place, assay.Receipt) error {
	if a.hosts["b"] == nil {
		return errors.New("no way to b")
	}
	return nil
}

// A volume with parts on several hosts gets the places of all of them.
func TestCleanupAmongHosts(t *testing.T) {
	for want, places := range map[int]map[string]assay.Place{0: {"a": up{"a"}, "b": up{"b"}}, 1: {"a": up{"a"}}} {
		volumes := []assay.Journalled{apart{lent: &lent{kind: "mirror"}}}
		st := journalled(t, volumes, "one mirror a")
		if _, err := run.Cleanup(t.Context(), st, places, volumes, false); err != nil || len(left(t, st)) != want {
			t.Errorf("with %v: left is %q, %v", places, left(t, st), err)
		}
	}
}

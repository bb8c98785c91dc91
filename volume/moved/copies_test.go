package moved

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"assay"
	"assay/stacks/migration"
)

// copies answers like copies.sh; the script itself has its own tests.
func (w *world) copies(host, what, id string) (assay.Output, error) {
	w.asked = append(w.asked, host+": copies.sh "+what)
	if host != away {
		return assay.Output{Stderr: []byte("no copies are made here\n"), Exit: 1}, nil
	}
	said := func(text string) (assay.Output, error) { return assay.Output{Stdout: []byte(text)}, nil }
	switch {
	case what == "look":
		return said("room 100000000 50000000 /srv\n")
	case what == "make" && w.copied == "":
		w.copied = id
		return said("")
	case what == "there" && w.copied == id:
		return said("yes\n")
	case what == "there":
		return said("no\n")
	case what == "remove" && w.open:
		return assay.Output{Stderr: []byte("/srv/web.raw, by process 7\n"), Exit: 16}, nil
	case what == "remove" && w.copied == id:
		w.copied = ""
		return said("")
	}
	return assay.Output{Exit: 1}, nil
}

// lentWithDisks lends a guest whose disk moves with it.
func lentWithDisks(t *testing.T, w *world) assay.Receipt {
	t.Helper()
	w.disk = "/srv/web.raw"
	s := subject()
	m, err := migration.Of(s.Params)
	if err != nil {
		t.Fatal(err)
	}
	m.Copy = true
	s.Params = m.Params()
	r, err := w.volume().Reserve(t.Context(), at{w, home}, s, assay.Request{ID: id, Bytes: 1})
	if err != nil || w.copied != "" {
		t.Fatalf("%v, made: %q", err, w.copied)
	}
	lent, err := w.volume().Lend(t.Context(), at{w, home}, r)
	if err != nil || len(lent.Copied) != 1 || lent.Copied[0] != "vda" || w.copied != id {
		t.Fatalf("%+v, %v, made: %q", lent, err, w.copied)
	}
	return r
}

// The copies of its disks go once the guest runs at home, not before.
func TestCopiesGo(t *testing.T) {
	for name, c := range map[string]struct {
		left  func(*world)
		says  string // why they stay
		mends func(*world)
	}{
		"it never left": {left: func(*world) {}},
		"it is away":    {left: func(w *world) { w.states = map[string]string{away: migration.Running} }},
		"it is leaving": {left: func(w *world) {
			w.states[away] = "paused"
			w.jobs = map[string]string{home: migration.Leaving, away: migration.Arriving}
		}},
		"it is paused, home": {left: func(w *world) { w.states[home] = migration.Paused }},
		"it is off, away": {
			func(w *world) { w.states = map[string]string{away: migration.Off} }, "is off on kvm2, which alone has its disks",
			func(w *world) { w.states[away] = migration.Running },
		},
		"it is off, home": {
			func(w *world) { w.states[home] = migration.Off }, "on kvm1 it is shut off",
			func(w *world) { w.states[home] = migration.Running },
		},
		"both have it, off": {
			func(w *world) { w.states = map[string]string{home: migration.Off, away: migration.Off} }, "it has domain web too, which is shut off",
			func(w *world) { delete(w.states, away); w.states[home] = migration.Running },
		},
		"somebody has a copy open": {func(w *world) { w.open = true }, "by process 7", func(w *world) { w.open = false }},
		"it has another disk":      {func(w *world) { w.disk = "/srv/new.raw" }, "another than before", func(w *world) { w.disk = "/srv/web.raw" }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			r := lentWithDisks(t, w)
			c.left(w)
			err := w.volume().Release(t.Context(), at{w, home}, r)
			if c.says != "" {
				if err == nil || !strings.Contains(err.Error(), c.says) || assay.Hint(err) == "" || w.copied != id {
					t.Fatalf("%v (%s), want %s; left: %q", err, assay.Hint(err), c.says, w.copied)
				}
				c.mends(w)
				err = w.volume().Release(t.Context(), at{w, home}, r)
			}
			if err != nil || w.copied != "" || len(w.states) != 1 || w.states[home] == "" {
				t.Errorf("%v; left: %q, and the guest is %v", err, w.copied, w.states)
			}
			if err := w.volume().Release(t.Context(), at{w, home}, r); err != nil {
				t.Errorf("it is not idempotent: %v", err)
			}
		})
	}
}

// If killed before anything was made, there is nothing to remove and nothing to report.
func TestKilledBeforeCopies(t *testing.T) {
	w := newWorld()
	r := lentWithDisks(t, w)
	w.copied = ""
	w.states[home] = migration.Off
	if err := w.volume().Release(t.Context(), at{w, home}, r); err != nil {
		t.Error(err)
	}
}

// A receipt about copies is not trusted if it names files other than disks.
func TestForgedCopies(t *testing.T) {
	w := newWorld()
	good := lentWithDisks(t, w)
	if _, err := read(good); err != nil {
		t.Fatal(err)
	}
	for name, disks := range map[string]string{
		"none":         "",
		"no disks":     "[]",
		"no path":      strings.Replace(good.Names[roleDisks], "/srv/web.raw", "web.raw", 1),
		"up and away":  strings.Replace(good.Names[roleDisks], "/srv/web.raw", "/srv/../etc/passwd", 1),
		"another name": strings.Replace(good.Names[roleDisks], `"vda"`, `"../vda"`, 1),
	} {
		forged := good
		forged.Names = maps.Clone(good.Names)
		forged.Names[roleDisks] = disks
		before := len(w.asked)
		if err := w.volume().Release(t.Context(), at{w, home}, forged); err == nil || len(w.asked) != before {
			t.Errorf("%s: released, %v", name, err)
		}
	}
}

func TestCopiesRefused(t *testing.T) {
	for says, c := range map[string]struct {
		is   error
		look string
	}{
		"has a file /srv/web.raw already": {is: assay.ErrBusy, look: "taken\n"},
		"has no directory /srv":           {is: assay.ErrNotFound, look: "missing\n"},
		"/srv can take 0 MiB":             {is: assay.ErrNoSpace, look: "room 100000000 1000000 /srv\n"},
	} {
		w := newWorld()
		w.disk = "/srv/web.raw"
		s := subject()
		s.Params["disks"] = migration.Copies
		v := w.volume().(Volume)
		v.hosts[away] = answering{v.hosts[away], c.look}
		_, err := v.Reserve(t.Context(), at{w, home}, s, assay.Request{ID: id, Bytes: 1})
		if err == nil || !strings.Contains(err.Error(), says) || assay.Hint(err) == "" || !errors.Is(err, c.is) {
			t.Errorf("%v (%s), want %s", err, assay.Hint(err), says)
		}
	}
}

// answering is a host on which copies.sh gives a different answer.
type answering struct {
	assay.Place
	says string
}

func (a answering) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	if c.Argv[0] == "sh" {
		return assay.Output{Stdout: []byte(a.says)}, nil
	}
	return a.Place.Run(ctx, c)
}

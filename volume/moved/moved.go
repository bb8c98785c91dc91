package moved

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay"
	"assay/internal/sleep"
	"assay/stacks/migration"
	"assay/volume"
)

// Kind is the volume's name in receipts and suites.
const Kind = "moved"

// Volume lends guests, but only if it knows how to reach all hosts (see Among).
type Volume struct {
	hosts volume.Ways
	pause time.Duration // between two looks
	stuck time.Duration // how long without a change before giving up
}

// New returns the volume.
func New() Volume { return Volume{pause: time.Second, stuck: 2 * time.Minute} }

// Kind is the volume's name in receipts and suites.
func (Volume) Kind() string { return Kind }

// Among implements assay.Spread.
func (v Volume) Among(hosts map[string]assay.Place) assay.Volume {
	v.hosts = hosts
	return v
}

// The roles of names in a receipt.
const (
	roleMove  = "move"  // migration.Move as JSON
	roleDisks = "disks" // copied disks: []migration.Disk as JSON
)

// Restored properties.
const (
	settingHost      = "host"
	settingAutostart = "autostart"
	enabled          = "enable"
)

// Reserve checks that the guest could be moved and come back, and records where it is and
// whether it starts with its host. A refusal leaves no receipt: nobody must bring home what
// was never moved.
func (v Volume) Reserve(ctx context.Context, at assay.Place, s assay.Subject, want assay.Request) (assay.Receipt, error) {
	if err := assay.CheckID(want.ID); err != nil {
		return assay.Receipt{}, err
	}
	if err := want.Way.Check(Kind); err != nil {
		return assay.Receipt{}, err
	}
	m, err := migration.Of(s.Params)
	if err != nil {
		return assay.Receipt{}, fmt.Errorf("%s: %w", s.ID, err)
	}
	h := m.Hypervisor()
	if err := runsAt(ctx, m, at); err != nil {
		return assay.Receipt{}, err
	}
	home, away, err := v.ends(at, m)
	if err != nil {
		return assay.Receipt{}, err
	}
	g, err := h.Ready(ctx, home, away)
	if err != nil {
		return assay.Receipt{}, err
	}
	if err := welcome(ctx, away, m, g); err != nil {
		return assay.Receipt{}, err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return assay.Receipt{}, err
	}
	r := assay.Receipt{ID: want.ID, Volume: Kind, Host: m.Home.Host, Also: []string{m.Away.Host}, Subject: s.ID, Names: map[string]string{roleMove: string(text)}}
	if err := copies(ctx, away, g.Disks, &r); err != nil {
		return assay.Receipt{}, err
	}
	of := h.Words().Guest
	r.Restore = []assay.Property{{Of: of, Name: settingHost, Value: m.Home.Host}}
	if g.Autostart {
		r.Restore = append(r.Restore, assay.Property{Of: of, Name: settingAutostart, Value: enabled})
	}
	_, err = read(r)
	return r, err
}

// runsAt refuses a guest that is not running there.
func runsAt(ctx context.Context, m migration.Move, at assay.Place) error {
	h := m.Hypervisor()
	state, err := h.State(ctx, at)
	host, w := at.Host().Name, h.Words()
	switch {
	case err != nil:
		return err
	case state == migration.Nowhere:
		return assay.WithHint("on: and the guest's name in the cluster.yaml say where it is; "+w.List+" lists the guests of a host",
			"%s has no %s: %w", host, w.Guest, assay.ErrNotFound)
	case state != migration.Running:
		return assay.WithHint(w.Start+", or resume it", "%s on %s is %s; only a guest that is running can be moved", w.Guest, host, state)
	}
	return nil
}

// loan is what a receipt lends.
type loan struct {
	id    string
	move  migration.Move
	disks []migration.Disk // that are copied
}

// read parses a receipt, and rejects one that Reserve would not have made: it comes from a
// file, and Release moves the guest that it names, and removes copies of its disks.
func read(r assay.Receipt) (l loan, err error) {
	l.id = r.ID
	err = json.Unmarshal([]byte(r.Names[roleMove]), &l.move)
	names := 1
	if text, copied := r.Names[roleDisks]; copied && err == nil {
		names++
		err = json.Unmarshal([]byte(text), &l.disks)
		l.move.Copied = strings.Join(migration.Targets(l.disks), ",")
		if len(l.disks) == 0 || !l.move.Copy {
			err = errors.Join(err, assay.ErrNotFound)
		}
	}
	for _, d := range l.disks {
		err = errors.Join(err, d.Check())
	}
	m := l.move
	if err = errors.Join(err, m.Check()); err != nil {
		return loan{}, notOurs(r)
	}
	of := m.Hypervisor().Words().Guest
	home := assay.Property{Of: of, Name: settingHost, Value: m.Home.Host}
	start := assay.Property{Of: of, Name: settingAutostart, Value: enabled}
	if r.Volume != Kind || !assay.SafeID(r.ID) || r.Host != m.Home.Host ||
		len(r.Names) != names || len(r.Also) != 1 || r.Also[0] != m.Away.Host ||
		len(r.Restore) < 1 || len(r.Restore) > 2 || r.Restore[0] != home || len(r.Restore) == 2 && r.Restore[1] != start {
		return loan{}, notOurs(r)
	}
	return l, nil
}

func notOurs(r assay.Receipt) error {
	return fmt.Errorf("receipt %q is not for a guest that assay moves", r.ID)
}

// ends returns the places of a guest's two hosts.
func (v Volume) ends(at assay.Place, m migration.Move) (home, away assay.Place, err error) {
	between := "between which and another " + m.Guest + " is moved"
	if home, err = v.hosts.To(at, m.Home.Host, between); err != nil {
		return nil, nil, err
	}
	away, err = v.hosts.To(at, m.Away.Host, between)
	return home, away, err
}

// welcome refuses a guest that the other host already has, or cannot take.
func welcome(ctx context.Context, away assay.Place, m migration.Move, g migration.Guest) error {
	h := m.Hypervisor()
	state, err := h.State(ctx, away)
	if err != nil {
		return err
	}
	w, host := h.Words(), away.Host().Name
	if state != migration.Nowhere {
		return assay.WithHint(w.Forget+" there, if it is not needed", "%s has a %s of its own, which is %s: %w", host, w.Guest, state, assay.ErrBusy)
	}
	free, err := migration.Room(ctx, away)
	if err != nil {
		return err
	}
	if free < g.Memory {
		return assay.WithHint("free some memory there, or name another host under migrate: to:",
			"%w for %s on %s: it may have %d MiB of memory, and %d MiB are available", assay.ErrNoSpace, m.Guest, host, g.Memory>>20, free>>20)
	}
	return nil
}

// Lend moves nothing: the probe moves the guest. If disks are to be copied, it creates the
// files that they are copied into.
func (v Volume) Lend(ctx context.Context, at assay.Place, r assay.Receipt) (assay.Scratch, error) {
	l, err := read(r)
	if err != nil {
		return assay.Scratch{}, err
	}
	_, away, err := v.ends(at, l.move)
	if err != nil {
		return assay.Scratch{}, err
	}
	if len(l.disks) > 0 {
		err = migration.MakeCopies(ctx, away, l.id, l.disks)
	}
	return assay.Scratch{Bytes: 1, Copied: migration.Targets(l.disks)}, err // a guest has no size
}

// Release brings the guest home, and verifies that it is there.
func (v Volume) Release(ctx context.Context, at assay.Place, r assay.Receipt) error {
	l, err := read(r)
	if err != nil {
		return err
	}
	home, away, err := v.ends(at, l.move)
	if err != nil {
		return err
	}
	if err := v.bring(ctx, l, home, away); err != nil {
		return err
	}
	if len(l.disks) > 0 {
		if err := discard(ctx, l, home, away); err != nil {
			return err
		}
	}
	if len(r.Restore) < 2 {
		return nil
	}
	return l.move.Hypervisor().Autostart(ctx, home)
}

// bring returns when the guest is at home and nowhere else, and nothing is being done to
// it. It looks, takes one step, and looks again.
func (v Volume) bring(ctx context.Context, l loan, home, away assay.Place) error {
	m, h := l.move, l.move.Hypervisor()
	w := h.Words()
	var last sight
	var said error
	since := time.Now()
	for {
		now, err := look(ctx, h, home, away)
		if err != nil {
			return err
		}
		unchanged := now == last
		if !unchanged {
			last, since = now, time.Now()
		}
		switch next := now.next(); {
		case next == done:
			return nil
		case next == lost:
			return assay.WithHint(w.List+" on both hosts lists their guests", "neither %s nor %s has a %s: %w", m.Home.Host, m.Away.Host, w.Guest, assay.ErrNotFound)
		case unchanged && time.Since(since) > v.stuck:
			return now.stuck(m, said)
		case next == abort:
			said = h.Abort(ctx, home) // it may be over by now
		case next == fetchOff && len(l.disks) > 0:
			return offAway(m)
		case next == fetch, next == fetchOff:
			_, said = h.Migrate(ctx, away, home, next == fetchOff)
		}
		if err := sleep.For(ctx, v.pause); err != nil {
			return errors.Join(err, said)
		}
	}
}

// sight is the guest's state as both hosts report it.
type sight struct{ homeState, homeJob, awayState, awayJob string }

func look(ctx context.Context, h migration.Hypervisor, home, away assay.Place) (s sight, err error) {
	for _, one := range []struct {
		at         assay.Place
		state, job *string
	}{{home, &s.homeState, &s.homeJob}, {away, &s.awayState, &s.awayJob}} {
		if *one.state, err = h.State(ctx, one.at); err != nil {
			return s, err
		}
		if *one.state == migration.Nowhere {
			continue
		}
		if *one.job, err = h.Job(ctx, one.at); err != nil {
			return s, err
		}
	}
	return s, nil
}

// step is the next thing to do.
type step int

const (
	wait     step = iota // something in progress ends by itself
	done                 // the guest is at home
	lost                 // no host has it
	abort                // it is leaving
	fetch                // it runs on the other host
	fetchOff             // it is off there
)

// next returns the step for what was seen.
func (s sight) next() step {
	switch {
	case s.homeState == migration.Nowhere && s.awayState == migration.Nowhere:
		return lost
	case s.homeJob == migration.Leaving:
		return abort
	case s.homeJob != migration.NoJob || s.awayJob != migration.NoJob:
		return wait // on its way home, or somebody else's job
	case s.awayState == migration.Nowhere:
		return done // whatever its state there
	case s.homeState != migration.Nowhere && s.awayState == migration.Off:
		return done // only its definition is left there
	case s.homeState != migration.Nowhere && s.homeState != migration.Off:
		return wait // both have it: one is about to end
	case s.awayState == migration.Off:
		return fetchOff
	}
	return fetch
}

// stuck returns the error for a state that does not change.
func (s sight) stuck(m migration.Move, said error) error {
	why := ""
	if said != nil {
		why = ": " + said.Error()
	}
	state := func(word, job string) string {
		if word == migration.Nowhere {
			return "absent"
		}
		if job != migration.NoJob {
			word += " (" + job + ")"
		}
		return word
	}
	w := m.Hypervisor().Words()
	return assay.WithHint("see "+w.List+" and "+w.Jobs+" on both hosts; then run: assay cleanup",
		"%s is not back: on %s it is %s, on %s %s%s", w.Guest, m.Home.Host, state(s.homeState, s.homeJob), m.Away.Host, state(s.awayState, s.awayJob), why)
}

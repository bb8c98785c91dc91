package trial

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/farclock"
	"assay/internal/setting"
	"assay/internal/sleep"
	"assay/stacks/migration"
)

// The steps of a transcript. What counts is the measure step: the last query of the hypervisor
// or, where its command to move the guest prints the figures, that command.
const (
	StepLimit   = "limit"
	StepMigrate = "migrate"
	StepCopied  = "copied" // how far the migration was once all disks were sent
	StepClock   = "clock " // of the pinging host, whose name follows
	StepPing    = "ping"
	StepInside  = "inside"  // starts what answers in the guest
	StepObserve = "observe" // what asks that
	StepMeasure = "measure"
)

// The ways of a case.
const (
	There = "there"
	Back  = "back"
)

// Probe moves the guests of one kind of hypervisor. Probes are built on it, and add how to
// parse their hypervisor's output.
type Probe struct{ Name, Kind string }

// Metrics returns the metrics of all hypervisors.
func Metrics() []string {
	return []string{
		"migration.duration", "migration.downtime", "migration.downtime.seen", "migration.downtime.seen.udp", "migration.downtime.seen.tcp",
		"migration.ping.lost", "migration.udp.lost", "migration.tcp.lost", "migration.tcp.broken", "migration.clock.stood", "migration.observer.pause",
		"migration.io.longest", "migration.io.longest.guest", "migration.io.before",
		"migration.load.before", "migration.load.during", "migration.load.after", "migration.load.memory", "migration.transferred", "migration.throughput",
		"migration.memory", "migration.transfer_time", "migration.downtime.limit", "migration.disk.transferred", "migration.disk.duration", assay.MetricMoment,
	}
}

// settings is a case's settings, read and checked.
type settings struct {
	way    string
	loaded bool // the guest gets a load
}

func readSettings(r *setting.Reader) (settings, error) {
	s := settings{way: r.Choice("way", There, Back), loaded: r.Word("load", "", "yes") != ""}
	return s, r.Err()
}

// How long a migration takes in the plan, before anything is known about the guest, and
// how long a hanging one is waited for.
const (
	assumed = 30 * time.Second
	bound   = time.Hour
)

// Trials returns one trial for every guest that may be moved and, if the case asks for a load,
// has one.
func (p Probe) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	if c.On != assay.KindGuest {
		return nil, assay.WithHint("on: "+string(assay.KindGuest), "case %s: on: %s measures guests that are moved, not %q", c.Name, p.Name, c.On)
	}
	set, err := readSettings(setting.Of(c.Name, c.Set))
	if err != nil {
		return nil, err
	}
	var trials []assay.Trial
	for _, s := range inv.Of(assay.KindGuest) {
		m, err := migration.Of(s.Params)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.ID, err)
		}
		if m.Kind != p.Kind || set.loaded && m.Load == 0 {
			continue
		}
		t := assay.Trial{
			ID: p.Name + "/" + c.Name + "@" + s.ID, Probe: p.Name, Case: c.Name, Title: c.Title, Subject: s, Peer: s.Peer,
			Claims: []string{s.ID, s.Host + "/cpu/cpu", s.Peer + "/cpu/cpu"}, Risk: assay.Writes, Volume: s.Volume, Scratch: 1,
			Overhead: assumed, Bound: bound, Settings: map[string]string{"way": set.way},
		}
		if set.loaded {
			t.Settings["load"] = strconv.FormatInt(m.Load, 10)
		}
		if _, known := inv.Facts[s.Peer]; !known {
			t.Absent = &assay.Absence{Word: assay.Unknown, Why: s.Peer + ", to which it would be moved, could not be asked",
				Hint: "see why with: assay hosts; with --host name both hosts"}
		}
		trials = append(trials, t)
	}
	return trials, nil
}

// ends returns the hosts of a trial's way: from where, and to where.
func ends(t assay.Trial, on assay.Bench) (m migration.Move, from, to assay.Place, err error) {
	if m, err = migration.Of(t.Subject.Params); err != nil {
		return m, nil, nil, fmt.Errorf("trial %s: %w", t.ID, err)
	}
	if on.Place == nil || on.Peer == nil || on.Scratch.Bytes == 0 {
		return m, nil, nil, fmt.Errorf("trial %s: no guest was lent, or one of its hosts is missing", t.ID)
	}
	m.Copied = strings.Join(on.Scratch.Copied, ",")
	from, to = on.Place, on.Peer
	if t.Settings["way"] == Back {
		from, to = to, from
	}
	return m, from, to, nil
}

// PrepareRepeat moves the guest to where the repeat begins, if it is not there.
func (p Probe) PrepareRepeat(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	tr := assay.Transcript{Probe: p.Name, Settings: t.Settings}
	m, from, to, err := ends(t, on)
	if err != nil {
		return tr, err
	}
	h := m.Hypervisor()
	state, err := h.State(ctx, from)
	if err != nil || state == migration.Running {
		return tr, err
	}
	if state, err = h.State(ctx, to); err != nil {
		return tr, err
	}
	if state != migration.Running {
		return tr, fmt.Errorf("%s runs neither on %s nor on %s", m.Guest, from.Host().Name, to.Host().Name)
	}
	step, err := h.Migrate(ctx, to, from, false)
	step.Name = StepMigrate
	tr.Steps = append(tr.Steps, step)
	return tr, err
}

// Run moves the guest once. All queries of it come from its home host.
func (p Probe) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	tr := assay.Transcript{Probe: p.Name, Settings: t.Settings}
	m, from, to, err := ends(t, on)
	if err != nil {
		return tr, err
	}
	h := m.Hypervisor()
	ask := func(step string, at assay.Place, c assay.Cmd) error {
		if c.Argv == nil {
			return nil
		}
		out, err := at.Run(ctx, c)
		tr.Steps = append(tr.Steps, assay.Step{Name: step, Argv: c.Argv, Output: out})
		if errors.Is(err, assay.ErrNoCommand) {
			err = assay.WithHint("install what has "+c.Argv[0]+" there", "%s: %w", at.Host().Name, err)
		}
		return err
	}
	first, last := h.Around()
	if err := ask(StepLimit, from, first); err != nil {
		return tr, err
	}
	var in assay.Place
	if on.Inside != nil {
		in = on.Inside(from, p.Kind, m.Guest)
	}
	load, err := loadOf(t)
	if err != nil {
		return tr, err
	}
	asking, err := askers(ctx, m, in, on.Place, load, &tr)
	if err == nil && len(asking) > 0 {
		err = sleep.For(ctx, before)
	}
	if err == nil {
		step := StepMigrate
		if last.Argv == nil {
			step = StepMeasure
		}
		err = migrate(ctx, h, m, from, to, step, &tr)
		if len(asking) > 0 {
			_ = sleep.For(ctx, after)
		}
	}
	for _, a := range asking {
		err = errors.Join(err, a.end())
		tr.Steps = append(tr.Steps, a.step)
	}
	if err != nil {
		return tr, err
	}
	return tr, ask(StepMeasure, to, last)
}

// askers starts the queries of the guest, in which in runs commands, from a host, and gives it
// a load; there are none if it has no address.
func askers(ctx context.Context, m migration.Move, in, outside assay.Place, load int64, tr *assay.Transcript) (all []*asker, err error) {
	if m.Address == "" {
		return nil, nil
	}
	clock, err := farclock.Ask(ctx, outside, StepClock+outside.Host().Name)
	if err != nil {
		return nil, err
	}
	tr.Steps = append(tr.Steps, clock)
	a := inside(ctx, m, in, outside, load, tr)
	if a != nil {
		all = append(all, a)
	} else if load > 0 {
		return nil, assay.WithHint("it needs a guest agent that allows guest-exec, perl, and that nothing drops what "+outside.Host().Name+" asks it",
			"%s cannot be given a load: %w", m.Guest, unanswered(*tr))
	}
	p, err := ping(ctx, outside, m.Address)
	return append(all, p), err
}

// Notes says which observer is missing.
func (Probe) Notes(tr assay.Transcript) []assay.Note {
	if tr.Settings["way"] == "" {
		return nil // others ran it
	}
	if tr.Step(StepPing) == nil {
		return []assay.Note{{ID: "unseen", Text: "how long the guest gave no answer was not measured from outside: name its address under migrate: to have it asked"}}
	}
	if why := unanswered(tr); why != nil {
		return []assay.Note{{ID: "pinged", Text: "how long the guest gave no answer was measured by ping alone, not by UDP and TCP: " + why.Error()}}
	}
	return nil
}

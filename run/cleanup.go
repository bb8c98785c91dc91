package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"assay"
	"assay/internal/order"
	"assay/store"
)

// reaper is a place that can kill processes left running by a dead run.
type reaper interface {
	Reap(ctx context.Context, mark string) (int, error)
}

// taker is a kind whose release removes hosts too, as a namespace's does its
// pods.
type taker interface {
	// Takes returns the hosts that are gone once r is released, and the error that
	// commands on them return.
	Takes(r assay.Receipt) (hosts []string, gone error)
}

// outside is a kind that takes back what it lent from outside the host, even if that
// is off.
type outside interface{ WhileOff() }

// revived is a place on a removed host, which is recreated when something is
// run there.
type revived interface {
	// Gone returns the error of commands on the removed host.
	Gone() error
}

// Released is what Cleanup did about one journal entry.
type Released struct {
	Entry  store.Entry
	Killed int   // processes left by the dead run
	Err    error // why it is still there
}

// Cleanup releases whatever the journal still holds of runs that are over. It
// leaves alone what belongs to a live run and, unless kept is set, what was meant
// to stay. Entries whose release removes hosts come before anything lent on these
// hosts: the volumes of the latter then learn that the host is gone, and only one
// that left something anyway gets the place of that name.
func Cleanup(ctx context.Context, st *store.Store, places map[string]assay.Place, kinds []assay.Journalled, kept bool) ([]Released, error) {
	entries, err := st.Outstanding(ctx)
	if err != nil {
		return nil, err
	}
	c := cleaning{store: st, places: places, kinds: among(kinds, places), gone: map[tenant]error{}, held: map[tenant]error{}, mute: map[string]error{}}
	entries = slices.DeleteFunc(entries, func(e store.Entry) bool { return store.Alive(e.Owner) || e.Receipt.Kept && !kept })
	order.Stable(entries, func(a, b store.Entry) int { return cmp.Compare(c.turn(a), c.turn(b)) })
	var out []Released
	for _, e := range entries {
		out = append(out, c.release(ctx, e))
	}
	c.tidy(ctx, out)
	return out, nil
}

// tidy removes the host locks of dead runs. Pods have none.
func (c *cleaning) tidy(ctx context.Context, released []Released) {
	done := map[string]bool{}
	for _, r := range released {
		host := r.Entry.Receipt.Host
		place := c.places[host]
		if _, pod := place.(revived); pod || place == nil || r.Err != nil || done[host] {
			continue
		}
		done[host] = true
		tidy(ctx, place, holdDir)
	}
}

// Settle releases what an ending run still has on hosts that it has just
// removed itself. What cannot be released stays in the journal.
func Settle(ctx context.Context, st *store.Store, run string, gone map[string]assay.Place, kinds []assay.Journalled) error {
	entries, err := st.Outstanding(ctx)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Owner.Run != run || e.Receipt.Kept || gone[e.Receipt.Host] == nil {
			continue
		}
		if _, err := releaseEntry(ctx, e, gone[e.Receipt.Host], kinds); err != nil {
			continue
		}
		if err := st.Strike(ctx, e.Receipt.ID); err != nil {
			return err
		}
	}
	return nil
}

// tenant is a host of a run: another run may have a host of the same name.
type tenant struct{ run, host string }

// cleaning is one pass over the journal.
type cleaning struct {
	store  *store.Store
	places map[string]assay.Place
	kinds  []assay.Journalled
	gone   map[tenant]error // removed hosts, with the error of commands on them
	held   map[tenant]error // hosts that could not be removed, and why
	mute   map[string]error // hosts that did not answer: one such wait is enough
}

// turn is 0 for entries of takers, 1 for the rest.
func (c *cleaning) turn(e store.Entry) int {
	if _, takes := kindOf(c.kinds, e.Receipt.Volume).(taker); takes {
		return 0
	}
	return 1
}

func (c *cleaning) release(ctx context.Context, e store.Entry) Released {
	r := Released{Entry: e}
	r.Killed, r.Err = c.releaseWhereItIs(ctx, e)
	if r.Err == nil {
		r.Err = c.store.Strike(ctx, e.Receipt.ID)
	}
	if t, is := kindOf(c.kinds, e.Receipt.Volume).(taker); is {
		hosts, gone := t.Takes(e.Receipt)
		for _, host := range hosts {
			if r.Err == nil {
				c.gone[tenant{e.Owner.Run, host}] = gone
			} else {
				c.held[tenant{e.Owner.Run, host}] = r.Err
			}
		}
	}
	return r
}

// releaseWhereItIs releases an entry on its host or, if the host is gone, by
// what its volume knows without it.
func (c *cleaning) releaseWhereItIs(ctx context.Context, e store.Entry) (killed int, err error) {
	host := tenant{e.Owner.Run, e.Receipt.Host}
	if why := c.held[host]; why != nil {
		return 0, fmt.Errorf("host %s has not been removed yet: %w", host.host, why)
	}
	place, gone := c.places[host.host], c.gone[host]
	if r, is := place.(revived); is && gone == nil {
		gone = r.Gone()
	}
	if gone != nil {
		_, err = releaseEntry(ctx, e, absent{host.host, gone}, c.kinds)
		if err == nil || place == nil {
			return 0, withInventory(err)
		}
	}
	if _, is := kindOf(c.kinds, e.Receipt.Volume).(outside); c.mute[host.host] != nil && !is {
		return 0, c.mute[host.host]
	}
	killed, err = releaseEntry(ctx, e, place, c.kinds)
	if errors.As(err, new(mute)) {
		c.mute[host.host] = err
	}
	return killed, err
}

// mute is the error of a host that does not answer the simplest command properly.
type mute struct{ error }

func (m mute) Unwrap() error { return m.error }

func releaseEntry(ctx context.Context, e store.Entry, place assay.Place, kinds []assay.Journalled) (killed int, err error) {
	if place == nil {
		return 0, withInventory(fmt.Errorf("host %s is not reachable from here", e.Receipt.Host))
	}
	kind := kindOf(kinds, e.Receipt.Volume)
	if kind == nil {
		return 0, fmt.Errorf("this version of assay has no volume of kind %q", e.Receipt.Volume)
	}
	var reapErr error
	if r, ok := place.(reaper); ok {
		killed, reapErr = r.Reap(ctx, e.Owner.Run)
		if _, is := kind.(outside); is && errors.Is(reapErr, assay.ErrHostGone) {
			return killed, kind.Release(ctx, place, e.Receipt) // no processes to kill on a dead host
		}
		if errors.Is(reapErr, assay.ErrHostGone) || errors.Is(reapErr, assay.ErrTimeout) || errors.Is(reapErr, assay.ErrTooLong) {
			return killed, mute{reapErr}
		}
	}
	return killed, errors.Join(reapErr, kind.Release(ctx, place, e.Receipt))
}

// withInventory adds a hint on how to reach a host that has no place.
func withInventory(err error) error {
	if err == nil {
		return nil
	}
	return assay.WithHint("give the cluster.yaml that says how to reach it: assay cleanup -i cluster.yaml", "%w", err)
}

// kindOf returns the kind with that name, or the zero value.
func kindOf[T assay.Journalled](all []T, name string) (found T) {
	for _, k := range all {
		if k.Kind() == name {
			return k
		}
	}
	return found
}

// absent is the place of a removed host.
type absent struct {
	name string
	why  error
}

func (a absent) Host() assay.Host { return assay.Host{Name: a.name} }

func (a absent) Run(context.Context, assay.Cmd) (assay.Output, error) {
	return assay.Output{}, fmt.Errorf("host %s: %w", a.name, a.why)
}

func (a absent) Close() error { return nil }

package trial

import (
	"context"
	"strconv"
	"sync"
	"time"

	"assay"
	"assay/internal/quantity"
	"assay/internal/sleep"
	"assay/stacks/migration"
)

// How often the progress of a migration is checked, and how often until all disks were sent:
// only the host that the guest leaves can tell, and only while it leaves.
const (
	looks  = 2 * time.Second
	copies = looks / 8
)

// loadOf returns the load that a trial asks for, in bytes of memory per second; 0 for
// none.
func loadOf(t assay.Trial) (int64, error) {
	word := t.Settings["load"]
	if word == "" {
		return 0, nil
	}
	return strconv.ParseInt(word, 10, 64)
}

// migrate moves the guest, and gives up if that will not end: the error then says how fast the
// guest changes its memory, and how fast that is sent. name is the step's.
func migrate(ctx context.Context, h migration.Hypervisor, m migration.Move, from, to assay.Place, name string, tr *assay.Transcript) error {
	watching, stop := context.WithCancel(ctx)
	f := follower{h: h, m: m, from: from, every: looks, copies: copies}
	var given error
	var watch sync.WaitGroup
	watch.Go(func() { given = f.follow(watching) })
	step, err := h.Migrate(ctx, from, to, false)
	stop()
	watch.Wait()
	if f.copied != nil {
		tr.Steps = append(tr.Steps, *f.copied)
	}
	step.Name = name
	tr.Steps = append(tr.Steps, step)
	if err != nil && given != nil {
		err = given
	}
	return err
}

// follower checks the progress of a migration from time to time.
type follower struct {
	h             migration.Hypervisor
	m             migration.Move
	from          assay.Place
	every, copies time.Duration
	copied        *assay.Step // the first that shows that all disks were sent
}

// follow checks until ctx is done, and aborts a migration that is hopeless. The error says why
// it did; nil if it did not.
func (f *follower) follow(ctx context.Context) error {
	for {
		every := f.every
		if f.m.Copied != "" && f.copied == nil {
			every = f.copies
		}
		if sleep.For(ctx, every) != nil {
			return nil //nolint:nilerr // the migration is over
		}
		step, r, ok := f.h.Progress(ctx, f.from)
		if ok && f.copied == nil && r.Copied() {
			step.Name = StepCopied
			f.copied = &step
		}
		if !ok || !r.Hopeless() || f.h.Abort(ctx, f.from) != nil { // fails if it is over by now
			continue
		}
		return hopeless(f.h.Words(), r)
	}
}

// hopeless returns the error for a migration that will not end.
func hopeless(w migration.Words, r migration.Report) error {
	rate := func(f migration.Figure) string { return quantity.Of("migration.throughput", f.Value) }
	changes := "its memory faster than that is sent"
	if r.DirtyRate.Line > 0 && r.Speed.Line > 0 {
		changes = rate(r.DirtyRate) + " of its memory, as the hypervisor counts, and " + rate(r.Speed) + " are sent"
	}
	return assay.WithHint("move it by a faster network (network: under migrate:), give it less to do, or allow more downtime: "+w.Downtime,
		"the migration of %s does not converge: the guest changes %s; it was ended after %s, in which %s were sent of a guest of %s",
		w.Guest, changes, quantity.Of("migration.duration", r.Elapsed.Value), quantity.Of("migration.transferred", r.Transferred.Value), quantity.Of("migration.memory", r.Memory.Value))
}

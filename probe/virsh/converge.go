package virsh

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

// looks is how often it is looked how far a migration is.
const looks = 2 * time.Second

// loadOf is the load that a trial asks for, in bytes of memory per second; 0 for none.
func loadOf(t assay.Trial) (int64, error) {
	word := t.Settings["load"]
	if word == "" {
		return 0, nil
	}
	return strconv.ParseInt(word, 10, 64)
}

// migrate moves the guest, and gives up where that will not end: the error says then how fast the
// guest changes its memory, and how fast that is sent.
func migrate(ctx context.Context, m migration.Move, from assay.Place, to migration.End) (assay.Output, error) {
	watching, stop := context.WithCancel(ctx)
	var given error
	var watch sync.WaitGroup
	watch.Go(func() { given = giveUp(watching, m, from, looks) })
	out, err := m.Migrate(ctx, from, to, false)
	stop()
	watch.Wait()
	if err != nil && given != nil {
		err = given
	}
	return out, err
}

// giveUp looks now and then how far a migration is until ctx is over, and ends one that is
// hopeless. The error is why it did; nil where it did not.
func giveUp(ctx context.Context, m migration.Move, from assay.Place, every time.Duration) error {
	for sleep.For(ctx, every) == nil {
		out, err := from.Run(ctx, m.Progress())
		if err != nil || out.Exit != 0 {
			continue // who moves it will hear of that
		}
		r, ok := migration.ReadProgress(out.Stdout)
		if !ok || !r.Hopeless() || m.Abort(ctx, from) != nil { // which fails where it is over by now
			continue
		}
		return hopeless(m, r)
	}
	return nil
}

// hopeless is the error of a migration that will not end.
func hopeless(m migration.Move, r migration.Report) error {
	rate := func(f migration.Figure) string { return quantity.Of("migration.throughput", f.Value) }
	changes := "its memory faster than that is sent"
	if r.DirtyRate.Line > 0 && r.Speed.Line > 0 {
		changes = rate(r.DirtyRate) + " of its memory, as the hypervisor counts, and " + rate(r.Speed) + " are sent"
	}
	return assay.WithHint("move it by a faster network (network: under migrate:), give it less to do, or allow more downtime: virsh migrate-setmaxdowntime "+m.Guest+" MS",
		"the migration of %s does not converge: the guest changes %s; it was ended after %s, in which %s were sent of a guest of %s",
		m.Guest, changes, quantity.Of("migration.duration", r.Elapsed.Value), quantity.Of("migration.transferred", r.Transferred.Value), quantity.Of("migration.memory", r.Memory.Value))
}

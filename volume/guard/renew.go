package guard

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay"
)

// orphaned is for how long a device may be in use after contact with its host was lost:
// our own processes there, the holder among them, take 20 s to notice.
const orphaned = 30 * time.Second

// Renew implements assay.Holder. A device whose holder ended unasked is held again if it is
// the one that was lent, nobody uses it, and it bears no signature and no partition table.
// Other data of somebody's cannot be told from what benchmarks wrote.
func (v Volume) Renew(ctx context.Context, at assay.Place, r assay.Receipt) error {
	_, want, err := v.named(r)
	if err != nil {
		return err
	}
	known, is := v.lent.Load(r.ID)
	if !is {
		return fmt.Errorf("receipt %q: nothing is lent", r.ID)
	}
	lent := known.(*lending)
	if lent.held == nil {
		return nil // nothing there can hold it: see holdStill
	}
	lost := lent.held.holds(ctx, at)
	if !errors.Is(lost, errLetGo) {
		return lost
	}
	lent.held.release()
	held, err := v.holdAgain(ctx, at, want, *lent)
	switch {
	case errors.Is(err, assay.ErrHostGone):
		return err // once it is back, the next repeat tries again
	case err != nil:
		return assay.WithHint(assay.Hint(err), "block device %s on %s was let go, as when contact with a host is lost, so nothing more is written to it: %w",
			lent.file, at.Host().Name, err)
	}
	lent.held = held
	return nil
}

// holdAgain waits for our own processes to end.
func (v Volume) holdAgain(ctx context.Context, at assay.Place, want Identity, was lending) (*holder, error) {
	var held *holder
	err := untilFree(ctx, v.patience, func() error {
		facts, err := was.unclaimed(ctx, at, want)
		if err == nil {
			held, err = v.Strict().holdStill(ctx, at, want, facts)
		}
		return err
	})
	return held, err
}

// unclaimed looks at a device that was let go, and refuses one that somebody may have
// begun to use.
func (l lending) unclaimed(ctx context.Context, at assay.Place, want Identity) (Facts, error) {
	facts, err := ask(ctx, at, l.file)
	if err != nil {
		return facts, err
	}
	refused := checkDevice(want, facts)
	if refused == nil {
		// Before its contents are read: what is written meanwhile is not ours.
		refused = unused(ctx, at, l.file, "stop them")
	}
	if refused == nil {
		if err := facts.examine(ctx, at, l.seed); err != nil {
			return facts, err
		}
		refused = checkDevice(want, facts)
	}
	if refused == nil {
		refused = l.compare(facts)
	}
	if refused != nil {
		return facts, fmt.Errorf("on %s: %w", at.Host().Name, refused)
	}
	return facts, nil
}

// compare refuses a device with something on it that no benchmark writes.
func (l lending) compare(now Facts) error {
	switch {
	case now.Bytes != l.bytes:
		return now.refuse("find out who uses it", "its size changed from %d to %d bytes", l.bytes, now.Bytes)
	case len(now.Signatures) > 0 && !l.untouched(now):
		return now.refuse("find out who uses it", "it has a signature of %s, so someone else may be using it", strings.Join(now.Signatures, ", "))
	}
	return nil
}

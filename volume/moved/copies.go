package moved

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"assay"
	"assay/stacks/migration"
)

// copies records which of a guest's disks are copied into files that assay makes, and refuses
// those that the other host already has or has no room for. At home no disk is ever removed:
// when the guest returns, its current data is written into the file that it left.
func copies(ctx context.Context, away assay.Place, disks []migration.Disk, r *assay.Receipt) error {
	if len(disks) == 0 {
		return nil
	}
	if err := migration.Admit(ctx, away, disks); err != nil {
		return err
	}
	text, err := json.Marshal(disks)
	if err != nil {
		return err
	}
	r.Names[roleDisks] = string(text)
	for _, d := range disks {
		r.Bytes += d.Bytes
	}
	return nil
}

// offAway returns the error for a guest that is off where its disks were copied to: its latest
// data is there, and libvirt copies disks only of running guests.
func offAway(m migration.Move) error {
	w := m.Hypervisor().Words()
	return assay.WithHint("start it there: "+w.Start+"; then assay cleanup brings it home with its disks",
		"%s is off on %s, which alone has its disks as they are now", w.Guest, m.Away.Host)
}

// discard removes the copies of a guest's disks left on the other host. They are the guest's
// own data unless it runs at home, on its own disks, and is unknown to the other host.
func discard(ctx context.Context, l loan, home, away assay.Place) error {
	m, h := l.move, l.move.Hypervisor()
	w := h.Words()
	there, err := migration.Copied(ctx, away, l.id, l.disks)
	if err != nil || !there {
		return err
	}
	refuse := func(hint, form string, values ...any) error {
		return assay.WithHint(hint, "disk copies of %s remain on %s: %s", m.Guest, away.Host().Name, fmt.Sprintf(form, values...))
	}
	state, err := h.State(ctx, away)
	if err != nil {
		return err
	}
	if state != migration.Nowhere {
		return refuse("decide which of the two to keep; "+w.Forget+" there, then assay cleanup, removes the copies", "it has %s too, which is %s", w.Guest, state)
	}
	if state, err = h.State(ctx, home); err != nil {
		return err
	}
	if state != migration.Running && state != migration.Paused {
		return refuse(w.Start+" on "+m.Home.Host+"; if all is well with it, assay cleanup removes the copies",
			"on %s it is %s, so it is not seen to run on its own disks", m.Home.Host, state)
	}
	has, err := h.Disks(ctx, home)
	if err != nil {
		return err
	}
	for _, d := range l.disks {
		if !slices.ContainsFunc(has, func(h migration.Disk) bool { return h.Target == d.Target && h.File == d.File }) {
			return refuse("remove them by hand if they are not needed: "+d.File+" there", "on %s its disk %s is another than before", m.Home.Host, d.Target)
		}
	}
	return migration.RemoveCopies(ctx, away, l.id, l.disks)
}

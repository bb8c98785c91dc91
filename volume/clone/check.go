package clone

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"assay"
	"assay/internal/prose"
	"assay/stacks/migration"
)

// overhead is the memory that QEMU itself takes for each guest, in bytes: some 100
// MB.
const overhead = 128 << 20

// Check looks at the templates of guests that are to be made together, in their order, and
// refuses if their hypervisors lack the memory for all of them, or a storage the space that
// all their disks may grow to. It changes nothing.
func (v Volume) Check(ctx context.Context, wants []Want) ([]Template, error) {
	all := make([]Template, len(wants))
	for i, w := range wants {
		if j := slices.IndexFunc(wants[:i], w.Alike); j >= 0 {
			all[i] = all[j]
			continue
		}
		t, err := v.Look(ctx, w)
		if err != nil {
			return nil, err
		}
		all[i] = t
	}
	return all, errors.Join(v.checkMemory(ctx, wants, all), v.CheckRoom(ctx, wants, all))
}

// checkMemory adds up the memory that the guests on each host take.
func (v Volume) checkMemory(ctx context.Context, wants []Want, of []Template) error {
	var errs []error
	done := map[string]bool{}
	for _, w := range wants {
		if done[w.On] {
			continue
		}
		done[w.On] = true
		guests, need := 0, int64(0)
		for i, other := range wants {
			if other.On == w.On {
				guests, need = guests+1, need+of[i].Memory+overhead
			}
		}
		at, err := v.at(w.On)
		if err != nil {
			return err
		}
		free, err := migration.Room(ctx, at)
		if err == nil && free < need {
			err = assay.WithHint("lower count:, or memory: of a cloud image, add hosts under on:, free some memory there, or use a smaller template",
				"not enough memory on %s: the run's %s need %d MiB, and %d MiB is available", w.On, prose.Plural(guests, "guest"), need>>20, free>>20)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// store is a storage on one host, or on all.
type store struct{ host, name string }

// CheckRoom adds up what the disks in each storage may grow to, and refuses if it lacks the
// space.
func (v Volume) CheckRoom(ctx context.Context, wants []Want, of []Template) error {
	needs := map[store]int64{}
	var errs []error
	var order []store
	at := map[store]Want{}
	for i, w := range wants {
		for _, d := range of[i].Disks {
			s := store{w.On, d.Storage}
			if d.Shared {
				s.host = ""
			}
			if needs[s] == 0 {
				order, at[s] = append(order, s), w
			}
			needs[s] += d.Bytes
		}
	}
	for _, s := range order {
		w := at[s]
		there, err := v.at(w.On)
		if err != nil {
			return err
		}
		free, size, err := kindOf(w.Kind).room(ctx, there, s.name)
		if keep := assay.KeepFree(size); err == nil && free-keep < needs[s] {
			err = assay.WithHint("lower count:, or disk: of a cloud image, free some space there, or use a template with smaller disks",
				"%w in storage %s of %s: the disks of the run's guests may grow to %d MiB, and %d MiB are available; assay leaves %d MiB unused",
				assay.ErrNoSpace, s.name, w.On, needs[s]>>20, free>>20, keep>>20)
		} else if err != nil {
			err = fmt.Errorf("storage %s: %w", s.name, err)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

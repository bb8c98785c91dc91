package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"assay"
	"assay/lab/faults/guests"
)

// What of suite cluster to measure on emulated machines, which take seconds to start
// anything.
var guestShares = shares{
	links: share{[]string{"--only", "iperf3"}, 180 * time.Second},
	hosts: share{[]string{"--skip", "iperf3,soak,device-randread-4k"}, 150 * time.Second},
	whole: share{[]string{"--skip", "soak,device-randread-4k"}, 230 * time.Second},
}

// guestsBoot is how long machines may take to boot.
const guestsBoot = 10 * time.Minute

// measureDiagnosisGuests is measureDiagnosis with machines in QEMU, which boot once.
// It is measured only if named: it takes an hour.
func measureDiagnosisGuests(ctx context.Context, w wish, _ string, say func(string)) (rows []row, notes []string, err error) {
	const name = "diagnosis-guests"
	if w.only == "" {
		return []row{{what: name, missing: "only measured by its name, since it takes an hour"}}, nil, nil
	}
	if why := guests.Missing(); why != nil {
		missing := why.Error()
		if hint := assay.Hint(why); hint != "" {
			missing += "; " + hint
		}
		return []row{{what: name, missing: missing}}, nil, nil
	}
	kinds, err := guests.Kinds()
	if err != nil {
		return nil, nil, err
	}
	w.matrix.out += "-guests"
	var bed *guests.Bed // from the first case on
	defer func() {
		if bed != nil {
			err = errors.Join(err, bed.Down())
		}
	}()
	plant := func(ctx context.Context, d diagnosis, t measured) (string, func(context.Context) error, error) {
		undo := func(ctx context.Context) error {
			err := bed.Undo(ctx)
			if err != nil { // its state is unknown: the next case has another
				err = errors.Join(err, bed.Down())
				bed = nil
			}
			return err
		}
		if bed == nil {
			up, err := bootGuests(ctx, filepath.Join(d.matrix.out, "bed"), d)
			if err != nil {
				return "", nil, err
			}
			bed = up
		}
		if err := bed.Plant(ctx, t.Case); err != nil {
			return "", nil, errors.Join(err, undo(ctx))
		}
		return bed.File, undo, nil
	}
	return nil, nil, diagnosis{
		wish: w, kinds: kinds, say: say,
		ground: ground{name: name, hosts: guests.Hosts, checks: 1, shares: guestShares, boots: guestsBoot, plant: plant},
	}.measure(ctx)
}

// bootGuests boots machines where an earlier bench may have been interrupted, which
// ends QEMU but leaves its files.
func bootGuests(ctx context.Context, dir string, d diagnosis) (*guests.Bed, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, err
	}
	return guests.Up(ctx, dir, d.kinds)
}

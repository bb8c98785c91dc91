package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/user"
	"slices"
	"sync"

	"assay"
	placeall "assay/place/all"
	"assay/run"
	"assay/store"
)

const hintBusy = "wait until it has finished: concurrent runs would distort each other's results"

// claim reserves the hosts for this run: in the store, where one look shows who
// has them, and on the hosts, against runs with another store. The notes name
// hosts that cannot be held.
func (s *Session) claim(ctx context.Context) (release func(), notes []assay.Note, err error) {
	var undo []func()
	all := func() {
		for _, f := range slices.Backward(undo) {
			f()
		}
	}
	defer func() {
		if err != nil {
			all()
		}
	}()
	places := s.places()
	hosts := slices.Sorted(maps.Keys(places))
	for _, host := range hosts {
		if err := s.store.Claim(ctx, host, s.owner, store.Alive); err != nil {
			if errors.Is(err, assay.ErrBusy) {
				err = assay.WithHint(hintBusy, "%w", err)
			}
			return nil, nil, err
		}
		undo = append(undo, func() { _ = s.store.Unclaim(context.WithoutCancel(ctx), host, s.owner) })
	}
	if s.options.Cluster == "" {
		// Not through a recorded place: the hold is not part of the measurement.
		hosts = []string{thisHost()}
		places = map[string]assay.Place{thisHost(): placeall.Local(thisHost(), s.id)}
	}
	who := describe(s.owner)
	hosts = slices.DeleteFunc(hosts, func(host string) bool { return s.isPod(host) || s.clones.Has(host) }) // only this run has those
	hosts = slices.DeleteFunc(hosts, func(host string) bool {
		windows := places[host].Host().OS == assay.Windows
		if windows {
			notes = append(notes, assay.Note{ID: "lease", Text: host + " runs Windows, where no lock keeps other runs off: only runs with this database are"})
		}
		return windows
	})
	holds := holdAll(ctx, places, hosts, who)
	undo = append(undo, func() { freeAll(holds) })
	for i, host := range hosts {
		switch err := holds[i].err; {
		case err == nil && holds[i].beside != "":
			notes = append(notes, assay.Note{ID: "lease", Text: fmt.Sprintf("%s is also claimed by %s, which may disturb this run", host, holds[i].beside)})
		case err == nil:
		case ctx.Err() != nil || errors.Is(err, assay.ErrBusy):
			return nil, nil, explainHold(err, who)
		default: // the run will find the cause and report it
			notes = append(notes, assay.Note{ID: "lease", Text: "cannot keep other runs off " + host + ": " + err.Error()})
		}
	}
	return all, notes, nil
}

// held is a held host, or why it is not.
type held struct {
	free   func()
	beside string // who else claims it
	err    error
}

// holdAll holds all hosts concurrently.
func holdAll(ctx context.Context, places map[string]assay.Place, hosts []string, who string) []held {
	holds := make([]held, len(hosts))
	var all sync.WaitGroup
	for i, host := range hosts {
		all.Go(func() { holds[i].free, holds[i].beside, holds[i].err = run.Hold(ctx, places[host], who) })
	}
	all.Wait()
	return holds
}

// freeAll releases all hosts concurrently.
func freeAll(holds []held) {
	var all sync.WaitGroup
	for _, h := range holds {
		if h.free != nil {
			all.Go(h.free)
		}
	}
	all.Wait()
}

// describe is how other runs see the one that has a host.
func describe(o store.Owner) string {
	name := "somebody"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return fmt.Sprintf("run %s of %s@%s, process %d", o.Run, name, thisHost(), os.Getpid())
}

// explainHold tells apart a machine that another run has and one that this run
// lists under two names.
func explainHold(err error, me string) error {
	var taken *run.TakenError
	switch {
	case !errors.As(err, &taken):
		return err
	case taken.By == me:
		return invalid(assay.WithHint("list each machine once in the cluster.yaml", "host %s is the same machine as another host of this run", taken.Host))
	}
	return assay.WithHint(hintBusy, "%w", err)
}

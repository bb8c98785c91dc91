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

const hintBusy = "wait until it has ended: two runs at once would measure each other"

// claim takes the hosts for this run alone: in the store, where one look tells
// who has them, and on the hosts, against runs that keep another store. The notes
// name hosts on which nothing can be held.
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
		// Not through a place that is recorded: holding is none of what is measured.
		hosts = []string{thisHost()}
		places = map[string]assay.Place{thisHost(): placeall.Local(thisHost(), s.id)}
	}
	who := describe(s.owner)
	hosts = slices.DeleteFunc(hosts, s.isPod) // those are this run's alone
	frees, errs := holdAll(ctx, places, hosts, who)
	undo = append(undo, func() { freeAll(frees) })
	for i, host := range hosts {
		switch err := errs[i]; {
		case err == nil:
		case ctx.Err() != nil || errors.Is(err, assay.ErrBusy):
			return nil, nil, explainHold(err, who)
		default: // the run will find out what is wrong there, and say so
			notes = append(notes, assay.Note{ID: "lease", Text: "nothing keeps another run off " + host + ": " + err.Error()})
		}
	}
	return all, notes, nil
}

// holdAll holds all hosts at the same time.
func holdAll(ctx context.Context, places map[string]assay.Place, hosts []string, who string) (frees []func(), errs []error) {
	frees, errs = make([]func(), len(hosts)), make([]error, len(hosts))
	var all sync.WaitGroup
	for i, host := range hosts {
		all.Go(func() { frees[i], errs[i] = run.Hold(ctx, places[host], who) })
	}
	all.Wait()
	return frees, errs
}

// freeAll gives all hosts back at the same time.
func freeAll(frees []func()) {
	var all sync.WaitGroup
	for _, free := range frees {
		if free != nil {
			all.Go(free)
		}
	}
	all.Wait()
}

// describe is what other runs are told of the one that has a host.
func describe(o store.Owner) string {
	name := "somebody"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return fmt.Sprintf("run %s of %s@%s, process %d", o.Run, name, thisHost(), os.Getpid())
}

// explainHold tells a machine that another run has from one that this run knows
// by two names.
func explainHold(err error, me string) error {
	var taken *run.TakenError
	switch {
	case !errors.As(err, &taken):
		return err
	case taken.By == me:
		return invalid(assay.WithHint("name each machine once in the cluster.yaml", "host %s is another host of this run under another name", taken.Host))
	}
	return assay.WithHint(hintBusy, "%w", err)
}

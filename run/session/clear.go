package session

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay"
	placeall "assay/place/all"
	"assay/run"
	"assay/store"
	volumeall "assay/volume/all"
)

// clearing bounds how long a run may be delayed by removing what killed runs
// left, each of the two times: Cleanup does the rest.
const clearing = 5 * time.Minute

// cleanUpAfterOthers releases what killed runs left on the hosts of this run,
// unless makeRoom did, and reports whether it removed anything.
func (s *Session) cleanUpAfterOthers(ctx context.Context) (removed bool) {
	here, places := thisHost(), s.places()
	if places[here] == nil {
		places[here] = placeall.Local(here, "") // where namespaces are lent
	}
	tried := slices.DeleteFunc(s.tried, func(r run.Released) bool { return r.Err == nil || r.Entry.Receipt.Host != here })
	dead := s.leftByOthers(ctx)
	if slices.ContainsFunc(dead, func(e store.Entry) bool {
		return !slices.ContainsFunc(tried, func(r run.Released) bool { return r.Entry.Receipt.ID == e.Receipt.ID })
	}) {
		tried = s.clear(ctx, places)
	}
	for _, r := range tried {
		if r.Err == nil {
			removed = true
		} else {
			s.note(fmt.Sprintf("an earlier run left %s behind: %v", r.Entry.Receipt.Subject, r.Err))
		}
	}
	return removed
}

// makeRoom releases what killed runs still hold of the Kubernetes before pods of
// this run are made: claims, quota, room on nodes. What needs a host for its
// release is left until this run has the hosts; failures are reported then.
func (s *Session) makeRoom(ctx context.Context) []run.Released {
	if len(s.leftByOthers(ctx)) == 0 {
		return nil
	}
	here := thisHost()
	s.note(fmt.Sprintf("cleaning up after interrupted runs, for at most %s", clearing))
	return s.clear(ctx, map[string]assay.Place{here: placeall.Local(here, "")})
}

// leftByOthers returns the journal entries that no run needs any more.
func (s *Session) leftByOthers(ctx context.Context) []store.Entry {
	entries, err := s.store.Outstanding(ctx)
	if err != nil {
		s.note(fmt.Sprintf("cannot read the journal: %v", err))
	}
	return slices.DeleteFunc(entries, func(e store.Entry) bool { return store.Alive(e.Owner) || e.Receipt.Kept })
}

// clear releases what it can and reports it.
func (s *Session) clear(ctx context.Context, places map[string]assay.Place) []run.Released {
	ctx, cancel := context.WithTimeout(ctx, clearing)
	defer cancel()
	released, err := run.Cleanup(ctx, s.store, places, volumeall.Journalled(), false)
	if err != nil {
		s.note(fmt.Sprintf("cannot read the journal: %v", err))
	}
	for _, r := range released {
		restores := Restores(r.Entry.Receipt)
		switch {
		case r.Err != nil:
		case restores != "":
			s.note(fmt.Sprintf("restored %s, which the interrupted run %s had changed", restores, r.Entry.Owner.Run))
		default:
			s.note(fmt.Sprintf("removed what the interrupted run %s left in %s", r.Entry.Owner.Run, r.Entry.Receipt.Subject))
		}
	}
	return released
}

package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"assay"
	"assay/audit"
	"assay/plan"
	"assay/plan/suite"
	"assay/run"
	"assay/store"
	volumeall "assay/volume/all"
)

// Plan looks at the hosts and returns what a run would do. It makes nothing, and
// ends the session.
func (s *Session) Plan(ctx context.Context) (p plan.Plan, err error) {
	defer func() {
		if cerr := s.Close(ctx); err != nil {
			err = errors.Join(err, cerr)
		}
	}()
	look := s.look
	if s.deployment != nil {
		look = s.predict
	}
	if err := look(ctx); err != nil {
		return plan.Plan{}, err
	}
	return s.plan()
}

// plan makes the plan of a new run.
func (s *Session) plan() (plan.Plan, error) {
	o := s.options.Plan
	if o.Seed == 0 {
		o.Seed = time.Now().UnixNano()
	}
	p, err := plan.Make(s.inventory, s.options.Suite, s.probes, o)
	if err != nil {
		return p, invalid(err)
	}
	if s.options.Replay != "" {
		p.Exactly() // a recording has no more repeats than were made
	}
	return p, nil
}

// Run measures, audits and stores, and ends the session: what was made for the run
// is gone when it returns, but for what Left names. The run holds whatever was
// measured, also where the error is not nil; without an ID it never began.
//
// After a cancellation the run is interrupted and the error is ctx's. Where another
// run has a host, the error matches assay.ErrBusy.
func (s *Session) Run(ctx context.Context, st *store.Store) (measured assay.Run, err error) {
	s.store = st
	defer func() { s.leave(context.WithoutCancel(ctx), &measured) }()
	if s.owner, err = store.Self(s.id); err != nil {
		return assay.Run{}, err
	}
	if err := s.deploy(ctx); err != nil {
		return assay.Run{}, err
	}
	if err := s.look(ctx); err != nil {
		return assay.Run{}, err
	}
	p, err := s.ready(ctx)
	if err != nil {
		return assay.Run{}, err
	}
	return s.carryOut(ctx, p)
}

// ready checks that the hosts are fit to be measured, and returns the plan.
func (s *Session) ready(ctx context.Context) (plan.Plan, error) {
	if s.before != nil {
		return s.before.ready(s)
	}
	if err := s.checkDirs(); err != nil {
		return plan.Plan{}, err
	}
	if s.options.Install {
		lacking, err := s.install(ctx, []suite.Suite{s.options.Suite})
		if err != nil {
			return plan.Plan{}, err
		}
		if lacking > 0 && lacking == len(s.places()) {
			return plan.Plan{}, ErrToolsMissing
		}
	}
	return s.plan()
}

// carryOut carries the plan out, from the claim on the hosts to the last finding in
// the store.
func (s *Session) carryOut(ctx context.Context, p plan.Plan) (assay.Run, error) {
	notes, release, err := s.clearTheWay(ctx)
	if err != nil {
		return assay.Run{}, err
	}
	defer release()
	head, err := s.begin(ctx, p, append(notes, s.tierNotes()...))
	if err != nil {
		return assay.Run{}, err
	}
	s.tell(Event{Progress: Progress{Kind: EventPlan}, Plan: &p, Inventory: &s.inventory})
	engine := run.Engine{
		Places: s.places(), Probes: s.probes, Volumes: volumeall.Volumes(),
		Away: s.down, Store: s.store, Owner: s.owner, Keep: s.options.Keep,
		Tell: func(p Progress) { s.tell(Event{Progress: p}) },
	}
	if s.before != nil {
		engine.Now, engine.Names = s.inventory.Facts, s.before.deviceNames(s.inventory)
	}
	measured, err := engine.Run(ctx, p, head)
	s.tell(Event{Progress: Progress{Kind: EventOver}})
	s.judge(context.WithoutCancel(ctx), &measured)
	return measured, err
}

// clearTheWay has the hosts for this run alone, without what killed runs left
// there. A recording needs neither: it can remove nothing here and disturbs nobody.
func (s *Session) clearTheWay(ctx context.Context) (notes []assay.Note, release func(), err error) {
	if s.options.Replay != "" {
		note := assay.Note{ID: "replay", Text: "replayed from " + s.options.Replay + ": nothing was measured now"}
		return []assay.Note{note}, func() {}, nil
	}
	release, notes, err = s.claim(ctx)
	if err != nil {
		return nil, nil, err
	}
	s.cleanUpAfterOthers(ctx)
	return notes, release, nil
}

// begin stores the head of the run.
func (s *Session) begin(ctx context.Context, p plan.Plan, notes []assay.Note) (assay.Run, error) {
	if s.before != nil {
		return s.before.reopen(ctx, s.store, p, notes)
	}
	head := assay.Run{
		ID: s.id, Suite: p.Suite, Version: s.options.Version, Started: time.Now(), Status: assay.RunRunning,
		Seed: p.Seed, Budget: p.Budget, Inventory: s.inventory, Notes: notes,
	}
	return head, s.store.Begin(ctx, head)
}

// judge audits what was measured and stores what the audit found.
func (s *Session) judge(ctx context.Context, measured *assay.Run) {
	if measured.Status == assay.RunDone && measured.Inventory.LacksHosts() {
		measured.Status = assay.RunPartial // the others stand
		s.finish(ctx, *measured)
	}
	measured.Findings = audit.Audit(audit.Of(*measured))
	if err := s.store.SetFindings(ctx, measured.ID, measured.Findings); err != nil {
		s.note(fmt.Sprintf("the findings could not be stored: %v", err))
	}
}

// finish stores how the run ended.
func (s *Session) finish(ctx context.Context, r assay.Run) {
	if err := s.store.Finish(ctx, r.ID, r.Status, r.Elapsed, r.Notes); err != nil {
		s.note(fmt.Sprintf("the end of the run could not be stored: %v", err))
	}
}

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

// Plan examines the hosts and returns what a run would do. It makes nothing, and
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

// seed returns the requested seed, or else one from the clock.
func seed(o plan.Options) int64 {
	if o.Seed != 0 {
		return o.Seed
	}
	return time.Now().UnixNano()
}

// plan makes the plan of a new run.
func (s *Session) plan() (plan.Plan, error) {
	if s.like != nil {
		p, err := s.like.ready(s)
		p.Notes = append(p.Notes, s.foreseen...)
		return p, err
	}
	o := s.options.Plan
	o.Seed = seed(o)
	p, err := plan.Make(s.inventory, s.options.Suite, s.probes, o)
	if err != nil {
		return p, invalid(err)
	}
	p.Notes = append(p.Notes, s.foreseen...)
	if s.options.Replay != "" {
		p.Exactly() // a recording has no further repeats
	}
	return s.endure(p)
}

// Run measures, audits and stores, and ends the session. When it returns, everything
// created for the run has been removed, except what Left names. The returned run holds
// whatever was measured, even if the error is not nil; without an ID it never began.
//
// If ctx is cancelled, the run is interrupted and the error is ctx's. If another run
// holds a host, the error matches assay.ErrBusy.
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
	if err := s.equip(ctx); err != nil {
		return assay.Run{}, err
	}
	notes, release, err := s.clearTheWay(ctx)
	if err != nil {
		return assay.Run{}, err
	}
	defer release()
	p, err := s.ready()
	if err != nil {
		return assay.Run{}, err
	}
	if s.before != nil || s.like != nil {
		if p, err = s.withSubjectsOfNow(p); err != nil {
			return assay.Run{}, err
		}
	}
	for _, n := range p.Notes {
		if n.ID == noteEndurance { // before anybody confirms it
			s.tell(Event{Progress: Progress{Kind: EventNote, Text: n.Text}})
		}
	}
	if p, err = s.confirmed(ctx, p); err != nil {
		return assay.Run{}, err
	}
	return s.carryOut(ctx, p, notes)
}

// equip checks that the hosts can be measured, and installs what they lack, holding
// them meanwhile.
func (s *Session) equip(ctx context.Context) error {
	if s.before != nil {
		return nil
	}
	if err := s.checkDirs(); err != nil {
		return err
	}
	if !s.options.Install {
		return nil
	}
	lacking, err := s.install(ctx, []suite.Suite{s.options.Suite})
	if err == nil && lacking > 0 && lacking == len(s.places()) {
		err = ErrToolsMissing
	}
	return err
}

// ready returns the plan.
func (s *Session) ready() (plan.Plan, error) {
	if s.before != nil {
		return s.before.ready(s)
	}
	return s.plan()
}

// carryOut carries out the plan, from the head of the run to the last finding in the
// store.
func (s *Session) carryOut(ctx context.Context, p plan.Plan, notes []assay.Note) (assay.Run, error) {
	head, err := s.begin(ctx, p, append(notes, s.tierNotes()...))
	if err != nil {
		return assay.Run{}, err
	}
	s.tell(Event{Progress: Progress{Kind: EventPlan}, Plan: &p, Inventory: &s.inventory})
	engine := run.Engine{
		Places: s.places(), Inside: inside, Probes: s.probes, Volumes: volumeall.Volumes(),
		Away: s.down, Store: s.store, Owner: s.owner, Keep: s.options.Keep, Recorded: s.options.Replay != "",
		Tell: func(p Progress) { s.tell(Event{Progress: p}) },
	}
	if s.before != nil {
		engine.Now, engine.Names = s.inventory.Facts, s.before.deviceNames(s.inventory)
	}
	if s.options.Investigate {
		engine.Investigate = s.investigate
	}
	measured, err := engine.Run(ctx, p, head)
	s.tell(Event{Progress: Progress{Kind: EventOver}})
	s.compareSizes(context.WithoutCancel(ctx), &measured)
	s.judge(context.WithoutCancel(ctx), &measured)
	return measured, err
}

// clearTheWay reserves the hosts for this run, removes what killed runs left there,
// and refreshes the facts afterwards: sizes depend on the free space. A replay needs
// none of it: it can remove nothing here and disturbs nobody.
func (s *Session) clearTheWay(ctx context.Context) (notes []assay.Note, release func(), err error) {
	if s.options.Replay != "" {
		note := assay.Note{ID: "replay", Text: "replayed from " + s.options.Replay + ": nothing was measured now"}
		return []assay.Note{note}, func() {}, nil
	}
	release, notes, err = s.claim(ctx)
	if err != nil {
		return nil, nil, err
	}
	if s.cleanUpAfterOthers(ctx) {
		err = s.look(ctx)
	}
	if err != nil {
		release()
		return nil, nil, err
	}
	return notes, release, nil
}

// begin stores the head of the run.
func (s *Session) begin(ctx context.Context, p plan.Plan, notes []assay.Note) (assay.Run, error) {
	if s.before != nil {
		return s.before.reopen(ctx, s.store, p, notes)
	}
	head := assay.Run{
		ID: s.id, Suite: p.Suite, Version: s.options.Version, Started: time.Now(), Status: assay.RunRunning,
		Seed: p.Seed, Budget: p.Budget, Inventory: s.inventory, Notes: notes, Labels: s.options.Labels,
	}
	return head, s.store.Begin(ctx, head)
}

// judge audits the results and stores the findings.
func (s *Session) judge(ctx context.Context, measured *assay.Run) {
	if measured.Status == assay.RunDone && measured.Inventory.LacksHosts() {
		measured.Status = assay.RunPartial // the others stand
		s.finish(ctx, *measured)
	}
	measured.Findings = audit.Audit(audit.Of(*measured))
	if err := s.store.SetFindings(ctx, measured.ID, measured.Findings); err != nil {
		s.note(fmt.Sprintf("cannot store the findings: %v", err))
	}
}

// finish stores how the run ended.
func (s *Session) finish(ctx context.Context, r assay.Run) {
	if err := s.store.Finish(ctx, r.ID, r.Status, r.Elapsed, r.Notes); err != nil {
		s.note(fmt.Sprintf("cannot store the end of the run: %v", err))
	}
}

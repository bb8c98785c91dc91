package plan

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"assay"
	"assay/plan/suite"
)

// ErrNotMeasured means that a run has no plan to repeat: its figures were read
// from the output of others.
var ErrNotMeasured = errors.New("has no plan")

// roomy is how many times longer than in the earlier run readying a scratch space may
// take before the space is made smaller.
const roomy = 3

// Like plans an earlier run once more: its trials in its suite's order, each as long,
// on a scratch space as large, and with at least as many repeats as were planned then.
// Repeats are added as they were, until figures are known. Of o, only the seed of the
// order and the budget count: 0 is the run's own, and never less than the plan costs.
//
// A trial that could not be measured then is not measured now: nothing could be
// compared with it. One whose host went away during the run was planned, so it is
// measured.
func Like(run assay.Run, s suite.Suite, probes []assay.Probe, o Options) (Plan, error) {
	if o.Budget < 0 {
		return Plan{}, fmt.Errorf("time budget %s: cannot be negative", o.Budget)
	}
	p := Plan{Suite: run.Suite, Title: s.Title, Seed: o.Seed, Prepare: roomy * readying(run.Budget)}
	planned := 0
	for _, r := range run.Results {
		if r.Trial.Decides != "" {
			continue // it concerned that run's findings
		}
		t, err := asPlanned(r)
		switch {
		case err != nil:
			return Plan{}, fmt.Errorf("run %s: %w", run.ID, err)
		case t.Absent != nil:
			why := *t.Absent
			why.Why = fmt.Sprintf("not measured in run %s: %s", run.ID, why.Why)
			t.Absent = &why
		case t.From != "" || t.Repeats == 0:
			return Plan{}, assay.WithHint("choose a run that assay measured: assay runs", "run %s %w: its figures are those of %s", run.ID, ErrNotMeasured, t.From)
		default:
			planned++
		}
		p.Trials = append(p.Trials, asLarge(t, r.Scratch, probes))
	}
	if planned == 0 {
		return Plan{}, assay.WithHint("choose another: assay runs", "run %s %w: it measured nothing", run.ID, ErrNotMeasured)
	}
	p.Precision = wanted(p.Trials)
	p.Schedule = schedule(p.Trials, p.Seed)
	p.Estimate = p.cost()
	p.Budget = cmp.Or(o.Budget, max(run.Budget, enough(p.Estimate)))
	if p.Budget < p.Estimate {
		p.Notes = append(p.Notes, assay.Note{ID: "budget", Text: fmt.Sprintf(
			"%s is too short for the plan of run %s, which takes about %s; repeats that do not fit are left out",
			p.Budget, run.ID, p.Estimate.Round(time.Second))})
	}
	return p, nil
}

// asLarge returns t on a scratch space as large as was.
func asLarge(t assay.Trial, was assay.Scratch, probes []assay.Probe) assay.Trial {
	if t.Scratch == 0 || was.Bytes == 0 {
		return t
	}
	if s := sizer(t.Probe, probes); s != nil {
		return s.Sized(t, was)
	}
	return t
}

// sizer returns the probe of that name if it chooses sizes itself; else nil.
func sizer(name string, probes []assay.Probe) assay.Sizer {
	for _, p := range probes {
		if s, is := p.(assay.Sizer); is && p.Spec().Name == name {
			return s
		}
	}
	return nil
}

// asked returns a case whose files have the requested size instead of one that the suite
// fixes, so that this size is checked for fit.
func asked(c assay.Case, bytes int64, probes []assay.Probe) assay.Case {
	if bytes == 0 || c.Set["size"] == "" || c.On == assay.KindDrive || sizer(c.Probe, probes) == nil {
		return c
	}
	c.Set = maps.Clone(c.Set)
	c.Set["size"] = strconv.FormatInt(bytes, 10)
	return c
}

// Present returns an earlier run's plan for the machines as they are: subjects stand on
// what they stand on now, and trials that lack their tool are absent. A host, directory
// or device that is gone and a device of another size are errors; anything else that is
// gone (a sensor, a drive without data) is absent. Trials of a host that cannot be
// asked are left to the run.
func (p Plan) Present(was, is assay.Inventory, probes []assay.Probe) (Plan, error) {
	trials := p.Trials
	p.Trials = nil
	for _, t := range trials {
		if t.Absent == nil {
			var err error
			if t, err = present(t, was, is, probes); err != nil {
				return Plan{}, err
			}
		}
		p.Trials = append(p.Trials, t)
	}
	p.Schedule = schedule(p.Trials, p.Seed)
	p.Estimate = p.cost()
	return p, nil
}

func present(t assay.Trial, was, is assay.Inventory, probes []assay.Probe) (assay.Trial, error) {
	host := t.Subject.Host
	if !slices.ContainsFunc(is.Hosts, func(h assay.Host) bool { return h.Name == host }) {
		return t, fmt.Errorf("host %s: %w", host, assay.ErrNotFound)
	}
	facts, asked := is.Facts[host]
	if !asked {
		return t, nil
	}
	at := slices.IndexFunc(is.Subjects, func(s assay.Subject) bool { return s.ID == t.Subject.ID })
	switch kind := t.Subject.Kind; {
	case at >= 0:
		t.Subject = is.Subjects[at]
	case kind == assay.KindDirectory || kind == assay.KindDevice || kind == assay.KindBlock || kind == assay.KindImage:
		return t, fmt.Errorf("%s %s on %s: %w", kind, t.Subject.Name, host, assay.ErrNotFound)
	default:
		t.Absent = &assay.Absence{Word: assay.Unknown, Why: fmt.Sprintf("%s has no %s %s any more", host, kind, t.Subject.Name)}
		return t, nil
	}
	before, now := was.Facts[host].DeviceAt(t.Subject.Name), facts.DeviceAt(t.Subject.Name)
	if before != nil && now != nil && before.Bytes != now.Bytes {
		return t, fmt.Errorf("device %s on %s has another size: it had %d B, and has %d B", t.Subject.Name, host, before.Bytes, now.Bytes)
	}
	for _, one := range probes {
		if one.Spec().Name == t.Probe {
			t.Absent = unable(is, t, one.Spec())
		}
	}
	return t, nil
}

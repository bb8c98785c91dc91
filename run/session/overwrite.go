package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"assay"
	"assay/inventory/cluster"
	"assay/plan"
	"assay/volume/device"
	"assay/volume/stopped"
)

// Overwritten describes a device that a run is about to overwrite, for whoever
// confirms it. If the device holds data, there is a second question.
type Overwritten struct {
	device.Look
	// OfData means that the question is whether the data on it may be lost.
	OfData bool
}

// overwritten returns the devices of this machine that the target names.
func (t Target) overwritten() ([]assay.Subject, error) {
	var all []assay.Subject
	for _, words := range t.Overwrite {
		d, err := device.Read(words)
		if err != nil {
			return nil, invalidf("--overwrite %s: %w", words, err)
		}
		s := d.Subject(thisHost())
		if slices.ContainsFunc(all, func(other assay.Subject) bool { return other.ID == s.ID }) {
			return nil, invalidf("--overwrite %s is there twice", s.Name)
		}
		all = append(all, s)
	}
	if len(all) > 0 && t.Replay != "" {
		return nil, invalidf("--overwrite and --replay are mutually exclusive")
	}
	return all, nil
}

// blocksOf returns the devices of a host that the file allows to be
// overwritten.
func blocksOf(h cluster.Host) []assay.Subject {
	var all []assay.Subject
	for _, d := range h.Measure.Overwrite {
		all = append(all, d.Subject(h.Name))
	}
	return all
}

// confirmed returns a plan whose devices may be overwritten, and whose services may be
// stopped. An earlier run's confirmation does not count: only the target of this run names
// what is meant, and only its words, or an answer now, confirm it.
func (s *Session) confirmed(ctx context.Context, p plan.Plan) (plan.Plan, error) {
	p.Trials = slices.Clone(p.Trials)
	asked := map[string]assay.Subject{}
	var refused []error
	confirm := func(of *assay.Subject) {
		may := map[string]func(context.Context, string) (assay.Subject, error){device.Kind: s.mayOverwrite, stopped.Kind: s.mayStop}[of.Volume]
		if may == nil {
			return
		}
		now, known := asked[of.ID]
		if !known {
			var err error
			if now, err = may(ctx, of.ID); err != nil {
				refused = append(refused, err)
			}
			asked[of.ID] = now
		}
		*of = now
	}
	for i := range p.Trials {
		t := &p.Trials[i]
		if t.Absent != nil || s.down[t.Subject.Host] != nil {
			continue
		}
		confirm(&t.Subject)
		t.Others = slices.Clone(t.Others)
		for n := range t.Others {
			confirm(&t.Others[n])
		}
	}
	return p, errors.Join(refused...)
}

// mayOverwrite returns the subject of a device that may be overwritten, or why it may not.
func (s *Session) mayOverwrite(ctx context.Context, id string) (assay.Subject, error) {
	at := slices.IndexFunc(s.inventory.Subjects, func(other assay.Subject) bool { return other.ID == id })
	if at < 0 {
		return assay.Subject{}, invalid(assay.WithHint("name it again: with --overwrite, or under measure: overwrite: in the cluster.yaml", "%s is not among the devices that may be overwritten", id))
	}
	subject := s.inventory.Subjects[at]
	look, err := device.Examine(ctx, s.places()[subject.Host], subject)
	if err != nil {
		return subject, invalid(err)
	}
	declined := func(key, what string) error {
		return invalid(assay.WithHint(fmt.Sprintf("answer on a terminal, or repeat its serial: %s=%s with --overwrite, %[1]s: %[2]s in a cluster.yaml", key, look.Named),
			"%s on %s is not overwritten: nobody confirmed that %s", look.Path, look.Host, what))
	}
	if look.Asked && !s.ask(ctx, Overwritten{look, false}) {
		return subject, declined("confirm", "it may be")
	}
	if look.AskedData && !s.ask(ctx, Overwritten{look, true}) {
		return subject, declined("lose-data", "what is on it may be lost ("+look.Data+")")
	}
	return device.Confirmed(subject, look)
}

func (s *Session) ask(ctx context.Context, what Overwritten) bool {
	return s.options.ConfirmOverwrite != nil && s.options.ConfirmOverwrite(ctx, what)
}

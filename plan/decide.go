package plan

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"assay"
	"assay/plan/suite"
)

// Wanted is a case of suite.Deciders to measure on some subjects, to find out which
// is at fault.
type Wanted struct {
	Case     string
	Set      map[string]string // overrides the case's own
	Subjects []string          // their ids
	Decides  string            // as in assay.Trial
}

// Decide returns the wanted trials, each subject and case once, on scratch spaces as large
// as those that the run has. What cannot be measured is left out: nobody planned it, so
// nobody misses it. It fails if a case is unknown.
func Decide(inv assay.Inventory, run assay.Run, wanted []Wanted, probes []assay.Probe) ([]assay.Trial, error) {
	s := suite.Deciders()
	var all []assay.Trial
	for _, w := range wanted {
		i := slices.IndexFunc(s.Cases, func(c assay.Case) bool { return c.Name == w.Case })
		if i < 0 {
			return nil, fmt.Errorf("no case %s decides anything", w.Case)
		}
		c := s.Cases[i]
		c.Set = maps.Clone(c.Set)
		maps.Copy(c.Set, w.Set)
		trials, err := trialsOf(inv, c, probes)
		if err != nil {
			return nil, err
		}
		for _, t := range trials {
			there := slices.ContainsFunc(all, func(other assay.Trial) bool { return other.ID == t.ID })
			if t.Absent != nil || there || !slices.Contains(w.Subjects, t.Subject.ID) {
				continue
			}
			t = asLarge(t, spaceOf(run, t), probes)
			dress(&t, c, inv)
			t.Repeats, t.Decides, t.Quick = s.Repeats, w.Decides, true
			bound(&t)
			all = append(all, t)
		}
	}
	return all, nil
}

// spaceOf returns the scratch space that a run already has for a trial.
func spaceOf(run assay.Run, t assay.Trial) assay.Scratch {
	for _, r := range run.Results {
		if r.Scratch.Bytes > 0 && r.Trial.Probe == t.Probe && r.Trial.Subject.ID == t.Subject.ID {
			return r.Scratch
		}
	}
	return assay.Scratch{}
}

// Add adds trials to the plan and returns their slots: those that tell the same about
// one suspect together or not at all, in order, as far as they take no longer than
// room.
func (p *Plan) Add(trials []assay.Trial, room time.Duration) []Slot {
	var slots []Slot
	for len(trials) > 0 {
		n := 1
		for n < len(trials) && trials[n].Case == trials[0].Case && trials[n].Decides == trials[0].Decides {
			n++
		}
		was := len(p.Trials)
		p.Trials = append(slices.Clip(p.Trials), trials[:n]...)
		more := slices.Clone(slots)
		for _, s := range schedule(p.Trials[was:], p.Seed) {
			more = append(more, Slot{was + s.Trial, s.Repeat})
		}
		if p.Course(more) <= room {
			slots = more
		} else {
			p.Trials = p.Trials[:was]
		}
		trials = trials[n:]
	}
	return slots
}

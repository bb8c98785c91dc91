package session

import (
	"cmp"
	"slices"

	"assay"
	"assay/plan"
	"assay/volume/device"
	"assay/volume/dir"
)

// withSubjectsOfNow returns the plan of an earlier run with the subjects that the target of
// this run names. A stored subject says which server is asked, with whose keys, and anyone
// with write access to the database can change it; so subjects that are missing now are
// rejected. The other end of a link or a migration, addresses, and the kind of volume follow
// from the subject. Overwriting devices is confirmed separately (see confirmed).
func (s *Session) withSubjectsOfNow(p plan.Plan) (plan.Plan, error) {
	p.Trials = slices.Clone(p.Trials)
	down := func(host string) bool { return s.down[host] != nil }
	for i := range p.Trials {
		t := &p.Trials[i]
		if t.Absent != nil || down(t.Subject.Host) || down(t.Peer) {
			continue // the run skips it
		}
		t.Others = slices.Clone(t.Others)
		for _, of := range append(subjectsOf(t.Others), &t.Subject) {
			at := slices.IndexFunc(s.inventory.Subjects, func(now assay.Subject) bool { return now.ID == of.ID && now.Host == of.Host })
			switch {
			case at >= 0 && !lends(s.inventory.Subjects[at], *t):
				return p, invalid(assay.WithHint("measure what there is now with a plan of its own: assay run --suite "+p.Suite,
					"%s: %s was lent as %q, and is %q now", t.ID, of.ID, t.Volume, cmp.Or(s.inventory.Subjects[at].Volume, dir.Kind)))
			case at >= 0:
				*of = s.inventory.Subjects[at]
			case of.Volume != device.Kind && !down(of.Host):
				return p, invalid(assay.WithHint("measure what there is now with a plan of its own: assay run --suite "+p.Suite,
					"%s: %s is not among what there is to measure now", t.ID, of.ID))
			}
		}
		t.Peer = t.Subject.Peer
		*t = s.readdress(*t)
	}
	return p, nil
}

// lends reports whether a trial's scratch space is lent by a volume for such a subject. A
// directory of any kind also lends as a plain one.
func lends(s assay.Subject, t assay.Trial) bool {
	return t.Scratch == 0 || t.Volume == s.Volume || s.Kind == assay.KindDirectory && t.Volume == dir.Kind
}

func subjectsOf(all []assay.Subject) (each []*assay.Subject) {
	for i := range all {
		each = append(each, &all[i])
	}
	return each
}

package compare

import (
	"fmt"
	"slices"
	"strings"

	"assay"
)

// figure is what must match for two figures to be compared.
type figure struct {
	probe, name string // of the case
	kind        assay.SubjectKind
	metric      string
	direction   string // "reverse" where data flowed both ways at once
}

// series holds the values of one figure of one result.
type series struct {
	Pick
	figure
	values []float64 // per counted repeat
	labels map[string]string
}

// reverse is the label of data that flowed back on a link.
const reverse = "reverse"

// seriesOf returns the figures of a result that wanted accepts, each with one
// value per repeat: its first measurement, as everywhere.
func seriesOf(p Pick, wanted func(assay.Measurement) bool) []*series {
	var all []*series
	at := map[figure]*series{}
	for _, rep := range p.Result.Counted() {
		seen := map[figure]bool{}
		for _, m := range rep.Measurements {
			if !wanted(m) {
				continue
			}
			t := p.Result.Trial
			f := figure{t.Probe, t.Case, t.Subject.Kind, m.Metric, ""}
			if t.Subject.Kind == assay.KindLink && m.Labels["direction"] == reverse {
				f.direction = reverse
			}
			if seen[f] {
				continue
			}
			seen[f] = true
			s := at[f]
			if s == nil {
				s = &series{Pick: p, figure: f, labels: m.Labels}
				at[f], all = s, append(all, s)
			}
			s.values = append(s.values, m.Value)
		}
	}
	return all
}

// judgeable reports whether a measurement is a figure with a better and a worse.
func judgeable(m assay.Measurement) bool {
	described, known := assay.Describe(m.Metric)
	return known && !described.Support && described.Better != assay.Neither && !strings.HasPrefix(m.Metric, "smart.")
}

// rejected returns the rule that rejected a figure of a result, or "".
func (s *series) rejected() string {
	return s.found(func(f assay.Finding) bool { return f.Severity == assay.Rejects })
}

// found returns the rule of the first matching finding about a figure of a result, or
// "".
func (s *series) found(such func(assay.Finding) bool) string {
	for _, f := range s.Run.Findings {
		if f.Subject == s.Result.Trial.ID && (len(f.Metrics) == 0 || slices.Contains(f.Metrics, s.metric)) && such(f) {
			return f.Rule
		}
	}
	return ""
}

// silent returns why a result has no figure at all.
func silent(r *assay.Result) string {
	if a := r.Trial.Absent; a != nil {
		return fmt.Sprintf("%s: %s", a.Word, a.Why)
	}
	for _, rep := range r.Repeats {
		if rep.Outcome == assay.Broke {
			return fmt.Sprintf("%s: %s", assay.Failed, rep.Error)
		}
	}
	return "none of its repeats counts"
}

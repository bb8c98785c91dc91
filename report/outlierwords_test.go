package report

import (
	"strings"
	"testing"

	"assay/analysis"
	"assay/analysis/hypotheses"
)

// Nobody is told to buy a part before it is known what is wrong.
func TestUndecidedIsFoundOutFirst(t *testing.T) {
	drive := &hypotheses.Hypothesis{ID: "drive-other", Name: "a drive of another model", Decides: "try its drive in another host", Remedy: "Give {host} a drive like the others'"}
	for certainty, want := range map[hypotheses.Certainty]string{
		hypotheses.Undecided: "Find out why pve3 is slow before you replace anything: try its drive in another host.",
		hypotheses.Certain:   "Give pve3 a drive like the others'.",
	} {
		o := analysis.Outlier{Why: &hypotheses.Cause{Hypothesis: drive, Certainty: certainty}}
		o.Host = "pve3"
		if got := advice(o); !strings.EqualFold(got, want) {
			t.Errorf("%s: %q, want %q", certainty, got, want)
		}
	}
}

package delays

import (
	"slices"
	"testing"
	"time"

	"assay/analysis"
	"assay/plan/suite"
)

func TestChangesAreOnesThatPredictKnows(t *testing.T) {
	for _, stack := range []Stack{Emulated, Native} {
		var tiers []string
		for _, one := range stack.tiers {
			tiers = append(tiers, one.name)
		}
		for _, c := range stack.changes {
			if _, err := analysis.ParseChange(c.what); err != nil || !slices.Contains(tiers, c.of) || !slices.Contains(tiers, c.in) {
				t.Errorf("%s in %s, of %s, then %s: %v", c.what, stack.In, c.of, c.in, err)
			}
		}
	}
}

func TestTheSuiteOfChangesIsOne(t *testing.T) {
	s, err := suite.Parse(changesSuite, "changes.yaml")
	if err != nil || len(s.Cases) != 5 {
		t.Errorf("%d cases, %v", len(s.Cases), err)
	}
}

func TestWordsOfASetup(t *testing.T) {
	for want, s := range map[string]setup{
		"nothing slow": {},
		"a link of 50 Mb/s, a link that takes 5ms longer, drives that write 8 MB/s": {link: 50e6, late: 5 * time.Millisecond, stream: 8e6},
		"flushes that take 10ms longer, sync=disabled":                              {flush: 10 * time.Millisecond, sync: "disabled"},
	} {
		if got := s.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

package main

import (
	"fmt"
	"testing"

	"assay"
	"assay/run/session"
)

func TestCasesThatLackTheSameAreOneRow(t *testing.T) {
	small, loop := assay.Absence{Word: assay.Failed, Why: "no room"}, assay.Absence{Word: assay.NotSupported, Why: "a loop device"}
	var all []session.Unmeasurable
	add := func(suite, what string, why assay.Absence) {
		all = append(all, session.Unmeasurable{Suite: suite, Case: what, Absence: why})
	}
	for i := range 48 {
		add("paper-vm", fmt.Sprintf("fio/%d on /srv", i), small)
	}
	for _, what := range []string{"health", "health-after"} {
		add("ssd", what, loop)
	}
	add("paper-vm", "smart/health", loop)
	want := []string{"fio/0 on /srv and 47 more", "health", "health-after", "smart/health"}
	got := few(all)
	for i, l := range got {
		if i >= len(want) || l.Case != want[i] {
			t.Errorf("row %d is %s, want %v", i, l.Case, want)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d rows, want %v", len(got), want)
	}
}

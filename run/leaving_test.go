package run

import (
	"context"
	"testing"
	"time"

	"assay"
	"assay/plan"
)

// A repeat that would end within the budget but leave no time to release the
// scratch space does not start: otherwise a budget of 100 s takes 101.
func TestTheBudgetHoldsTheCleanUp(t *testing.T) {
	p := plan.Plan{Budget: 100 * time.Second, Trials: []assay.Trial{{ID: "t", Repeats: 1, Length: 5 * time.Second}}, Schedule: []plan.Slot{{Repeat: 1}}}
	e := &Engine{plan: p, failures: map[int]int{}, gone: map[string]error{}, over: make([]bool, 1)}
	took := e.pace.expect(p.Cost(p.Schedule[0]))
	e.deadline = time.Now().Add(took + time.Second)
	if begun, late := e.begin(context.Background(), 0, nil); begun || !late {
		t.Errorf("a repeat of %s, a second before the budget ends: begun %v, late %v", took, begun, late)
	}
	if left := e.leaving(); took < 5*time.Second || left < time.Second || left > 2*time.Second {
		t.Errorf("a repeat takes %s, and %s are left for the end", took, left)
	}
}

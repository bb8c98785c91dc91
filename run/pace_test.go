package run

import (
	"testing"
	"time"
)

// A one-second warm-up took six more for starting pods and tools: the next slot
// takes six more as well, not seven times as long.
func TestASlowStartAddsToASlot(t *testing.T) {
	var p pace
	if got := p.expect(6 * time.Second); got != 6*time.Second {
		t.Errorf("before any slot %s", got)
	}
	p.add(time.Second, 7*time.Second)
	if got := p.expect(6 * time.Second); got != 12*time.Second {
		t.Errorf("after one slot %s, want 12s", got)
	}
	p.add(6*time.Second, 6*time.Second)
	if got := p.expect(6 * time.Second); got != 9*time.Second {
		t.Errorf("after two slots %s, want 9s", got)
	}
	if got := p.stretch(14 * time.Second); got != 26*time.Second {
		t.Errorf("stretched %s, want 26s", got)
	}
}

// Slots that end early promise nothing: the next may take its full time.
func TestAFastStartIsNoPromise(t *testing.T) {
	var p pace
	p.add(6*time.Second, time.Second)
	if got := p.expect(6 * time.Second); got != 6*time.Second {
		t.Errorf("%s, want 6s", got)
	}
}

package run

import "testing"

// Commands start when the last host is ready, repeatedly; a host without further
// commands is not waited for.
func TestBarrier(t *testing.T) {
	open := func(gate <-chan struct{}) bool {
		select {
		case <-gate:
			return true
		default:
			return false
		}
	}
	b := newBarrier(3)
	for range 2 {
		first, second := b.wait(), b.wait()
		if open(first) || open(second) {
			t.Fatal("two of three begin without the third")
		}
		if third := b.wait(); !open(first) || !open(second) || !open(third) {
			t.Fatal("all are ready, and not all begin")
		}
	}
	first, second := b.wait(), b.wait()
	b.leave()
	if !open(first) || !open(second) {
		t.Error("they wait for one that has left")
	}
	last := b.wait()
	b.leave()
	if !open(last) {
		t.Error("the last one waits for nobody")
	}
}

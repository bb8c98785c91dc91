package run_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"assay"
	"assay/volume/dir"
)

// shelf lends directories as if those of ann and bob were on one storage, and cat's on
// another.
type shelf struct {
	assay.Volume
	mu   *sync.Mutex    // clients of one trial reserve at the same time
	told map[string]int // number of sharers by host
}

func (s shelf) Shares(of assay.Subject) string {
	if of.Host == "cat" {
		return "attic"
	}
	return "cellar"
}

func (s shelf) Reserve(ctx context.Context, at assay.Place, of assay.Subject, want assay.Request) (assay.Receipt, error) {
	s.mu.Lock()
	s.told[of.Host] = want.Sharers
	s.mu.Unlock()
	return s.Volume.Reserve(ctx, at, of, want)
}

// A space that several trials use, alone or together, counts once; spaces on other storage
// do not count.
func TestAVolumeIsToldHowManySpacesShareItsStorage(t *testing.T) {
	p := newPool(t)
	st := p.store(t)
	head := assay.Run{ID: runID, Suite: "test", Started: time.Now(), Status: assay.RunRunning, Seed: 1, Budget: poolBudget, Inventory: p.inv}
	if err := st.Begin(t.Context(), head); err != nil {
		t.Fatal(err)
	}
	engine := p.engine(t, st)
	s := shelf{dir.New(), new(sync.Mutex), map[string]int{}}
	engine.Volumes = []assay.Volume{s}
	var _ assay.Sharer = s
	if _, err := engine.Run(t.Context(), p.plan(t), head); err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]int{"ann": 2, "bob": 2, "cat": 1} {
		if s.told[host] != want {
			t.Errorf("%s: told of %d sharers, want %d", host, s.told[host], want)
		}
	}
	p.expectClean(t, st)
}

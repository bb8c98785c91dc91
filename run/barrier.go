package run

import (
	"context"
	"sync"

	"assay"
)

// barrier has the hosts of a repeat begin each of their commands at the same moment: one
// is reached by SSH at once, another by the agent of a guest in seconds.
type barrier struct {
	mu      sync.Mutex
	hosts   int // that have not left
	waiting int
	open    chan struct{} // closed when all of them wait
}

func newBarrier(hosts int) *barrier { return &barrier{hosts: hosts, open: make(chan struct{})} }

// wait is the gate of a host's next command.
func (b *barrier) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting++
	gate := b.open
	b.lift()
	return gate
}

// leave says that a host begins no more commands: nobody waits for it.
func (b *barrier) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hosts--
	b.lift()
}

func (b *barrier) lift() {
	if b.waiting > 0 && b.waiting >= b.hosts {
		close(b.open)
		b.waiting, b.open = 0, make(chan struct{})
	}
}

// gated is a place whose commands begin when those of all others do.
type gated struct {
	assay.Place
	at *barrier
}

// Run implements assay.Place.
func (g gated) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	c.Gate = g.at.wait
	return g.Place.Run(ctx, c)
}

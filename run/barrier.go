package run

import (
	"context"
	"sync"

	"assay"
)

// barrier starts each command of a repeat at the same moment on all hosts: SSH reaches
// one at once, while a guest agent takes seconds.
type barrier struct {
	mu      sync.Mutex
	hosts   int // not yet left
	waiting int
	open    chan struct{} // closed when all hosts wait
}

func newBarrier(hosts int) *barrier { return &barrier{hosts: hosts, open: make(chan struct{})} }

// wait returns the gate of a host's next command.
func (b *barrier) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting++
	gate := b.open
	b.lift()
	return gate
}

// leave takes out a host that starts no more commands: nobody waits for it.
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

// gated is a place whose commands start together with those of all others.
type gated struct {
	assay.Place
	at *barrier
}

// Run implements assay.Place.
func (g gated) Run(ctx context.Context, c assay.Cmd) (assay.Output, error) {
	c.Gate = g.at.wait
	return g.Place.Run(ctx, c)
}

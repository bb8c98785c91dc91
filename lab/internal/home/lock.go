package home

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"

	"assay"
	"assay/lab/internal/wait"
)

// lockBound is how long a lock may outlive a program that was killed: a child
// holds a copy until it execs another program.
const lockBound = 8 * time.Second

// Lock lets only one program at a time change the lab. The kernel releases the
// lock when the program ends.
func (h Home) Lock() (unlock func(), err error) {
	d, err := os.Open(h.Dir)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockBound)
	defer cancel()
	if _, err := wait.Until(ctx, 10*time.Millisecond, func() error {
		return syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}); err != nil {
		_ = d.Close()
		return nil, fmt.Errorf("%s: %w by another program that brings it up or down", h.Dir, assay.ErrBusy)
	}
	return func() { _ = d.Close() }, nil
}

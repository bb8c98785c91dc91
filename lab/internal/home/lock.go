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

// lockBound is how long a lock may outlive a program that was killed: its copy
// in a child lives until that child becomes another program.
const lockBound = 8 * time.Second

// Lock makes one program at a time change the lab. The kernel takes the lock back
// when the program ends.
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

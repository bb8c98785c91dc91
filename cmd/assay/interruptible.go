package main

import (
	"context"
	"io"
)

// interruptible is a reader that ends with a context, so that reading a long log can be
// interrupted.
type interruptible struct {
	ctx context.Context
	of  io.Reader
}

// Read reads, unless the context has ended.
func (u interruptible) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.of.Read(p)
}

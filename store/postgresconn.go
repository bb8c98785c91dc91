package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// connector opens connections that understand the store's SQL.
type connector struct {
	config *pgx.ConnConfig
	gate   *gate
}

// Connect opens a connection, or fails at once if an attempt a moment ago got
// no answer.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := c.gate.closed(); err != nil {
		return nil, err
	}
	conn, err := pgx.ConnectConfig(ctx, c.config)
	if err != nil {
		if ctx.Err() == nil {
			c.gate.note(err)
		}
		return nil, err
	}
	return &translating{conn: conn, used: time.Now()}, nil
}

// Driver is never called: there is no name to open it by.
func (c connector) Driver() driver.Driver { return nil }

// gate remembers for a while that a server did not answer: during a run, the
// connection timeout is waited for once, not once for each repeat.
type gate struct {
	mu    sync.Mutex
	err   error
	until time.Time
}

const shut = 30 * time.Second

func (g *gate) closed() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if time.Now().Before(g.until) {
		return g.err
	}
	return nil
}

// note shuts the gate if err means that the server did not answer. A server that
// refuses is tried again: that costs nothing.
func (g *gate) note(err error) {
	var network net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.err, g.until = err, time.Now().Add(shut)
	}
}

// bounded is a connection on which each Read and Write must finish within silence.
// Other deadlines apply as well.
type bounded struct {
	net.Conn
	silence     func() time.Duration
	mu          sync.Mutex
	read, write time.Time // deadlines set from outside; zero for none
}

func (b *bounded) Read(p []byte) (int, error) {
	b.mu.Lock()
	err := b.Conn.SetReadDeadline(b.earlier(b.read))
	b.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return b.Conn.Read(p)
}

func (b *bounded) Write(p []byte) (int, error) {
	b.mu.Lock()
	err := b.Conn.SetWriteDeadline(b.earlier(b.write))
	b.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return b.Conn.Write(p)
}

func (b *bounded) earlier(limit time.Time) time.Time {
	t := time.Now().Add(b.silence())
	if !limit.IsZero() && limit.Before(t) {
		return limit
	}
	return t
}

// SetDeadline and the two others also end a Read or Write in progress.
func (b *bounded) SetDeadline(t time.Time) error {
	return errors.Join(b.SetReadDeadline(t), b.SetWriteDeadline(t))
}

func (b *bounded) SetReadDeadline(t time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.read = t
	return b.Conn.SetReadDeadline(b.earlier(t))
}

func (b *bounded) SetWriteDeadline(t time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.write = t
	return b.Conn.SetWriteDeadline(b.earlier(t))
}

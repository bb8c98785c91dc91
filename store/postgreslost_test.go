package store

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"assay"
	"assay/store/pgtest"
)

// proxy sits between a store and its server, and can go silent.
type proxy struct {
	net.Listener
	mu    sync.Mutex
	conns []net.Conn
	mute  bool
}

func newProxy(t *testing.T, socket string) (*proxy, string) {
	t.Helper()
	dir := t.TempDir()
	l, err := net.Listen("unix", filepath.Join(dir, ".s.PGSQL.5432"))
	must(t, err)
	p := &proxy{Listener: l}
	t.Cleanup(func() { l.Close(); p.cut() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("unix", socket)
			if err != nil {
				near.Close()
				continue
			}
			p.mu.Lock()
			p.conns = append(p.conns, near, far)
			p.mu.Unlock()
			go p.carry(near, far)
			go p.carry(far, near)
		}
	}()
	return p, dir
}

func (p *proxy) carry(to io.Writer, from io.Reader) {
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		p.mu.Lock()
		mute := p.mute
		p.mu.Unlock()
		if !mute {
			_, _ = to.Write(b[:n])
		}
		if err != nil {
			return
		}
	}
}

func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		c.Close()
	}
	p.conns = nil
}

func (p *proxy) silence(mute bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mute = mute
}

// A cut connection costs at most the write in progress; the next write opens
// another. A server that goes silent gives an error within the bound, and then
// immediately.
func TestLostConnection(t *testing.T) {
	server := pgtest.Shared(t)
	p, dir := newProxy(t, filepath.Join(server.Dir, ".s.PGSQL.5432"))
	database := databaseOf(t, server.Database(t))
	d, err := newPostgres("postgres://assay@/" + database + "?connect_timeout=30&host=" + url.QueryEscape(dir))
	must(t, err)
	var bound atomic.Int64
	bound.Store(int64(time.Minute))
	d.silence = func() time.Duration { return time.Duration(bound.Load()) }
	ctx := context.Background()
	s, err := open(ctx, d)
	must(t, err)
	defer s.Close()
	run := small("r", time.Now().UTC())
	must(t, keep(ctx, s, run))
	trial := run.Results[0].Trial.ID

	p.cut()
	if err := s.AddRepeat(ctx, "r", trial, repeatNumber(2)); err != nil && !errors.Is(err, ErrUnreachable) {
		t.Errorf("cut: %v", err)
	}
	if err := s.AddRepeat(ctx, "r", trial, repeatNumber(2)); err != nil && !errors.Is(err, ErrExists) {
		t.Errorf("after a cut: %v", err)
	}

	bound.Store(int64(time.Second)) // before, a busy machine might have answered too late
	p.silence(true)
	began := time.Now()
	for n := 3; n < 8; n++ {
		err := s.AddRepeat(ctx, "r", trial, repeatNumber(n))
		if !errors.Is(err, ErrUnreachable) || !strings.Contains(assay.Hint(err), "pg_isready") {
			t.Errorf("repeat %d: %v (hint %q)", n, err, assay.Hint(err))
		}
	}
	// Once for the request, and once or twice for reconnecting.
	if took := time.Since(began); took > time.Minute {
		t.Errorf("five writes that cannot be made took %v", took)
	}
	must(t, s.Close())
	p.silence(false)
	again := reopen(t, server.URL(database))
	if got := mustLoad(t, again, "r").Results[0].Repeats; len(got) != 2 {
		t.Errorf("%d repeats, want the two that were acknowledged", len(got))
	}
}

// A writer that holds the lock for longer than patience is reported as busy.
func TestLockIsNotWaitedForForEver(t *testing.T) {
	where, ctx := onServer.empty(t), context.Background()
	s := reopen(t, where)
	holder, err := pgx.Connect(ctx, where)
	must(t, err)
	defer holder.Close(ctx)
	_, err = holder.Exec(ctx, "SELECT pg_advisory_lock($1)", application)
	must(t, err)
	_, err = s.writer.Exec("SET lock_timeout = 100") // applies to the writer's only connection
	must(t, err)
	if err := s.Begin(ctx, assay.Run{ID: "r"}); !errors.Is(err, assay.ErrBusy) || assay.Hint(err) == "" {
		t.Errorf("%v (hint %q)", err, assay.Hint(err))
	}
	if runs, err := s.Runs(ctx); err != nil || len(runs) != 0 { // readers do not wait
		t.Errorf("%v %v", runs, err)
	}
}

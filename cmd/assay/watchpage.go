package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"assay"
	"assay/report/exposition"
)

// page is the metrics page of a watch for Prometheus. It may be read during a
// round.
type page struct {
	mu    sync.Mutex
	every time.Duration
	state exposition.Watch
}

// set stores what the newest round showed.
func (p *page) set(run assay.Run, shown found) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.Run, p.state.Changes, p.state.Failing = run, shown.all, shown.failing
}

// failed counts a round that could not be made.
func (p *page) failed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.Failed++
}

// write writes the page as OpenMetrics text.
func (p *page) write(w io.Writer) error { return p.now().Write(w) }

// samples returns the page's samples.
func (p *page) samples() []exposition.Sample { return p.now().Samples() }

func (p *page) now() exposition.Watch {
	p.mu.Lock()
	defer p.mu.Unlock()
	state := p.state
	state.Every = p.every
	return state
}

// Limits on a scraper's use of this machine.
const (
	answersAtOnce = 16               // connections; more wait in the kernel's queue
	requestTime   = 10 * time.Second // as long as Prometheus waits
	requestHead   = 16 << 10         // bytes
)

// serve serves the page at address until stop is called, and returns the address with the
// bound port.
func (p *page) serve(address string) (bound string, stop func(), err error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
	if err != nil {
		return "", nil, usage(fmt.Errorf("--listen %s: %w", address, err))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", exposition.ContentType)
		_ = p.write(w) // a scraper that is gone does not need it
	})
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "the figures are at /metrics", http.StatusNotFound)
	})
	server := &http.Server{Handler: mux, ReadTimeout: requestTime, WriteTimeout: requestTime, MaxHeaderBytes: requestHead}
	go func() { _ = server.Serve(netutil.LimitListener(l, answersAtOnce)) }()
	return l.Addr().String(), func() { _ = server.Close() }, nil
}

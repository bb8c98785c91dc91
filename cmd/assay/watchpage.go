package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/report/exposition"
)

// page is what Prometheus is told of a watch. It may be read while a round is made.
type page struct {
	mu    sync.Mutex
	every time.Duration
	state exposition.Watch
}

// set notes what the newest round showed.
func (p *page) set(run assay.Run, changes []exposition.Change) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.Run, p.state.Changes = run, changes
}

// failed notes that a round could not be made.
func (p *page) failed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.Failed++
}

// write writes the page as OpenMetrics text.
func (p *page) write(w io.Writer) error {
	p.mu.Lock()
	state := p.state
	state.Every = p.every
	p.mu.Unlock()
	return state.Write(w)
}

// serve answers at an address until stop is called. One page for one reader needs no
// more than this of HTTP; net/http's server would make the binary a megabyte larger.
func (p *page) serve(address string) (stop func(), err error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, usage(fmt.Errorf("--listen %s: %w", address, err))
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return // closed
			}
			go p.answer(conn)
		}
	}()
	return func() { _ = l.Close() }, nil
}

// The most that a request may take, and its head be.
const (
	requestTime = 30 * time.Second
	requestHead = 16 << 10
)

// answer reads one request and answers it.
func (p *page) answer(conn net.Conn) {
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(requestTime))
	request := bufio.NewReader(io.LimitReader(conn, requestHead))
	first, err := request.ReadString('\n')
	for line := first; err == nil && strings.TrimSpace(line) != ""; {
		line, err = request.ReadString('\n')
	}
	if err != nil {
		return // no whole request
	}
	status, kind, body := "404 Not Found", "text/plain; charset=utf-8", new(bytes.Buffer)
	method, path, _ := strings.Cut(first, " ")
	path, _, _ = strings.Cut(path, " ")
	path, _, _ = strings.Cut(path, "?")
	switch {
	case method != "GET" && method != "HEAD":
		status = "405 Method Not Allowed"
	case path == "/metrics":
		status, kind = "200 OK", exposition.ContentType
		_ = p.write(body) // a buffer takes everything
	default:
		body.WriteString("the figures are at /metrics\n")
	}
	fmt.Fprintf(conn, "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n", status, kind, body.Len())
	if method != "HEAD" {
		_, _ = body.WriteTo(conn) // a scraper that is gone has no use for it
	}
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
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

const (
	answersAtOnce = 16               // connections; more wait in the kernel's queue
	requestTime   = 10 * time.Second // as long as Prometheus waits
	requestHead   = 16 << 10         // bytes
)

// serve answers at an address until stop is called, and returns the address with the port
// that was bound. net/http's server would make the binary larger; one page needs only its
// reader of requests and its writer of responses.
func (p *page) serve(address string) (bound string, stop func(), err error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
	if err != nil {
		return "", nil, usage(fmt.Errorf("--listen %s: %w", address, err))
	}
	go p.accept(l)
	return l.Addr().String(), func() { _ = l.Close() }, nil
}

func (p *page) accept(l net.Listener) {
	slots := make(chan struct{}, answersAtOnce)
	for {
		slots <- struct{}{}
		conn, err := l.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // such as too many open files
			<-slots
			time.Sleep(100 * time.Millisecond)
			continue
		}
		go func() {
			defer func() { <-slots }()
			p.answer(conn)
		}()
	}
}

// answer reads one request, answers it, and closes the connection.
func (p *page) answer(conn net.Conn) {
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(requestTime))
	request, err := http.ReadRequest(bufio.NewReader(io.LimitReader(conn, requestHead)))
	if errors.Is(err, io.EOF) {
		return // nothing was asked
	}
	var body bytes.Buffer
	header := http.Header{"Date": {time.Now().UTC().Format(http.TimeFormat)}, "Content-Type": {"text/plain; charset=utf-8"}}
	status := http.StatusOK
	switch {
	case err != nil || request.Host == "" && request.ProtoAtLeast(1, 1):
		status, request = http.StatusBadRequest, nil
	case request.Method != http.MethodGet && request.Method != http.MethodHead:
		status = http.StatusMethodNotAllowed
		header.Set("Allow", "GET, HEAD")
	case request.URL.Path != "/metrics":
		status = http.StatusNotFound
		body.WriteString("the figures are at /metrics\n")
	default:
		header.Set("Content-Type", exposition.ContentType)
		_ = p.write(&body) // a buffer takes everything
	}
	answer := http.Response{
		StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Header: header, Request: request,
		ContentLength: int64(body.Len()), Body: io.NopCloser(&body), Close: true,
	}
	_ = answer.Write(conn) // a scraper that is gone has no use for it
}

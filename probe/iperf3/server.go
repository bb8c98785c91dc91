package iperf3

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"assay"
	"assay/internal/sleep"
)

// The ports of servers: the first free one is used, so that a firewall can
// allow them, and a server that was left behind is in nobody's way.
const (
	firstPort = 5201
	lastPort  = 5299
)

const (
	startBound = time.Minute      // from starting a server until it listens, over SSH on a busy host
	endBound   = 3 * time.Second  // from the end of a client until its server ends by itself
	goneBound  = 15 * time.Second // from then until its port is seen to be free
	mostStarts = 3                // servers tried if ports are taken meanwhile
)

// service is an iperf3 server that serves one test at the other end.
type service struct {
	port   int
	cancel context.CancelFunc
	ended  chan struct{} // closed when step and err are set
	step   assay.Step
	err    error
}

// errTaken means that another program took the port first.
var errTaken = errors.New("the port was taken in the meantime")

// serve starts a server at the other end, which ends after bound at the latest,
// and waits until it listens.
func (s *session) serve(ctx context.Context, bound time.Duration) (*service, error) {
	taken, step, err := s.listeners(ctx, "ports")
	s.keep(step)
	if err != nil {
		return nil, err
	}
	for range mostStarts {
		port := firstPort
		for taken[port] {
			port++
		}
		if port > lastPort {
			break
		}
		srv := s.start(ctx, port, bound)
		if err = s.await(ctx, srv); err == nil {
			return srv, nil
		}
		if end := s.end(ctx, srv, false); end != nil && !errors.Is(err, errTaken) {
			err = errors.Join(err, end)
		}
		if !errors.Is(err, errTaken) {
			return nil, err
		}
		taken[port] = true
	}
	return nil, assay.WithHint("check what listens there: ss -ltnp", "%s: no port from %d to %d is free on %s", s.link, firstPort, lastPort, s.link.to.host)
}

func (s *session) start(ctx context.Context, port int, bound time.Duration) *service {
	ctx, cancel := context.WithCancel(ctx)
	srv := &service{port: port, cancel: cancel, ended: make(chan struct{})}
	go func() {
		defer close(srv.ended)
		srv.step, srv.err = s.there(ctx, "server", bound, "iperf3", "-s", "-1", "-p", strconv.Itoa(port), "-B", s.link.to.address)
	}()
	return srv
}

// await polls the other end's ports until the server's is listed, and then once
// more: if another program took the port, the server has exited by then.
func (s *session) await(ctx context.Context, srv *service) error {
	waiting, cancel := context.WithTimeoutCause(ctx, startBound, assay.ErrTimeout)
	defer cancel()
	for seen := false; ; _ = sleep.For(waiting, pause) {
		ports, step, err := s.listeners(waiting, "listening")
		over := false
		select {
		case <-srv.ended:
			over = true
		default:
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case over:
			return s.unserved(srv)
		case waiting.Err() != nil:
			return fmt.Errorf("%s: iperf3 on %s does not listen on port %d: %w of %s", s.link, s.link.to.host, srv.port, assay.ErrTimeout, startBound)
		case err != nil:
			return err
		case ports[srv.port] && seen:
			s.keep(step)
			return nil
		}
		seen = ports[srv.port]
	}
}

// unserved returns the error for a server that ended by itself.
func (s *session) unserved(srv *service) error {
	if srv.err != nil {
		return srv.err
	}
	why := complaint(srv.step.Output)
	switch {
	case strings.Contains(why, "in use"):
		return errTaken
	case strings.Contains(why, "assign requested address"):
		return s.noAddress(s.link.to)
	}
	return fmt.Errorf("%s: the iperf3 server on %s exited immediately: %s", s.link, s.link.to.host, why)
}

// noAddress returns the error for an end that does not have its address.
func (s *session) noAddress(e end) error {
	return assay.WithHint("check its addresses with ip addr, and correct network "+s.link.network,
		"%s: %s has no address %s", s.link, e.host, e.address)
}

// end makes sure that a server is gone; politely gives it time to end by
// itself. It continues after ctx has ended.
func (s *session) end(ctx context.Context, srv *service, politely bool) error {
	if politely {
		patience := time.NewTimer(endBound)
		select {
		case <-srv.ended:
		case <-patience.C:
		case <-ctx.Done():
		}
		patience.Stop()
	}
	srv.cancel()
	<-srv.ended
	s.keep(srv.step)
	looking, cancel := context.WithTimeout(context.WithoutCancel(ctx), goneBound)
	defer cancel()
	for {
		ports, step, err := s.listeners(looking, "gone")
		if err != nil {
			return fmt.Errorf("cannot verify that the iperf3 server on %s has stopped: %w", s.link.to.host, err)
		}
		if !ports[srv.port] {
			s.keep(step)
			return nil
		}
		if sleep.For(looking, pause) != nil {
			return assay.WithHint("check what it is: ss -ltnp sport = :"+strconv.Itoa(srv.port),
				"%s: something still listens on port %d of %s", s.link, srv.port, s.link.to.host)
		}
	}
}

// listeners returns the TCP ports with a listener at the other end, on any
// address. The kernel's own table needs no tool.
func (s *session) listeners(ctx context.Context, name string) (map[int]bool, assay.Step, error) {
	step, err := s.there(ctx, name, lookBound, "grep", "-hs", " 0A ", "/proc/net/tcp", "/proc/net/tcp6")
	return readListeners(step.Output.Stdout), step, err
}

// readListeners reads rows of /proc/net/tcp: the second field is address and
// port in hexadecimal, the fourth the state; 0A is listening.
func readListeners(table []byte) map[int]bool {
	ports := map[int]bool{}
	for line := range strings.Lines(string(table)) {
		f := strings.Fields(line)
		if len(f) < 4 || f[3] != "0A" {
			continue
		}
		_, hexadecimal, _ := strings.Cut(f[1], ":")
		if port, err := strconv.ParseUint(hexadecimal, 16, 16); err == nil {
			ports[int(port)] = true
		}
	}
	return ports
}

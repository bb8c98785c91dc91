package iperf3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay"
)

const (
	// connectBound is how long a client tries to reach its server.
	connectBound = 3 * time.Second
	// exchange is how long both ends may take to exchange their figures.
	exchange = 10 * time.Second
)

// flow measures with iperf3: a server at the other end, a client here.
func (s *session) flow(ctx context.Context) error {
	argv, length := s.client()
	bound := length + connectBound + exchange
	if s.t.Bound > 0 {
		bound = min(bound, s.t.Bound)
	}
	srv, err := s.serve(ctx, bound+startBound)
	if err != nil {
		return err
	}
	err = s.measure(ctx, srv, argv, bound)
	if gone := s.end(ctx, srv, err == nil); gone != nil {
		return errors.Join(err, gone)
	}
	if err == nil && srv.err == nil && strings.Contains(string(srv.step.Output.Stderr), "in use") {
		return fmt.Errorf("%s, port %d: %w by another server, so that server was measured", s.link, srv.port, errTaken)
	}
	return err
}

// client returns the client's command line without the port, and how long it
// sends: in whole seconds, at least one, plus what is omitted at the start.
func (s *session) client() (argv []string, length time.Duration) {
	length = max(time.Second, s.on.Length.Truncate(time.Second))
	argv = []string{"iperf3", "-c", s.link.to.address, "-B", s.link.from.address, "-J",
		"-t", strconv.Itoa(int(length / time.Second)),
		"--connect-timeout", strconv.FormatInt(connectBound.Milliseconds(), 10)}
	if omit := s.set.omit; omit > 0 {
		argv = append(argv, "-O", strconv.Itoa(int(omit/time.Second)))
		length += omit
	}
	if s.set.streams > 0 {
		argv = append(argv, "-P", strconv.Itoa(s.set.streams))
	}
	switch s.set.mode {
	case modeBoth:
		argv = append(argv, "--bidir")
	case modeUDP:
		argv = append(argv, "-u", "-b", s.set.rate)
	}
	return argv, length
}

// measure runs the client. Losing the server ends it: on a link that was cut it
// would wait for an answer until its bound.
func (s *session) measure(ctx context.Context, srv *service, argv []string, bound time.Duration) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-running.Done():
		case <-srv.ended:
			if srv.err != nil {
				cancel()
			}
		}
	}()
	step, err := s.here(running, stepMeasure, bound, append(argv, "-p", strconv.Itoa(srv.port))...)
	s.keep(step)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case running.Err() != nil:
		<-srv.ended
		return srv.err
	case err != nil:
		return err
	}
	if why := trouble(step.Output); why != "" {
		return s.refused(srv.port, why)
	}
	return nil
}

// trouble returns the error that a client reports, or "" for none. With -J it
// exits 0 even on errors (3.12 does), and reports them in the document.
func trouble(out assay.Output) string {
	if bytes.HasPrefix(bytes.TrimSpace(out.Stdout), []byte("{")) {
		t, err := readJSON(out.Stdout)
		if t.trouble != "" || err == nil && out.Exit == 0 {
			return t.trouble
		}
	}
	if out.Exit == 0 && len(out.Stdout) > 0 {
		return "" // Parse reports what is wrong with it
	}
	return complaint(out)
}

// refused returns the error for a client that could not measure.
func (s *session) refused(port int, why string) error {
	from, to := s.link.from, s.link.to
	hint := ""
	switch {
	case strings.Contains(why, "assign requested address"):
		return s.noAddress(from)
	case goneAway(why):
		hint = "the connection was cut, or iperf3 was killed on one of the hosts"
	case strings.Contains(why, "unable to connect"), strings.Contains(why, "unable to send"), strings.Contains(why, "unable to receive"):
		hint = fmt.Sprintf("open TCP ports %d to %d in the firewalls of %s and %s, and check the route: ip route get %s from %s",
			firstPort, lastPort, from.host, to.host, to.address, from.address)
	}
	return assay.WithHint(hint, "%s, port %d: iperf3: %.200s", s.link, port, why)
}

// goneAway reports whether a client lost the server during a test. The wording
// depends on what it was doing at that moment: reading the control connection, or
// writing to a data connection.
func goneAway(why string) bool {
	why = strings.ToLower(why)
	return slices.ContainsFunc([]string{"closed", "terminated", "reset", "broken pipe"}, func(word string) bool {
		return strings.Contains(why, word)
	})
}

package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/together"
)

// tolerableSkew is how far apart the hosts of a repeat may begin, as a share of
// its length, before that is said: what each had while it was alone is added up
// with the rest.
const tolerableSkew = .05

// client is a host that takes part in a repeat, with its scratch space.
type client struct {
	host  string
	place assay.Place
	lease *lease
}

// clients gives the hosts that take part in a trial, the trial's own first. What
// scratch space they lack is lent and readied on all of them at the same time.
func (e *Engine) clients(ctx context.Context, t assay.Trial) []client {
	parts := together.Parts(t)
	all := make([]client, len(parts))
	var ready sync.WaitGroup
	for i, part := range parts {
		host := part.Subject.Host
		all[i] = client{host: host, place: e.Places[host]}
		ready.Go(func() { all[i].lease = e.lease(ctx, part, all[i].place) })
	}
	ready.Wait()
	return all
}

// lacking is why one of the clients has no scratch space, nil where all have it.
func lacking(clients []client) error {
	for _, c := range clients {
		if c.lease.err != nil {
			return ofClient(c.host, c.lease.err, len(clients))
		}
	}
	return nil
}

// common is the scratch space of the trial's own host, no larger than what every
// client has: files of unlike sizes are not measured alike.
func common(t assay.Trial, clients []client) assay.Scratch {
	space := clients[0].lease.scratch
	for _, c := range clients[1:] {
		space.Bytes = min(space.Bytes, c.lease.scratch.Bytes, t.Scratch)
	}
	return space
}

// perform runs the probe on the trial's host, or on all of its hosts at once.
func perform(ctx context.Context, probe assay.Probe, t assay.Trial, clients []client, bench assay.Bench) (assay.Transcript, error) {
	if len(clients) > 1 {
		return atOnce(ctx, probe, t, clients, bench)
	}
	bench.Place = clients[0].place
	return probe.Run(ctx, t, bench)
}

// atOnce runs the probe on each host. All of them stand ready before the first
// begins. The first that fails ends the others, and is what the error names; what
// was run until then is in the transcript.
func atOnce(ctx context.Context, probe assay.Probe, t assay.Trial, clients []client, bench assay.Bench) (assay.Transcript, error) {
	joint, end := context.WithCancelCause(ctx)
	defer end(nil)
	start := make(chan struct{})
	parts := make([]together.Part, len(clients))
	failed := make(chan error, len(clients))
	var ready, done sync.WaitGroup
	for i, part := range together.Parts(t) {
		c, bytes := clients[i], bench.Scratch.Bytes
		own := bench
		own.Place, own.Scratch = c.place, c.lease.scratch
		own.Scratch.Bytes = min(own.Scratch.Bytes, bytes)
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			tr, err := probe.Run(joint, part, own)
			if err == nil {
				_, err = probe.Parse(tr) // a tool that failed says so in what it printed
			}
			parts[i] = together.Part{Host: c.host, Transcript: tr}
			if err != nil {
				err = ofClient(c.host, err, len(clients))
				failed <- err
				end(err)
			}
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	select {
	case first := <-failed: // the others failed because they were ended
		return together.Join(parts), first
	default:
		return together.Join(parts), nil
	}
}

// ofClient names the host of an error, where there are several and it does not.
func ofClient(host string, err error, clients int) error {
	words := err.Error()
	if clients == 1 || strings.HasPrefix(words, host+": ") || strings.Contains(words, "host "+host+":") {
		return err
	}
	return fmt.Errorf("host %s: %w", host, err)
}

// readied takes the steps that readied the clients' scratch space, once, for the
// transcript of the first repeat.
func readied(clients []client) []assay.Step {
	var steps []assay.Step
	for _, c := range clients {
		own := c.lease.prepare
		if len(clients) > 1 {
			own = together.On(c.host, own)
		}
		steps = append(steps, own...)
		c.lease.prepare = nil
	}
	return steps
}

// noteWhatToolsSay notes what the tool says of itself, of several hosts on each.
func (e *Engine) noteWhatToolsSay(n assay.Noter, t assay.Trial, tr assay.Transcript) {
	about := t.Title
	if t.Peer != "" {
		about = t.Subject.Network // what is said of a way holds for all tests of it
	}
	for _, part := range together.Split(tr) {
		for _, note := range n.Notes(part.Transcript) {
			if part.Host == "" {
				e.noteOnce(note.ID, about+": "+note.Text)
			} else {
				e.noteOnce(note.ID, about+", "+part.Host+": "+note.Text)
			}
		}
	}
}

// noteSkew says, once for a trial, that its hosts did not begin at one moment.
func (e *Engine) noteSkew(t assay.Trial, tr assay.Transcript, length time.Duration) {
	skew := together.Skew(tr)
	if float64(skew) <= tolerableSkew*float64(length) {
		return
	}
	about := t.Title + ": "
	e.mu.Lock()
	said := slices.ContainsFunc(e.run.Notes, func(n assay.Note) bool {
		return n.ID == "start-skew" && strings.HasPrefix(n.Text, about)
	})
	e.mu.Unlock()
	if !said {
		e.note("start-skew", fmt.Sprintf("%sthe hosts began %s apart, of %s: the total counts what one had while others stood still",
			about, skew.Round(time.Millisecond), length))
	}
}

// steps are those that ran on one host.
func steps(tr assay.Transcript, host string) assay.Transcript {
	tr.Steps = slices.DeleteFunc(slices.Clone(tr.Steps), func(s assay.Step) bool { return s.Host != "" && s.Host != host })
	return tr
}

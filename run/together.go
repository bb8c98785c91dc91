package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/internal/quantity"
	"assay/plan/multiclient"
)

// Of a repeat on several hosts, the share in which not all of them were at it. What
// each had while another stood still is added up with the rest.
const (
	tolerableSkew = .05 // before that is said
	hopelessSkew  = .5  // before there is no figure: the hosts were hardly measured at once
)

// client is a host that takes part in a repeat, with its scratch space.
type client struct {
	host  string
	place assay.Place
	lease *lease
}

// clients returns the hosts that take part in a trial, the trial's own first. What
// scratch space they lack is lent and readied on all of them at the same time.
func (e *Engine) clients(ctx context.Context, t assay.Trial) []client {
	parts := multiclient.Parts(t)
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
	start := newBarrier(len(clients))
	return onEach(ctx, t, clients, bench, func(ctx context.Context, part assay.Trial, on assay.Bench) (assay.Transcript, error) {
		if len(clients) > 1 {
			on.Place = gated{on.Place, start}
			defer start.leave()
		}
		tr, err := probe.Run(ctx, part, on)
		if err == nil && len(clients) > 1 {
			_, err = probe.Parse(tr) // a tool that failed says so in what it printed, and ends the others
		}
		return tr, err
	})
}

// onEach does something on the trial's host, or on each of its hosts: all of them
// stand ready before the first begins. The first that fails ends the others, and is
// what the error names; what was run until then is in the transcript.
func onEach(ctx context.Context, t assay.Trial, clients []client, bench assay.Bench,
	do func(context.Context, assay.Trial, assay.Bench) (assay.Transcript, error),
) (assay.Transcript, error) {
	if len(clients) == 1 {
		bench.Place = clients[0].place
		return do(ctx, t, bench)
	}
	joint, end := context.WithCancelCause(ctx)
	defer end(nil)
	start := make(chan struct{})
	parts := make([]multiclient.Part, len(clients))
	failed := make(chan error, len(clients))
	var ready, done sync.WaitGroup
	for i, part := range multiclient.Parts(t) {
		c, bytes := clients[i], bench.Scratch.Bytes
		own := bench
		own.Place, own.Scratch = c.place, c.lease.scratch
		own.Scratch.Bytes = min(own.Scratch.Bytes, bytes)
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			tr, err := do(joint, part, own)
			parts[i] = multiclient.Part{Host: c.host, Transcript: tr}
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
		return multiclient.Join(parts), first
	default:
		return multiclient.Join(parts), nil
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
			own = multiclient.On(c.host, own)
		}
		steps = append(steps, own...)
		c.lease.prepare = nil
	}
	return steps
}

// noteWhatToolsSay notes what the tool says of itself, of several hosts on each; what it
// says alike on all of them is said once.
func (e *Engine) noteWhatToolsSay(n assay.Noter, t assay.Trial, tr assay.Transcript) {
	about := t.Title
	if t.Peer != "" {
		about = t.Subject.Network // what is said of a way holds for all tests of it
	}
	parts := multiclient.Split(tr)
	said := map[assay.Note]int{}
	for _, part := range parts {
		for _, note := range n.Notes(part.Transcript) {
			said[note]++
		}
	}
	for _, part := range parts {
		for _, note := range n.Notes(part.Transcript) {
			if part.Host == "" || said[note] == len(parts) {
				e.noteOnce(note.ID, about+": "+note.Text)
			} else {
				e.noteOnce(note.ID, about+", "+part.Host+": "+note.Text)
			}
		}
	}
}

// apart says, once for a trial, that its hosts were not measured at one moment. It
// fails the repeat where they hardly were.
func (e *Engine) apart(t assay.Trial, rep assay.Repeat, length time.Duration) error {
	apart, whole := multiclient.Apart(rep.Transcript, rep.Measurements, length)
	if float64(apart) > hopelessSkew*float64(max(whole, time.Second)) { // no plan has shorter ones
		return assay.WithHint("run it when the hosts are less busy, or use longer repeats: --length 1m",
			"the hosts ran together for only %s of %s, so their results cannot be added up", overlap(whole-apart), overlap(whole))
	}
	if float64(apart) <= tolerableSkew*float64(whole) {
		return nil
	}
	about := t.Title + ": "
	e.mu.Lock()
	said := slices.ContainsFunc(e.run.Notes, func(n assay.Note) bool {
		return n.ID == "start-skew" && strings.HasPrefix(n.Text, about)
	})
	e.mu.Unlock()
	if !said {
		e.note("start-skew", fmt.Sprintf("%sfor %s of %s not all hosts were measuring: the total includes time when some were idle",
			about, overlap(apart), overlap(whole)))
	}
	return nil
}

func overlap(d time.Duration) string { return quantity.Duration(d.Seconds()) }

// steps are those that ran on one host.
func steps(tr assay.Transcript, host string) assay.Transcript {
	tr.Steps = slices.DeleteFunc(slices.Clone(tr.Steps), func(s assay.Step) bool { return s.Host != "" && s.Host != host })
	return tr
}

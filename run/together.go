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

// The share of a repeat on several hosts during which not all of them were
// measuring. What the others did in that time still counts in the total.
const (
	tolerableSkew = .05 // above this, it is noted
	hopelessSkew  = .5  // above this, no figure: the hosts hardly ran together
)

// client is a host, with its scratch space, that takes part in a repeat.
type client struct {
	host  string
	place assay.Place
	lease *lease
}

// clients returns the hosts that take part in a trial, the trial's own first.
// Missing scratch space is lent and prepared on all of them concurrently.
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

// lacking returns why one of the clients has no scratch space, nil if all have
// it.
func lacking(clients []client) error {
	for _, c := range clients {
		if c.lease.err != nil {
			return ofClient(c.host, c.lease.err, len(clients))
		}
	}
	return nil
}

// common returns the scratch space of the trial's own host, limited to what
// every client has: files of different sizes are not comparable.
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
			_, err = probe.Parse(tr) // a failed tool says so in its output, and ends the others
		}
		return tr, err
	})
}

// onEach calls do on the trial's host, or on each of its hosts: none begins before
// all are ready. The first to fail ends the others, and the error names it; the
// transcript holds what was run until then.
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

// ofClient adds the host to an error that lacks it, if there are several hosts.
func ofClient(host string, err error, clients int) error {
	words := err.Error()
	if clients == 1 || strings.HasPrefix(words, host+": ") || strings.Contains(words, "host "+host+":") {
		return err
	}
	return fmt.Errorf("host %s: %w", host, err)
}

// readied returns, once, the steps that prepared the clients' scratch space, for
// the transcript of the first repeat.
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

// noteWhatToolsSay adds the tool's notes on itself, for each of several hosts; a note
// common to all of them is added once.
func (e *Engine) noteWhatToolsSay(n assay.Noter, t assay.Trial, tr assay.Transcript) {
	about := t.Title
	if t.Peer != "" {
		about = t.Subject.Network // a note on a path holds for all its tests
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

// apart notes, once for a trial, that its hosts did not measure at the same time.
// It fails the repeat if they hardly did.
func (e *Engine) apart(t assay.Trial, rep assay.Repeat, length time.Duration) error {
	apart, whole := multiclient.Apart(rep.Transcript, rep.Measurements, length)
	if float64(apart) > hopelessSkew*float64(max(whole, time.Second)) { // no plan has shorter repeats
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

// steps returns the transcript of the steps on one host.
func steps(tr assay.Transcript, host string) assay.Transcript {
	tr.Steps = slices.DeleteFunc(slices.Clone(tr.Steps), func(s assay.Step) bool { return s.Host != "" && s.Host != host })
	return tr
}

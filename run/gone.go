package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/plan/multiclient"
)

// aliveBound is how long a host may take to respond: longer than a place needs
// to detect a dead connection and try another one.
const aliveBound = 40 * time.Second

// ends returns the hosts that a trial runs on.
func ends(t assay.Trial) []string {
	var hosts []string
	for _, s := range multiclient.Subjects(t) {
		hosts = append(hosts, s.Host)
	}
	if t.Peer != "" && t.Peer != t.Subject.Host {
		hosts = append(hosts, t.Peer)
	}
	return append(hosts, t.Helpers...)
}

// lookForHosts checks whether the hosts of a failed trial are still there, if
// their absence may be the cause: on a link, the remaining end reports only
// that the other did not answer.
func (e *Engine) lookForHosts(ctx context.Context, t assay.Trial, failure error) {
	if !errors.Is(failure, assay.ErrHostGone) && t.Peer == "" {
		return
	}
	var all sync.WaitGroup
	for _, host := range ends(t) {
		all.Go(func() {
			if why := e.alive(ctx, host); why != nil {
				e.giveUp(host, why)
			}
		})
	}
	all.Wait()
}

// alive returns nil if the host can be reached.
func (e *Engine) alive(ctx context.Context, host string) error {
	place := e.Places[host]
	if place == nil {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, aliveBound)
	defer cancel()
	_, err := place.Run(bounded, assay.Cmd{Argv: []string{"true"}, Timeout: aliveBound / 4})
	switch {
	case err == nil, ctx.Err() != nil:
		return nil // it answered, or the run was cancelled
	case errors.Is(err, assay.ErrHostGone), errors.Is(err, assay.ErrTimeout):
		return err
	case bounded.Err() != nil:
		return fmt.Errorf("host %s: no answer within %s", host, aliveBound)
	}
	return nil
}

// giveUp skips everything further on a host.
func (e *Engine) giveUp(host string, why error) {
	e.mu.Lock()
	_, known := e.gone[host]
	if !known {
		e.gone[host] = why
	}
	e.mu.Unlock()
	if !known {
		e.tell(Event{Kind: EventGone, Host: host, Text: why.Error()})
	}
}

func (e *Engine) isGone(host string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.gone[host] != nil
}

// whyGone returns why a host was given up, without its name.
func (e *Engine) whyGone(host string) string {
	return strings.TrimPrefix(e.gone[host].Error(), "host "+host+": ")
}

// goneOf returns the first host of a trial that is gone, "" if none is. e.mu is
// held.
func (e *Engine) goneOf(t assay.Trial) string {
	for _, host := range ends(t) {
		if e.gone[host] != nil {
			return host
		}
	}
	return ""
}

// tellGone records a lost host as the reason of the trials that have no number
// because of it, notes what else the loss cost, and returns how many repeats were
// missed.
func (e *Engine) tellGone(ctx context.Context) (cost int) {
	missed := map[string]int{}
	for _, slot := range e.plan.Schedule {
		result := e.run.Results[slot.Trial]
		made := slices.ContainsFunc(result.Repeats, func(r assay.Repeat) bool { return r.N == slot.Repeat && r.Outcome == assay.Done })
		if host := e.goneOf(e.plan.Trials[slot.Trial]); host != "" && !made {
			missed[host]++
			cost++
		}
	}
	for i := range e.run.Results {
		r := &e.run.Results[i]
		host := e.goneOf(e.plan.Trials[i])
		if host == "" || r.Trial.Absent != nil || len(r.Counted()) > 0 {
			continue
		}
		why := assay.Absence{Word: assay.Unknown, Why: assay.WentAway(host, e.whyGone(host)), Hint: e.hintGone(host), Gone: host}
		e.keep(e.Store.SetAbsent(context.WithoutCancel(ctx), e.run.ID, r.Trial, why))
		r.Trial.Absent = &why
	}
	for _, h := range e.run.Inventory.Hosts {
		if e.gone[h.Name] != nil && missed[h.Name] > 0 {
			e.note(assay.NoteHostGone, assay.WentAway(h.Name, e.whyGone(h.Name)))
		}
	}
	return cost
}

func (e *Engine) hintGone(host string) string {
	hint := fmt.Sprintf("when %s is back: assay run --resume %s", host, e.run.ID)
	if own := assay.Hint(e.gone[host]); own != "" {
		hint = own + "; " + hint
	}
	return hint
}

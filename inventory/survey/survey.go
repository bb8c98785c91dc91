package survey

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"assay"
	"assay/inventory"
	"assay/inventory/cluster"
)

// Opener opens a host's place. Ask closes it once the host has answered.
type Opener func(cluster.Host) (assay.Place, error)

// Answer is what one host reported, or why it did not.
type Answer struct {
	Host      cluster.Host
	Facts     assay.Facts
	Addresses []Address
	Err       error // of a host that could not be queried; all else is then empty
}

// Reason returns why a host did not answer, without its name in front; "" if it
// did.
func (a Answer) Reason() string {
	if a.Err == nil {
		return ""
	}
	text := a.Err.Error()
	for {
		rest, cut := strings.CutPrefix(text, "host "+a.Host.Name+": ")
		if !cut {
			rest, cut = strings.CutPrefix(text, "host "+a.Host.Address+": ")
		}
		if !cut {
			return text
		}
		text = rest
	}
}

// Options say what to query besides the facts.
type Options struct {
	Tools []string // programs to look for
	// WindowsTools are further programs to look for on Windows hosts.
	WindowsTools []string
	// Mounts adds to the facts the file systems that a host could measure,
	// besides the directories that it does.
	Mounts bool
}

// patience bounds one host from start to end: the bound of the facts, plus a
// slow connection setup.
const patience = 4 * time.Minute

// Ask queries all hosts concurrently and returns their answers in the order of
// hosts, once the last has answered. Cancelling ctx ends it at once, and is the
// reason of those that had not answered.
func Ask(ctx context.Context, hosts []cluster.Host, open Opener, o Options) []Answer {
	answers := make([]Answer, len(hosts))
	var all sync.WaitGroup
	for i, h := range hosts {
		all.Add(1)
		go func() {
			defer all.Done()
			answers[i] = ask(ctx, h, open, o)
		}()
	}
	all.Wait()
	return answers
}

func ask(ctx context.Context, h cluster.Host, open Opener, o Options) Answer {
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	a, err := visit(bounded, h, open, o)
	if err == nil {
		return a
	}
	if bounded.Err() != nil && ctx.Err() == nil && !errors.Is(err, assay.ErrTimeout) {
		err = fmt.Errorf("host %s: no answer within %s: %w", h.Name, patience, assay.ErrTimeout)
	}
	return Answer{Host: h, Err: err}
}

func visit(ctx context.Context, h cluster.Host, open Opener, o Options) (Answer, error) {
	at, err := open(h)
	if err != nil {
		return Answer{}, err
	}
	defer at.Close()
	f, seen, err := facts(ctx, at, h, o)
	if err != nil {
		return Answer{}, err
	}
	f.Host = h.Name
	if seen.silent {
		f.Missing = append(f.Missing, assay.MissingFact{
			Fact: "addresses", Why: "the ip command is missing on the host", Hint: "install iproute2",
		})
	}
	return Answer{Host: h, Facts: f, Addresses: seen.addresses}, nil
}

// facts queries facts and addresses in one go, unless it must look first to
// know which directories to query.
func facts(ctx context.Context, at assay.Place, h cluster.Host, o Options) (f assay.Facts, seen sight, err error) {
	dirs := slices.Clone(h.Measure.Directories)
	if at.Host().OS == assay.Windows { // its addresses and mounts are not queried
		f, err = inventory.Discover(ctx, at, dirs, slices.Concat(o.Tools, o.WindowsTools))
		return f, seen, err
	}
	if o.Mounts {
		if seen, err = look(ctx, at); err != nil {
			return f, seen, err
		}
		f, err = inventory.Discover(ctx, at, append(dirs, seen.candidates()...), o.Tools)
		return f, seen, err
	}
	f, answer, err := inventory.DiscoverAnd(ctx, at, dirs, o.Tools, script)
	if err != nil {
		return f, seen, err
	}
	if seen, err = parse(answer); err != nil {
		return f, seen, fmt.Errorf("host %s: %w", h.Name, err)
	}
	return f, seen, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"assay"
)

const (
	factsHosts  = 16
	factsRounds = 12 // an interval that tolerates two outliers on either side
)

// measureFacts times gathering all facts of the hosts, in turns with ansible on
// the same hosts with the same ssh configuration, and with connections alone.
// Every turn of each begins without any connection.
func measureFacts(ctx context.Context, w wish, dir string, say func(string)) (rows []row, notes []string, err error) {
	what := fmt.Sprintf("facts of %d hosts", factsHosts)
	if missing := noLab(row{what: what, claim: fifthOfTheTime}); missing != nil {
		return missing, nil, nil
	}
	if w.ansible == "" {
		return []row{{what: what, claim: fifthOfTheTime, missing: "name an ansible with -ansible (make bench does)"}}, nil, nil
	}
	err = withHosts(ctx, w, dir, factsHosts, say, func(s site) (err error) {
		peer, err := newAnsible(ctx, s, w.ansible)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, peer.hangUp(ctx)) }()
		if rows, err = factsRows(ctx, s, peer, what); err != nil {
			return err
		}
		notes = append(notes, fmt.Sprintf("%s: %s, %d forks, every turn with new connections; neither becomes root; all hosts share the CPUs with what asks them",
			what, peer.version, factsHosts))
		return nil
	})
	return rows, notes, err
}

func factsRows(ctx context.Context, s site, peer *ansible, what string) ([]row, error) {
	file, err := s.write(sheet{name: "facts", hosts: s.lab.Names()})
	if err != nil {
		return nil, err
	}
	own := s.assay("hosts", "-i", file)
	var ownCPU, peerCPU []float64
	s.say(fmt.Sprintf("%s: %d rounds against ansible", what, factsRounds))
	times, err := turns(ctx, factsRounds,
		func(ctx context.Context) error {
			done, err := own.run(ctx)
			ownCPU = append(ownCPU, done.cpu)
			return err
		},
		func(ctx context.Context) error {
			done, err := peer.setup(false).run(ctx)
			peerCPU = append(peerCPU, done.cpu)
			return err
		},
		func(ctx context.Context) error { _, err := peer.setup(true).run(ctx); return err },
		s.connect)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, c := range []struct {
		what, against string
		own, peer     []float64
		claim         claim
	}{
		{what, "ansible -m setup", times[0], times[1], fifthOfTheTime},
		{what, "ansible with pipelining", times[0], times[2], claim{}},
		{what, "ssh HOST true", times[0], times[3], claim{}},
		{what + ", CPU time of the asker", "ansible -m setup", ownCPU[1:], peerCPU[1:], claim{}},
	} {
		r, err := compare(c.what, c.against, assay.Seconds, c.own, c.peer, c.claim)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// connect connects to all hosts at once and has each do nothing: the least that
// anyone querying them over ssh must wait for.
func (s site) connect(ctx context.Context) error {
	errs := make([]error, len(s.lab.Names()))
	var all sync.WaitGroup
	for i, name := range s.lab.Names() {
		all.Go(func() {
			_, errs[i] = execute(ctx, []string{"ssh", "-F", s.lab.Config(), "-o", "BatchMode=yes", name, "true"})
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

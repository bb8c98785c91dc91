package session

import (
	"context"
	"slices"
	"sync"
	"time"

	"assay"
	"assay/incident"
	"assay/incident/collect"
	"assay/incident/decide"
	"assay/inventory/cluster"
	"assay/inventory/survey"
	placeall "assay/place/all"
)

// Gathered is what hosts know about their own problems.
type Gathered struct {
	Log     incident.Log
	Answers []collect.Answer
	Down    []Down
}

// atOnce is how many hosts are asked concurrently: the output of each is held in memory
// until it is read.
const atOnce = 16

// GatherHere gathers from this machine.
func GatherHere(ctx context.Context, since time.Duration) (Gathered, error) {
	at := placeall.Local(thisHost(), NewRunID(time.Now()))
	defer at.Close()
	a, err := collect.Host(ctx, at, since)
	if err != nil {
		return Gathered{}, err
	}
	return Gathered{Log: a.Log, Answers: []collect.Answer{a}}, nil
}

// MeasureHere carries out reads on this machine.
func MeasureHere(ctx context.Context, reads []decide.Read) ([]decide.Measured, error) {
	at := placeall.Local(thisHost(), NewRunID(time.Now()))
	defer at.Close()
	return decide.Host(ctx, at, reads)
}

// Measure carries out reads on their hosts in a cluster, concurrently. For an
// unreachable host, each of its reads says so.
func Measure(ctx context.Context, c cluster.Cluster, hosts []cluster.Host, reads []decide.Read, by Recordings) ([]decide.Measured, error) {
	open, err := by.opener(c, NewRunID(time.Now()))
	if err != nil {
		return nil, err
	}
	return measure(ctx, hosts, reads, open)
}

func measure(ctx context.Context, hosts []cluster.Host, reads []decide.Read, open survey.Opener) ([]decide.Measured, error) {
	of := make([][]decide.Measured, len(hosts))
	room := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for i, h := range hosts {
		own := slices.DeleteFunc(slices.Clone(reads), func(r decide.Read) bool { return r.Host != h.Name })
		if len(own) == 0 {
			continue
		}
		all.Add(1)
		go func() {
			defer all.Done()
			room <- struct{}{}
			defer func() { <-room }()
			at, err := open(h)
			if err == nil {
				of[i], err = decide.Host(ctx, at, own)
				_ = at.Close() // the results are valid anyway
			}
			if err != nil {
				of[i] = decide.Failed(own, survey.Answer{Host: h, Err: err}.Reason())
			}
		}()
	}
	all.Wait()
	return slices.Concat(of...), ctx.Err()
}

// Gather asks hosts of a cluster, concurrently. It is read-only.
func Gather(ctx context.Context, c cluster.Cluster, hosts []cluster.Host, since time.Duration, by Recordings) (Gathered, error) {
	open, err := by.opener(c, NewRunID(time.Now()))
	if err != nil {
		return Gathered{}, err
	}
	hosts, _ = cluster.Standing(hosts)
	answers, errs := make([]collect.Answer, len(hosts)), make([]error, len(hosts))
	room := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for i, h := range hosts {
		all.Add(1)
		go func() {
			defer all.Done()
			room <- struct{}{}
			defer func() { <-room }()
			var at assay.Place
			if at, errs[i] = open(h); errs[i] != nil {
				return
			}
			answers[i], errs[i] = collect.Host(ctx, at, since)
			if err := at.Close(); errs[i] == nil {
				errs[i] = err
			}
		}()
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return Gathered{}, err
	}
	var g Gathered
	var logs []incident.Log
	for i, h := range hosts {
		if errs[i] != nil {
			g.Down = append(g.Down, Down{Host: h.Name, Why: survey.Answer{Host: h, Err: errs[i]}.Reason(), Hint: assay.Hint(errs[i])})
			continue
		}
		g.Answers = append(g.Answers, answers[i])
		logs = append(logs, answers[i].Log)
	}
	g.Log = incident.Merge(logs...)
	return g, nil
}

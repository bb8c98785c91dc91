package session

import (
	"context"
	"sync"
	"time"

	"assay"
	"assay/incident"
	"assay/incident/collect"
	"assay/inventory/cluster"
	"assay/inventory/survey"
	placeall "assay/place/all"
)

// Gathered is what hosts know of their own troubles.
type Gathered struct {
	Log     incident.Log
	Answers []collect.Answer
	Down    []Down
}

// atOnce is how many hosts are asked at the same time: what each prints is held in memory
// until it is read.
const atOnce = 16

// GatherHere asks this machine.
func GatherHere(ctx context.Context, since time.Duration) (Gathered, error) {
	at := placeall.Local(thisHost(), NewRunID(time.Now()))
	defer at.Close()
	a, err := collect.Host(ctx, at, since)
	if err != nil {
		return Gathered{}, err
	}
	return Gathered{Log: a.Log, Answers: []collect.Answer{a}}, nil
}

// Gather asks hosts of a cluster, concurrently. It reads only.
func Gather(ctx context.Context, c cluster.Cluster, hosts []cluster.Host, since time.Duration, by Recordings) (Gathered, error) {
	open, err := by.opener(c, NewRunID(time.Now()))
	if err != nil {
		return Gathered{}, err
	}
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

package reporttest

import (
	"time"

	"assay"
	"assay/stacks/failover"
)

// FailedOver returns a run in which something was stopped three times; the second time had the
// longest silence.
func FailedOver() assay.Run {
	e := failover.Entry{Name: "vip", Host: "lb1", Service: "keepalived", Address: "10.0.0.9", Observers: []string{"web1", "web2"}}
	r := assay.Result{Trial: assay.Trial{
		ID: "failover/failover@lb1/failover/vip", Probe: "failover", Case: "failover", Title: "failover of vip", Repeats: 3,
		Subject: assay.Subject{ID: "lb1/failover/vip", Kind: assay.KindFailover, Host: "lb1", Name: "vip", Params: e.Params()},
	}}
	started := time.Date(2026, 11, 26, 6, 0, 0, 0, time.UTC)
	for i, silent := range []float64{2.9, 3.05, 3} {
		const off = .0009
		moments := []assay.Moment{
			{What: assay.Stopping, By: "lb1", At: 1}, {What: assay.Stopped, By: "lb1", At: 1.04},
			{What: assay.LastAnswer, By: "web1", At: 1.03, Error: off}, {What: assay.Unanswered, By: "web1", At: 1.04, Error: off},
			{What: assay.Answer, By: "web1", On: "lb2", At: 1.03 + silent, Error: off},
			{What: assay.NeighbourMoved, By: "web1", At: 1 + silent, Error: off},
			{What: assay.LastAnswer, By: "web2", At: 1.032, Error: off}, {What: assay.Unanswered, By: "web2", At: 1.042, Error: off},
			{What: assay.Answer, By: "web2", On: "lb2", At: 1.028 + silent, Error: off},
			{What: assay.NotWhole, By: "web1", At: 1.3, Error: off},
			{What: assay.LoadStood, By: "web2", At: 1.05, Error: off}, {What: assay.LoadSlowed, By: "web2", At: 1.05 + silent, Error: off},
			{What: assay.LoadBack, By: "web2", At: 9.05, Error: off},
			{What: assay.Starting, By: "lb1", At: 7.1}, {What: assay.Started, By: "lb1", At: 7.6},
			{What: assay.LastAnswer, By: "web2", At: 8.2, Error: off}, {What: assay.Answer, By: "web2", At: 8.35, Error: off},
			{What: assay.Whole, By: "web1", At: 9.9, Error: off},
		}
		rep := assay.Repeat{N: i + 1, Outcome: assay.Done, Started: started, Elapsed: 20 * time.Second, Measurements: []assay.Measurement{
			{Metric: "failover.time", Value: silent, Unit: assay.Seconds}, {Metric: "failover.time.least", Value: silent - .004, Unit: assay.Seconds},
			{Metric: "failover.load.before", Value: 812, Unit: assay.PerSecond, Labels: map[string]string{"host": "web2"}},
			{Metric: "failover.load.stopped", Value: 203, Unit: assay.PerSecond, Labels: map[string]string{"host": "web2"}},
		}}
		rep.Measurements = append(rep.Measurements, assay.Moments("failover", moments)...)
		r.Repeats = append(r.Repeats, rep)
	}
	return assay.Run{
		ID: "r1", Suite: "failover", Status: assay.RunDone, Started: started, Elapsed: time.Minute,
		Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "lb1"}, {Name: "web1"}, {Name: "web2"}}}, Results: []assay.Result{r},
	}
}

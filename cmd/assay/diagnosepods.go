package main

import (
	"context"
	"time"

	"assay/incident"
	"assay/inventory/cluster"
	"assay/report/incidentview"
	"assay/run/session"
)

// askedPods is what a Kubernetes cluster reported, in terms of a diagnosis.
type askedPods struct {
	log  incident.Log
	pods []incidentview.Pod
	rows []incidentview.Collected
	err  error
}

// podsOf queries the Kubernetes that a cluster.yaml names, if the whole cluster is
// diagnosed. Recordings of hosts do not contain its answers.
func (a *app) podsOf(ctx context.Context, c cluster.Cluster, whole bool, since time.Duration, by session.Recordings) []askedPods {
	if c.Kubernetes == nil || !whole {
		return nil
	}
	if by.Record != "" || by.Replay != "" {
		return []askedPods{{rows: []incidentview.Collected{{Host: "kubernetes", What: "pods", Absent: "not supported: recordings are of hosts"}}}}
	}
	answer, err := session.GatherPods(ctx, c, since)
	if err != nil {
		return []askedPods{{err: err}}
	}
	k := askedPods{log: answer.Log}
	name := "kubernetes " + answer.Cluster
	for _, r := range answer.Records {
		k.rows = append(k.rows, incidentview.Collected{Host: name, What: r.Name, Lines: r.Lines, Absent: r.Absent})
	}
	if len(c.Hosts) == 0 {
		k.rows = append(k.rows, incidentview.Collected{Host: name, What: "kernel logs, SMART and mounts of nodes",
			Absent: "not supported: Kubernetes does not tell them; name the nodes under hosts: to have them asked over SSH"})
	}
	for _, p := range answer.Pods {
		shown := incidentview.Pod{Name: p.Name, Node: p.Node, Container: p.Container, State: p.State, Restarts: p.Restarts, Exit: p.Exit, Ended: p.Ended, Said: p.Said}
		for _, v := range p.Volumes {
			shown.Volumes = append(shown.Volumes, v.String())
		}
		k.pods = append(k.pods, shown)
	}
	return []askedPods{k}
}

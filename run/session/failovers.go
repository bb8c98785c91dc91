package session

import (
	"context"
	"slices"
	"time"

	"assay"
	"assay/inventory/cluster"
	"assay/stacks/failover"
	"assay/volume/stopped"
)

// Stopping describes what a run is about to stop, for whoever confirms it.
type Stopping struct {
	Name, Host, What string
	Stop, Start      string // the commands
	By               string // the host that runs them
	Command          string // that the observers run again and again; "" where they ask an address
	Failback         string // run by the first of them before and after each stop
	Load, Loader     string // what runs meanwhile, and the host on which it does; "" for nothing
	Observers        []string
	AtMost           time.Duration
}

// stops reports whether something is stopped to make others take over.
func (s *Session) stops() bool { return s.measures(assay.KindFailover) }

// stopping returns the hosts of a run that stops something on chosen hosts (these, the
// observers, and those that run the commands) and what is stopped, by host.
func stopping(c cluster.Cluster, chosen []cluster.Host) (hosts []cluster.Host, stops map[string][]assay.Subject) {
	stops = map[string][]assay.Subject{}
	chosen, _ = cluster.Standing(chosen)
	wanted := map[string]bool{}
	for _, h := range chosen {
		wanted[h.Name] = true
	}
	for _, e := range c.Failover {
		if !slices.ContainsFunc(chosen, func(h cluster.Host) bool { return h.Name == e.Host }) {
			continue
		}
		for _, host := range append([]string{e.Where()}, e.Observers...) {
			wanted[host] = true
		}
		stops[e.Host] = append(stops[e.Host], assay.Subject{
			ID: e.Host + "/" + string(assay.KindFailover) + "/" + e.Name, Kind: assay.KindFailover, Host: e.Host, Name: e.Name,
			Volume: stopped.Kind, Params: e.Params(),
		})
	}
	return slices.DeleteFunc(slices.Clone(c.Hosts), func(h cluster.Host) bool { return !wanted[h.Name] }), stops
}

// mayStop returns a subject that may be stopped, or why it may not.
func (s *Session) mayStop(ctx context.Context, id string) (assay.Subject, error) {
	at := slices.IndexFunc(s.inventory.Subjects, func(other assay.Subject) bool { return other.ID == id })
	if at < 0 {
		return assay.Subject{}, invalid(assay.WithHint("list it under failover: in the cluster.yaml", "%s is not among what may be stopped", id))
	}
	subject := s.inventory.Subjects[at]
	e, _, err := failover.Of(subject.Params)
	if err != nil {
		return subject, invalid(err)
	}
	stop, start, _ := e.Scripts()
	what := Stopping{Name: e.Name, Host: e.Host, What: e.What(), Stop: stop, Start: start, By: e.Where(), Command: e.Command, Failback: e.Failback, Load: e.Load, Loader: e.Loader(), Observers: e.Observers, AtMost: e.AtMost()}
	if e.Confirm != e.Host && (s.options.ConfirmStop == nil || !s.options.ConfirmStop(ctx, what)) {
		return subject, invalid(assay.WithHint("answer on a terminal, or repeat the host in the cluster.yaml, under failover: "+e.Name+": confirm: "+e.Host,
			"%s on %s is not stopped: nobody confirmed that it may be", e.What(), e.Host))
	}
	subject.Params = e.Confirmed()
	return subject, nil
}

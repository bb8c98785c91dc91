package cluster

import (
	"slices"
	"strconv"
	"time"

	"assay/internal/lazyregexp"
	"assay/internal/yamldoc"
	"assay/stacks/failover"
)

// failovers reads what may be stopped so that others take over.
func (r *reader) failovers(n yamldoc.Node, c *Cluster) {
	standing, _ := Standing(c.Hosts)
	known := hostNames(standing)
	seen := map[string]string{}
	for _, p := range n.Pairs() {
		e := failover.Entry{Name: p.Key}
		r.named(p, "failover", seen)
		p.What = "failover " + p.Key
		before := r.Faults()
		text := func(into *string) func(yamldoc.Node) {
			return func(n yamldoc.Node) {
				said, is := n.Text()
				if *into = said; is && said == "" {
					n.Fault("%s: empty", n.What)
				}
			}
		}
		host := func(into *string) func(yamldoc.Node) {
			return func(n yamldoc.Node) { *into = r.reference(n, known) }
		}
		p.Fields(fields{
			"host": host(&e.Host), "by": host(&e.By), "confirm": text(&e.Confirm),
			"service": text(&e.Service), "kill": text(&e.Kill), "link": text(&e.Link), "promoter": text(&e.Promoter), "ha": text(&e.HA),
			"stop": text(&e.Stop), "start": text(&e.Start), "running": text(&e.Running),
			"address": text(&e.Address), "http": text(&e.HTTP), "command": text(&e.Command), "whole": text(&e.Whole), "failback": text(&e.Failback), "load": text(&e.Load),
			"port":   func(n yamldoc.Node) { e.Port = n.Integer(leastPort, mostPort) },
			"status": func(n yamldoc.Node) { e.Status = n.Integer(100, 599) },
			"observers": func(n yamldoc.Node) {
				if e.Observers = r.references(n, "host", known); n.IsList() && len(n.Items()) == 0 {
					n.Fault("%s: empty; the first two other hosts observe where nobody is named", n.What)
				}
			},
			"heals":   func(n yamldoc.Node) { e.Heals = n.Truth() },
			"timeout": func(n yamldoc.Node) { e.Timeout = span(n) },
			"for":     func(n yamldoc.Node) { e.For = span(n) },
			"within":  func(n yamldoc.Node) { e.Within = span(n) },
		})
		if r.Faults() > before || !p.IsMap() {
			continue
		}
		switch {
		case e.Host == "":
			p.FaultKey("%s: on which host is it stopped? For example %q", p.What, "host: "+known[0])
			continue
		case e.Address == "" && e.Command == "":
			p.FaultKey("%s: what has to answer? For example %q, or %q", p.What, "address: 10.0.0.9", "command: ceph -s")
			continue
		case len(e.Observers) == 0:
			e.Observers = c.outside(e)
		}
		if len(e.Observers) == 0 {
			p.FaultKey("%s: from where is it observed? The file needs another host than %s", p.What, e.Host)
			continue
		}
		e = e.Completed()
		if err := e.Check(); err != nil {
			p.FaultKey("%s: %w", p.What, err)
			continue
		}
		c.Failover = append(c.Failover, e)
	}
}

// outside returns the default observers: the first hosts that are not stopped, do not run
// on the one that is, and do not carry out the stop.
func (c Cluster) outside(e failover.Entry) (hosts []string) {
	for _, h := range c.Hosts {
		if !h.Made() && h.Name != e.Host && h.Name != e.By && (h.Guest == nil || h.Guest.On != e.Host) && len(hosts) < failover.MostObservers {
			hosts = append(hosts, h.Name)
		}
	}
	if len(hosts) == 0 && e.By != "" && e.By != e.Host {
		hosts = []string{e.By}
	}
	return slices.Clip(hosts)
}

var spanPattern = lazyregexp.New(`^([1-9][0-9]{0,3})([sm])$`)

// span reads a duration such as 90s or 2m.
func span(n yamldoc.Node) time.Duration {
	text, ok := n.Text()
	m := spanPattern.FindStringSubmatch(text)
	if m == nil {
		if ok {
			n.Fault("%s: %q is not a time such as 90s or 2m", n.What, yamldoc.Clip(text))
		}
		return 0
	}
	count, _ := strconv.Atoi(m[1]) // checked by the pattern
	return time.Duration(count) * map[string]time.Duration{"s": time.Second, "m": time.Minute}[m[2]]
}

package analysis

import (
	"slices"
	"strings"

	"assay"
	"assay/analysis/hypotheses"
	"assay/internal/quantity"
)

func quantityOf(metric string, v float64) string { return quantity.Of(metric, v) }

// evidence is what is known about all hosts besides their figures.
type evidence struct {
	facts            map[string]assay.Facts
	counted          map[string]hypotheses.Counted
	labels           map[string]map[string]string
	rules, unchecked map[string][]string // hosts, by audit rule
	strays           []hypotheses.Stray
	silent           map[[2]string]bool  // paths that silently drop large packets
	twins            map[string][]string // hosts that share an address with a host
}

// known gathers the evidence.
func (b *builder) known(s *Side) evidence {
	e := evidence{
		facts: map[string]assay.Facts{}, counted: b.counted(), labels: map[string]map[string]string{},
		rules: map[string][]string{}, unchecked: map[string][]string{}, silent: map[[2]string]bool{}, twins: map[string][]string{},
	}
	for _, h := range s.Hosts {
		f := b.run.Inventory.Facts[h]
		f.Host = h
		e.facts[h], e.labels[h] = f, b.labelsOf(h)
	}
	for _, n := range b.footnotes {
		if n.Severity == assay.Warns {
			e.rules[n.Rule] = appendOnce(e.rules[n.Rule], hostOfSubject(n.Subject))
		}
	}
	for _, n := range b.open {
		e.unchecked[n.Rule] = appendOnce(e.unchecked[n.Rule], hostOfSubject(n.Subject))
	}
	for _, r := range b.run.Results {
		if r.Trial.Subject.Kind == assay.KindLink {
			e.follow(r, b.run.Inventory)
		}
	}
	return e
}

// hostOfSubject returns the host from the ID of a trial,
// "fio/randread-4k@pve1/directory/srv", or from a plain host name.
func hostOfSubject(subject string) string {
	if _, of, is := strings.Cut(subject, "@"); is {
		subject = of
	}
	host, _, _ := strings.Cut(subject, "/")
	return host
}

// follow records which paths the packets of a link took.
func (e *evidence) follow(r assay.Result, inv assay.Inventory) {
	s := r.Trial.Subject
	direct := slices.ContainsFunc(inv.Networks, func(n assay.Network) bool { return n.Name == s.Network && n.Direct })
	for _, rep := range r.Counted() {
		for _, m := range rep.Measurements {
			from, to := s.Host, s.Peer
			if m.Labels["direction"] == "reverse" {
				from, to = to, from
			}
			stray := hypotheses.Stray{From: from, To: to, Network: s.Network}
			switch {
			case m.Labels["network_asked"] != "":
				stray.Asked, stray.Took = m.Labels["network_asked"], "over "+m.Labels["network"]
			case m.Labels["own_interface"] != "" && !direct:
				stray.Asked, stray.Took = m.Labels["own_interface"]+" of "+s.Network, "over "+m.Labels["interface"]
			case strings.HasPrefix(m.Labels["route"], "through ") && !direct:
				stray.Asked, stray.Took = "straight over "+s.Network, m.Labels["route"] // through host4
			}
			if stray.Took != "" && !slices.Contains(e.strays, stray) {
				e.strays = append(e.strays, stray)
			}
			if m.Labels["beyond"] == "silence" {
				e.silent[[2]string{from, to}] = true
			}
			for twin := range strings.FieldsSeq(m.Labels["also_has"]) {
				// from also has an address of twin
				e.twins[twin] = appendOnce(e.twins[twin], from)
			}
		}
	}
}

// lone returns the strays of hosts with only one stray path: the path is at fault,
// not the host.
func (e evidence) lone() []hypotheses.Stray {
	return slices.DeleteFunc(slices.Clone(e.strays), func(s hypotheses.Stray) bool { return e.straysFrom(s.From) > 1 })
}

// straysFrom counts the hosts to which a host's packets stray.
func (e evidence) straysFrom(host string) int {
	var to []string
	for _, s := range e.strays {
		if s.From == host {
			to = appendOnce(to, s.To)
		}
	}
	return len(to)
}

// of returns what is known about one suspect.
func (e evidence) of(host, peer string) hypotheses.Suspect {
	s := hypotheses.Suspect{
		Host: host, Peer: peer, Facts: e.facts, Counted: e.counted, Labels: e.labels,
		Rules: e.rules, Unchecked: e.unchecked, Twins: e.twins[host],
	}
	for _, stray := range e.strays {
		several := e.straysFrom(stray.From) > 1
		if peer == "" && stray.From == host && several || stray.From == host && stray.To == peer && !several {
			s.Strays = append(s.Strays, stray)
		}
	}
	for path := range e.silent {
		ends := path[0] == host || path[1] == host
		if ends && (peer == "" || path[0] == peer || path[1] == peer) {
			s.Silent = true
		}
	}
	return s
}

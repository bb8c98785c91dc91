package plan

import (
	"slices"
	"strings"
	"time"

	"assay"
	"assay/plan/multiclient"
)

// shared prefixes the names of claims that are not a host's subject: an uplink,
// a pool, a power circuit that several hosts use.
const shared = "shared/"

// claims returns what a trial needs exclusively: its probe's claims, and each
// shared resource that it uses.
func claims(t assay.Trial, resources []assay.Resource) []string {
	all := slices.Clone(t.Claims) // a probe may share one list among several trials
	for _, r := range resources {
		if name := shared + r.Name; uses(t, r) && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// uses reports whether a trial uses a resource on any of its hosts.
func uses(t assay.Trial, r assay.Resource) bool {
	return slices.ContainsFunc(multiclient.Subjects(t), func(s assay.Subject) bool { return usesOn(t, s, r) })
}

// usesOn reports whether a trial on a subject uses a resource: through its network,
// its host or the peer host, or its directory.
func usesOn(t assay.Trial, s assay.Subject, r assay.Resource) bool {
	if s.Network != "" && slices.Contains(r.Networks, s.Network) {
		return true
	}
	if len(r.Directories) > 0 {
		return s.Kind == assay.KindDirectory && r.Holds(s.Host, s.Name)
	}
	return slices.Contains(r.Hosts, s.Host) || t.Peer != "" && slices.Contains(r.Hosts, t.Peer) ||
		slices.ContainsFunc(t.Helpers, func(h string) bool { return slices.Contains(r.Hosts, h) })
}

// Needs returns what a trial must have exclusively while it runs: its hosts, the peer host,
// helpers, and what it shares with trials elsewhere. Two trials on one host would measure each
// other; two on different hosts do not.
func Needs(t assay.Trial) []string {
	var needs []string
	for _, s := range multiclient.Subjects(t) {
		needs = append(needs, "host/"+s.Host)
	}
	if t.Peer != "" && t.Peer != t.Subject.Host {
		needs = append(needs, "host/"+t.Peer)
	}
	for _, h := range t.Helpers {
		needs = append(needs, "host/"+h)
	}
	for _, c := range t.Claims {
		if strings.HasPrefix(c, shared) {
			needs = append(needs, c)
		}
	}
	return needs
}

// Cost returns the planned duration of a slot.
func (p *Plan) Cost(s Slot) time.Duration {
	t := p.Trials[s.Trial]
	if s.Repeat == 0 {
		return t.Warmup + t.Overhead
	}
	return t.Length + t.Overhead
}

// Course returns how long slots take in their order if no scratch space is ready: a slot
// begins when everything it needs is free, and never before an earlier one that shares a
// need.
func (p *Plan) Course(slots []Slot) time.Duration { return p.CourseFrom(slots, nil, Filled{}) }

// CourseFrom returns how long slots take if some scratch spaces are ready. Slots that
// need others wait for them to be lent and written, once, on all of their hosts in
// parallel, as fast as the ones before.
func (p *Plan) CourseFrom(slots []Slot, ready func(space string) bool, so Filled) time.Duration {
	free := map[string]time.Duration{}
	filled := map[string]bool{}
	end := time.Duration(0)
	for _, s := range slots {
		t := p.Trials[s.Trial]
		needs := Needs(t)
		at := time.Duration(0)
		for _, n := range needs {
			at = max(at, free[n])
		}
		at += p.Cost(s) + p.Readying(t, func(space string) bool {
			known := filled[space] || ready != nil && ready(space)
			filled[space] = true
			return known
		}, so)
		for _, n := range needs {
			free[n] = at
		}
		end = max(end, at)
	}
	return end
}

// Readying returns how long a trial's scratch spaces take that are not ready.
func (p *Plan) Readying(t assay.Trial, ready func(space string) bool, so Filled) time.Duration {
	most := time.Duration(0)
	if t.Scratch == 0 {
		return 0
	}
	for _, part := range multiclient.Parts(t) {
		if !ready(Space(part)) {
			most = max(most, p.toFill(part, so))
		}
	}
	return most
}

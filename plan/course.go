package plan

import (
	"strings"
	"time"

	"assay"
)

// shared begins the names of claims that are no subject of a host: an uplink, a
// pool, a power circuit that several hosts use.
const shared = "shared/"

// Needs are what a trial must have to itself while it runs: its host, the host
// at the other end, and what it shares with trials elsewhere. Two trials on one
// host would measure each other; two on different hosts do not.
func Needs(t assay.Trial) []string {
	needs := []string{"host/" + t.Subject.Host}
	if t.Peer != "" && t.Peer != t.Subject.Host {
		needs = append(needs, "host/"+t.Peer)
	}
	for _, c := range t.Claims {
		if strings.HasPrefix(c, shared) {
			needs = append(needs, c)
		}
	}
	return needs
}

// Cost is how long a slot takes by plan.
func (p *Plan) Cost(s Slot) time.Duration {
	t := p.Trials[s.Trial]
	if s.Repeat == 0 {
		return t.Warmup + t.Overhead
	}
	return t.Length + t.Overhead
}

// Course is how long slots take in their order: one begins when all that it
// needs is free, and never before an earlier one that needs some of it too.
// Those that need scratch space wait for it to be readied, once.
func (p *Plan) Course(slots []Slot) time.Duration {
	free := map[string]time.Duration{}
	prepared := map[string]bool{}
	end := time.Duration(0)
	for _, s := range slots {
		t := p.Trials[s.Trial]
		needs := Needs(t)
		at := time.Duration(0)
		for _, n := range needs {
			at = max(at, free[n])
		}
		at += p.Cost(s)
		if lease := t.Subject.ID + t.Volume + t.Probe; t.Scratch > 0 && !prepared[lease] {
			prepared[lease] = true
			at += p.Prepare
		}
		for _, n := range needs {
			free[n] = at
		}
		end = max(end, at)
	}
	return end
}

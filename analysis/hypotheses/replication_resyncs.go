package hypotheses

import (
	"slices"
	"strings"

	"assay"
)

// replicationResyncs is replicated storage that restores lost copies.
var replicationResyncs = Hypothesis{
	ID: "replication-resyncs", Layer: "storage", Name: "a replication resync in progress", Usual: 4,
	Slows:   slows(.6, storage...).and(sometimes, rates...),
	Clues:   []Clue{{Ask: resyncsAlone, If: .9, Else: .01, Proves: true, Says: "its replicated storage is not in sync ({own})"}},
	Decides: "ceph -s, drbdadm status or the like",
	Remedy:  "Let the storage of {host} finish, then measure again: ceph -s, drbdadm status",
}

// resyncsAlone asks whether the host's replicated storage makes copies. What all hosts share
// explains nothing about one of them.
func resyncsAlone(s *Suspect) Answer {
	a := stackBusy(s.own().Stack)
	alike := func(host string) bool {
		stack := s.Facts[host].Stack
		theirs := stackBusy(stack)
		return theirs.Own == a.Own || theirs.Is == Yes && stack.Kind == "ceph" // one cluster, asked a moment earlier or later
	}
	if a.Is == Yes && len(s.Others) > 0 && !slices.ContainsFunc(s.Others, func(h string) bool { return !alike(h) }) {
		a.Is = No
	}
	return a
}

// stackBusy asks whether replicated storage makes copies. Ceph's health is about much else.
func stackBusy(s *assay.StackFacts) Answer {
	switch {
	case s == nil || s.Health == "" && s.Lacking == "":
		return Answer{}
	case s.Lacking != "":
		return Answer{Is: Yes, Own: s.Lacking}
	case s.Kind == "ceph":
		return Answer{Is: No}
	}
	sound := []string{"HEALTH_OK", "UpToDate", "healthy", "online"}
	for _, word := range sound {
		if strings.Contains(s.Health, word) {
			return Answer{Is: No}
		}
	}
	return Answer{Is: Yes, Own: s.Health}
}

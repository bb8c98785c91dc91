package hypotheses

import (
	"strings"

	"assay"
)

// replicationResyncs is replicated storage that restores lost copies.
var replicationResyncs = Hypothesis{
	ID: "replication-resyncs", Layer: "storage", Name: "a replication resync in progress", Usual: 4,
	Slows:   slows(.6, storage...).and(sometimes, rates...),
	Clues:   []Clue{{Ask: func(s *Suspect) Answer { return stackBusy(s.own().Stack) }, If: .9, Else: .01, Proves: true, Says: "its replicated storage is not in sync ({own})"}},
	Decides: "ceph -s, drbdadm status or the like",
	Remedy:  "Let the storage of {host} finish, then measure again: ceph -s, drbdadm status",
}

func stackBusy(s *assay.StackFacts) Answer {
	if s == nil || s.Health == "" {
		return Answer{}
	}
	sound := []string{"HEALTH_OK", "UpToDate", "healthy", "online"}
	for _, word := range sound {
		if strings.Contains(s.Health, word) {
			return Answer{Is: No}
		}
	}
	return Answer{Is: Yes, Own: s.Health}
}

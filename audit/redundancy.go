package audit

import (
	"slices"

	"assay"
)

var redundancy = Rule{
	ID: "redundancy", Number: 105, Applies: "all", Severities: "W",
	Title:   "Replicated storage that lacks copies",
	Formula: "Ceph counts placement groups that are degraded, undersized, inactive, peering, down, stale, backfilling or recovering; DRBD has a disk that is not UpToDate, or a peer without a connection",
	Source:  "Ceph documentation, placement group states; DRBD user's guide, disk and connection states: missing copies are rebuilt with the disks and the network that the load uses",
	Example: "ceph: 686 pgs degraded",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, host := range e.hosts() {
			s := e.Inventory.Facts[host].Stack
			if s == nil {
				continue
			}
			lacking := s.Lacking
			if lacking == "" && s.Kind == "drbd" && !slices.Contains(whole, s.Health) {
				lacking = s.Health
			}
			if lacking == "" {
				continue
			}
			found = append(found, assay.Finding{
				Rule: "redundancy", Severity: assay.Warns, Subject: orDefault(host, Everything), Arithmetic: s.Kind + ": " + lacking,
				Message: "copies are missing or being rebuilt: the benchmark shares disks and network with that, and writes may wait for fewer copies than usual",
				Advice:  "wait until all copies exist, then measure: ceph -s says HEALTH_OK and active+clean, drbdadm status says UpToDate of all",
			})
		}
		return found
	},
}

// whole lists the states that DRBD, and LINSTOR for its nodes, report when no copy is
// missing; "" says nothing.
var whole = []string{"", "UpToDate", "Online"}

package failover

import (
	"cmp"
	"strings"
	"time"
)

// follows holds the defaults implied by one thing that an entry names. In the commands, NAME
// is that thing and HOST the entry's host.
type follows struct {
	name            func(Entry) string
	whole, failback string
	least, most     time.Duration
}

// Both commands of an HA guest parse ha-manager status (API2/HA/Status.pm). A lost node is
// missed after a minute, and its lock expires after two more; then the guest has to boot.
const (
	haWhole = `ha-manager status | awk '/^quorum OK/ {quorum = 1} $1 == "service" && $2 == "NAME" {known = 1} ` +
		`/^(lrm|master) / && !/\((active|idle),/ || /^service / && !/, (started|stopped|disabled|ignored)\)$/ {print >"/dev/stderr"; bad = 1} ` +
		`END {exit bad || !quorum || !known}'`
	haFailback = `ha-manager status | awk '$2 == "NAME" && $4 == "started)" {away = $3 != "(HOST,"; found = 1} END {exit (!found ? 2 : away)}' || ` +
		`{ [ $? -eq 1 ] && ha-manager migrate NAME HOST; false; }`
	haMost = MostWithin
)

// Both commands of a promoter parse drbdsetup status, which shows a connection, replication or
// quorum only if it is not as it should be. Only the host that runs the resource can evict it.
// drbd-reactor starts nothing twice within 20 s on a host.
const (
	promoterWhole = `drbdsetup status NAME | awk '/disk:UpToDate/ {copies++} ` +
		`/connection:|replication:|quorum:no|client:no|disk:(Inconsistent|Outdated|Consistent|DUnknown|Failed|Attaching|Detaching|Negotiating)/ {print >"/dev/stderr"; bad = 1} ` +
		`END {exit bad || copies < 2}'`
	promoterFailback = `drbdsetup status NAME | awk '$1 == "HOST" && $2 == "role:Primary" {home = 1} END {exit !home}' || { drbd-reactorctl evict NAME; false; }`
	promoterLeast    = 20 * time.Second
)

var whatFollows = []follows{
	{func(e Entry) string { return e.HA }, haWhole, haFailback, 0, haMost},
	{func(e Entry) string { return e.Promoter }, promoterWhole, promoterFailback, promoterLeast, 0},
}

// Completed returns the entry with what it leaves out filled in from what it
// names.
func (e Entry) Completed() Entry {
	for _, f := range whatFollows {
		if name := f.name(e); name != "" {
			of := strings.NewReplacer("NAME", name, "HOST", e.Host)
			e.Whole, e.Failback = cmp.Or(e.Whole, of.Replace(f.whole)), cmp.Or(e.Failback, of.Replace(f.failback))
			e.For, e.Within = cmp.Or(e.For, f.least), cmp.Or(e.Within, f.most)
		}
	}
	return e
}

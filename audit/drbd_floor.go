package audit

import (
	"fmt"
	"strings"

	"assay"
)

var drbdFloor = Rule{
	ID: "drbd-floor", Number: 42, Applies: "fio and dd on DRBD or Longhorn", Severities: "E",
	Title:   "Faster than its replication",
	Formula: "writes that are direct or flushed one by one, with a copy on another node: mean or median latency < .9 x the round-trip time to that node; flushed ones of 4 KiB and more also < .9 x the same write on the local drive alone. Not for DRBD's protocol A, which does not wait",
	Source:  "with protocol B or C a write completes when the peer has answered, and a synchronous one when the slowest drive has flushed (DRBD user's guide, replication modes)",
	Example: "85.0 µs against a round trip of 180 µs: .472 x",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.storage() {
			if l.positive("storage.write.bandwidth") || l.positive("storage.write.iops") {
				found = append(found, l.replicated()...)
			}
		}
		return found
	},
}

func (l look) replicated() []assay.Finding {
	const id = "drbd-floor"
	stack, _ := l.facts.StackOf(l.Trial.Subject)
	if stack == nil || stack.Kind != "drbd" && stack.Kind != "longhorn" || strings.EqualFold(stack.Protocol, "A") {
		return nil
	}
	sync, fsync := l.flushesEach()
	if direct, _ := isOn(l.label("write", "direct")); !sync && !fsync && !direct {
		return nil // a buffered write waits for nobody
	}
	// Each copy is on its own node, and the client is on at most one of them.
	if max(stack.Remote, stack.Copies-1) <= 0 {
		if stack.Copies == 1 {
			return nil
		}
		return []assay.Finding{l.unchecked(id, nil, "replicas on other nodes", "drbdadm status shows the peers: paste its output too")}
	}
	metric, latency, ok := l.writeLatency()
	if !ok {
		return []assay.Finding{l.unchecked(id, nil, "latency of the writes", "fio without gtod_reduce=1 prints it")}
	}
	floor, of, hint := l.facts.RTT, "a round trip of", "the peer took no part: check drbdadm status and the protocol: drbdadm dump | grep protocol"
	if (sync || fsync) && stack.Local > floor && l.atLeast4K() {
		floor, of, hint = stack.Local, "the drive alone with", "look for a cache below the file system, then measure again: "+l.again("write", map[string]string{"direct": "1"})
	}
	if !(floor > 0) {
		return []assay.Finding{l.unchecked(id, []string{metric}, "round trip to the replica, and latency of the drive alone",
			"give rtt (ping -c 100 -i 0.2 PEER, on the replication network) and local (fio on the drive alone)")}
	}
	if latency >= floor*replicationSlack {
		return nil
	}
	return []assay.Finding{l.finding(id, assay.Rejects, []string{metric},
		fmt.Sprintf("%s against %s %s: %s", seconds(latency), of, seconds(floor), times(latency/floor)),
		"not replicated synchronously: no write can be durable on "+copies(stack)+" in less", hint)}
}

func copies(s *assay.StackFacts) string {
	if s.Copies > 1 {
		return fmt.Sprintf("%d nodes", s.Copies)
	}
	return "two nodes"
}

// writeLatency returns the lesser of median and mean of a write's latency; with
// a flush after each, and with dd, the time from one write to the next.
func (l look) writeLatency() (metric string, latency float64, ok bool) {
	sync, fsync := l.flushesEach()
	switch {
	case fsync && !sync:
		return l.flushLatency()
	case l.label("write", "tool") == "dd": // one write at a time, no latency printed
		bandwidth, known := l.median("storage.write.bandwidth")
		bs, told := parseSize(l.label("write", "bs"))
		if !known || !told || !(bandwidth > 0) {
			return "", 0, false
		}
		return "storage.write.bandwidth", float64(bs) / bandwidth, true
	}
	for _, m := range []string{assay.PercentileMetric("storage.write.", 50), "storage.write.latency.mean"} {
		if v, has := l.median(m); has && v > 0 && (!ok || v < latency) {
			metric, latency, ok = m, v, true
		}
	}
	return metric, latency, ok
}

// atLeast4K reports whether a write is no smaller than the one measured on the
// drive alone.
func (l look) atLeast4K() bool {
	bs, ok := parseSize(l.label("write", "bs"))
	return ok && bs >= 4096
}

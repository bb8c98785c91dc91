package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/internal/order"
	"assay/limits"
)

var cephCeiling = Rule{
	ID: "ceph-ceiling", Number: 41, Applies: "rados, rbd; fio on DRBD and Longhorn", Severities: "E I",
	Title: "The limits of the cluster's hardware",
	Formula: "N nodes, R copies, n = payload of a link, f = (N-1)/N, or 1 for clients outside: write <= drives x w / R, N n / (f + R - 1), one client n / (f + (R-1)/N); read <= drives x r, N n / f, one client n / f; " +
		"mesh of three: 6 n in place of N n, 2 n in place of one client's n; outside: one client n; any: in flight x size / least latency; DRBD and Longhorn write <= n / replicas on other nodes, in a mesh <= n. Above: E; below half of all: I",
	Source:  "arithmetic: every byte is written R times and crosses the network R - 1 times, and once more from the client if its first copy is on another node; Little's law; payload as in nic-ceiling",
	Example: "9,613 MB/s against 12 drives x 3,500 MB/s = 42,000 MB/s; mesh 6 x 12,376 MB/s / .667 = 111,380 MB/s; 48 x 4 MiB / 5.00 ms = 40,265 MB/s: 23.9 % of the least",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, p := range e.pools() {
			if tool := p.label("", "tool"); tool != "rados" && tool != "rbd" {
				continue
			}
			if f := p.againstCluster(); f != nil {
				found = append(found, *f)
			}
		}
		return append(found, replicatedWrites(e)...)
	},
}

// bound is a limit, and how far a figure may exceed it.
type bound struct {
	limits.Limit
	slack float64
}

func (p pooled) againstCluster() *assay.Finding {
	const id = "ceph-ceiling"
	metrics := []string{p.stem + "bandwidth"}
	speed, _ := p.median(metrics[0])
	all, missing, covered := p.bounds()
	order.Stable(all, func(a, b bound) int { return cmp.Compare(a.Value*a.slack, b.Value*b.slack) })
	if len(all) > 0 && speed > all[0].Value*all[0].slack {
		least := all[0]
		f := p.finding(id, assay.Rejects, metrics, fmt.Sprintf("%s against %s: %s", rate(speed), least.Arithmetic(), times(speed/least.Value)),
			impossible(p, least), "measure with more than any memory holds, "+p.onEveryNode())
		return &f
	}
	if len(missing) > 0 {
		f := p.unchecked(id, metrics, strings.Join(missing, "; "),
			"give it: --fact stack=ceph --fact nodes=3 --fact osds=12 --fact replicas=3 --fact drive_write=3100MB/s --fact drive_read=3500MB/s --fact nic=100G --fact mtu=9000")
		return &f
	}
	size, ok := p.operationSize()
	if !covered || !ok || size <= smallBlock {
		return nil
	}
	order.Stable(all, func(a, b bound) int { return cmp.Compare(a.Value, b.Value) })
	least := all[0]
	if speed >= poolUnderuse*least.Value {
		return nil
	}
	var sums []string
	for _, b := range all {
		sums = append(sums, b.Arithmetic())
	}
	f := p.finding(id, assay.Informs, metrics,
		fmt.Sprintf("%s against %s: %s of the least", rate(speed), strings.Join(sums, "; "), percent(speed/least.Value)),
		"limited by software, clients or queue depth, not by hardware: less than half of every limit, the lowest of which is "+least.Name,
		"use more clients to see what the cluster can do; add up the results of a run "+p.onEveryNode())
	return &f
}

func impossible(p pooled, b bound) string {
	switch {
	case b.Name == limits.PoolDrives && p.op == "read":
		return "impossible for these drives: much of it came from the OSDs' memory"
	case b.Name == queueDepth:
		return "impossible: this few operations in flight cannot move that much, even at the lowest latency printed"
	case p.op == "read":
		return "impossible: more than " + b.Name + " can do. It came from the client's memory"
	}
	return "impossible: more than " + b.Name + " can do"
}

// queueDepth names the limit set by the load itself.
const queueDepth = "the queue depth"

// bounds returns the limits that can be computed, and the facts that others
// need. covered reports whether both drives and network are included, as far as
// the network is used at all.
func (p pooled) bounds() (all []bound, missing []string, covered bool) {
	if b := p.depthBound(); b != nil {
		all = append(all, *b)
	}
	s := p.facts.Stack
	if s == nil || s.Kind != "" && s.Kind != "ceph" {
		return all, []string{"number of nodes, drives and copies"}, false
	}
	pool := limits.Pool{Stack: *s, Link: p.link(), Write: p.op == "write", Clients: p.generators()}
	if drives := pool.Drives(); drives.Known() {
		all = append(all, bound{drives, partSlack})
	}
	network := pool.Network()
	for _, l := range network {
		all = append(all, bound{l, lineSlack})
	}
	missing = pool.Missing()
	local := s.Nodes == 1 && (!pool.Write || s.Copies == 1) && !s.Outside
	return all, missing, len(missing) == 0 && (len(network) > 0 || local)
}

// depthBound needs the least latency of all repeats, and the number in flight.
func (p pooled) depthBound() *bound {
	latency := 0.
	if all := p.values(p.stem + "latency.min"); len(all) > 0 {
		latency = slices.Min(all)
	}
	threads, okThreads := parseCount(p.label("", "threads"))
	size, okSize := p.operationSize()
	if !okThreads || !okSize {
		return nil
	}
	l := limits.InFlight(threads*p.generators(), size, latency)
	if !l.Known() {
		return nil
	}
	l.Name = queueDepth
	return &bound{l, partSlack}
}

// replicatedWrites checks writes to DRBD or Longhorn: each crosses the client's
// link once for every remote copy. A result is on such storage only if it says
// so; a host has other storage, too.
func replicatedWrites(e Evidence) []assay.Finding {
	const id, metric = "ceph-ceiling", "storage.write.bandwidth"
	var found []assay.Finding
	for _, l := range e.storage() {
		s, own := l.facts.StackOf(l.Trial.Subject)
		speed, ok := l.median(metric)
		if s == nil || s.Kind != "drbd" && s.Kind != "longhorn" || s.Protocol == "A" || !ok || !(speed > 0) || !own && !l.standsOn(s.Kind) {
			continue
		}
		link := limits.RemoteCopies(*s, l.linkOfCopies(*s), false)
		if !link.Known() {
			found = append(found, l.unchecked(id, []string{metric}, link.Missing, "give it: --fact remote=2 --fact nic=1G --fact mtu=1500"))
			continue
		}
		if speed <= link.Value*lineSlack {
			continue
		}
		found = append(found, l.finding(id, assay.Rejects, []string{metric}, fmt.Sprintf("%s against %s: %s", rate(speed), link.Arithmetic(), times(speed/link.Value)),
			"impossible: more than the network can carry. The data went to a cache, or was not replicated",
			"bypass every cache and write more than fits in memory: "+l.again("write", nil)))
	}
	return found
}

package audit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"assay"
)

var cephCeiling = Rule{
	ID: "ceph-ceiling", Number: 41, Applies: "rados, rbd; fio on DRBD and Longhorn", Severities: "E I",
	Title: "The limits of the cluster's hardware",
	Formula: "N nodes, R copies, n = payload of a link, f = (N-1)/N, or 1 for clients outside: write <= drives x w / R, N n / (f + R - 1), one client n / (f + (R-1)/N); read <= drives x r, N n / f, one client n / f; " +
		"mesh of three: 6 n in place of N n, 2 n in place of one client's n; outside: one client n; any: in flight x size / least latency; DRBD and Longhorn write <= n / copies on other nodes. Above: E; below half of all: I",
	Source:  "arithmetic: every byte is written R times and crosses the network R - 1 times, and once more from the client if its first copy is on another node; Little's law; payload as in nic-ceiling",
	Example: "9,613 MB/s against 12 drives x 3,500 MB/s = 42,000 MB/s; mesh 6 x 12,376 MB/s / .667 = 111,380 MB/s; 48 x 4.00 MiB / 5.00 ms = 40,265 MB/s: 23.9 % of the least",
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

// bound is one limit, and how it comes about.
type bound struct {
	name, sum string
	most      float64 // B/s
	slack     float64
}

func (b bound) String() string { return fmt.Sprintf("%s = %s", b.sum, rate(b.most)) }

func (p pooled) againstCluster() *assay.Finding {
	const id = "ceph-ceiling"
	metrics := []string{p.stem + "bandwidth"}
	speed, _ := p.median(metrics[0])
	all, missing, covered := p.bounds()
	slices.SortStableFunc(all, func(a, b bound) int { return cmp.Compare(a.most*a.slack, b.most*b.slack) })
	if len(all) > 0 && speed > all[0].most*all[0].slack {
		least := all[0]
		f := p.finding(id, assay.Rejects, metrics, fmt.Sprintf("%s against %s: %s", rate(speed), least, times(speed/least.most)),
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
	slices.SortStableFunc(all, func(a, b bound) int { return cmp.Compare(a.most, b.most) })
	least := all[0]
	if speed >= poolUnderuse*least.most {
		return nil
	}
	var sums []string
	for _, b := range all {
		sums = append(sums, b.String())
	}
	f := p.finding(id, assay.Informs, metrics,
		fmt.Sprintf("%s against %s: %s of the least", rate(speed), strings.Join(sums, "; "), percent(speed/least.most)),
		"limited by software, clients or queue depth, not by hardware: less than half of every limit, the lowest of which is "+least.name,
		"use more clients to see what the cluster can do; add up what runs "+p.onEveryNode())
	return &f
}

func impossible(p pooled, b bound) string {
	switch {
	case b.name == drivesBound && p.op == "read":
		return "impossible for these drives: much of it came from the OSDs' memory"
	case b.name == depthBound:
		return "impossible: this few operations in flight cannot move that much, even at the lowest latency printed"
	case p.op == "read":
		return "impossible: more than " + b.name + " can do. It came from the client's memory"
	}
	return "impossible: more than " + b.name + " can do"
}

// The names of the limits, as sentences have them.
const (
	drivesBound  = "the drives"
	networkBound = "the network"
	clientBound  = "the client's own link"
	depthBound   = "the queue depth"
)

// bounds are the limits that can be computed, and the facts that others need.
// covered says that drives and network are both among them, as far as the
// network is used at all.
func (p pooled) bounds() (all []bound, missing []string, covered bool) {
	if b := p.depthBound(); b != nil {
		all = append(all, *b)
	}
	s := p.facts.Stack
	if s == nil || s.Kind != "" && s.Kind != "ceph" {
		return all, []string{"number of nodes, drives and copies"}, false
	}
	need := func(known bool, what string) bool {
		if !known && !slices.Contains(missing, what) {
			missing = append(missing, what)
		}
		return known
	}
	copies := 1.0
	if p.op == "write" {
		copies = float64(s.Copies)
		need(s.Copies > 0, "copies of each byte")
	}
	each, what := s.Read, "read rate of one drive"
	if p.op == "write" {
		each, what = s.Write, "write rate of one drive"
	}
	okDrives, okEach := need(s.Drives > 0, "number of drives"), need(each > 0, what)
	if okDrives && okEach && copies > 0 {
		sum := fmt.Sprintf("%d drives x %s", s.Drives, rate(each))
		if p.op == "write" {
			sum += fmt.Sprintf(" / %d copies", s.Copies)
		}
		all = append(all, bound{drivesBound, sum, float64(s.Drives) * each / copies, partSlack})
	}
	link, unknown := p.link()
	okLink, okNodes := need(unknown == "", unknown), need(s.Nodes > 0, "number of nodes")
	if okLink && okNodes && copies > 0 {
		network := p.networkBounds(*s, link, copies)
		all, covered = append(all, network...), len(network) > 0 || s.Nodes == 1 && copies == 1 && !s.Outside
	}
	return all, missing, covered && len(missing) == 0
}

// networkBounds are empty where no formula covers the cluster: more copies than
// nodes, a mesh of other than three, or clients outside of a mesh.
func (p pooled) networkBounds(s assay.StackFacts, link, copies float64) (all []bound) {
	nodes := float64(s.Nodes)
	if copies > nodes || s.Mesh && (s.Nodes != 3 || s.Outside) {
		return nil
	}
	away := (nodes - 1) / nodes
	if s.Outside {
		away = 1
	}
	links, own, words := nodes, 1.0, fmt.Sprintf("%d links x %s", s.Nodes, rate(link))
	if s.Mesh {
		links, own, words = 6, 2, fmt.Sprintf("mesh 6 x %s", rate(link))
	}
	add := func(name, sum string, most, crossings float64) {
		if crossings > 0 {
			all = append(all, bound{name, fmt.Sprintf("%s / %s", sum, figure(crossings)), most / crossings, lineSlack})
		}
	}
	add(networkBound, words, links*link, away+copies-1)
	if p.generators() == 1 {
		crossings := away
		if !s.Outside {
			crossings += (copies - 1) / nodes
		}
		add(clientBound, fmt.Sprintf("one client %s x %s", plain(own), rate(link)), own*link, crossings)
	}
	return all
}

// depthBound needs the least latency, and how many were in flight.
func (p pooled) depthBound() *bound {
	latency, ok := p.median(p.stem + "latency.min")
	threads, okThreads := parseCount(p.label("", "threads"))
	size, okSize := p.operationSize()
	if !ok || !(latency > 0) || !okThreads || !okSize {
		return nil
	}
	flight := float64(threads) * float64(p.generators())
	most := flight * float64(size) / latency
	if math.IsInf(most, 0) {
		return nil
	}
	return &bound{depthBound, fmt.Sprintf("%s x %s / %s", plain(flight), memory(float64(size)), seconds(latency)), most, partSlack}
}

// replicatedWrites are writes onto DRBD or Longhorn: each crosses the client's
// link once for every copy elsewhere. A result is on it where it says so; a host
// has other storage, too.
func replicatedWrites(e Evidence) []assay.Finding {
	const id, metric = "ceph-ceiling", "storage.write.bandwidth"
	var found []assay.Finding
	for _, l := range e.storage() {
		s := l.facts.Stack
		speed, ok := l.median(metric)
		if s == nil || s.Kind != "drbd" && s.Kind != "longhorn" || s.Protocol == "A" || !ok || !(speed > 0) || !l.standsOn(s.Kind) {
			continue
		}
		link, missing := l.link()
		if missing == "" && s.Remote <= 0 {
			missing = "copies on other nodes"
		}
		if missing != "" {
			found = append(found, l.unchecked(id, []string{metric}, missing, "give it: --fact remote=2 --fact nic=1G --fact mtu=1500"))
			continue
		}
		b := bound{networkBound, fmt.Sprintf("%s / %d copies elsewhere", rate(link), s.Remote), link / float64(s.Remote), lineSlack}
		if speed <= b.most*b.slack {
			continue
		}
		found = append(found, l.finding(id, assay.Rejects, []string{metric}, fmt.Sprintf("%s against %s: %s", rate(speed), b, times(speed/b.most)),
			"impossible: more than the network can carry. The data went to a cache, or was not replicated",
			"bypass every cache and write more than fits in memory: "+l.again("write", nil)))
	}
	return found
}

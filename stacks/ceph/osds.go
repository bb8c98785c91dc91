package ceph

import (
	"fmt"
	"math"
	"slices"

	"assay/internal/jsondoc"
)

// MetricCommit is an OSD's commit latency, in seconds, with its name in the label osd: a look
// at all OSDs while writes were measured.
const MetricCommit = "pool.osd.commit"

// Latency is an OSD's commit latency, as it reports for its last seconds.
type Latency struct {
	OSD    int
	Commit float64 // s
}

// ReadPerf reads ceph osd perf --format json.
func ReadPerf(text []byte) ([]Latency, error) {
	n, err := jsondoc.Parse(text, 1)
	if err != nil {
		return nil, fmt.Errorf("ceph osd perf: %w", err)
	}
	list := n.At("osdstats", "osd_perf_infos")
	if !list.IsList() {
		list = n.At("osd_perf_infos") // Mimic and before
	}
	if !list.IsList() {
		return nil, fmt.Errorf("ceph osd perf: %w", errShape)
	}
	var all []Latency
	for _, o := range list.List() {
		one := Latency{}
		if one.OSD, err = count(o, "id"); err != nil {
			return nil, err
		}
		commit, ok, err := o.At("perf_stats", "commit_latency_ns").NotNegative("commit_latency_ns", 1e-9)
		if err == nil && !ok {
			commit, ok, err = o.At("perf_stats", "commit_latency_ms").NotNegative("commit_latency_ms", 1e-3)
		}
		if err != nil {
			return nil, fmt.Errorf("ceph's %w", err)
		}
		if ok {
			one.Commit = commit
			all = append(all, one)
		}
	}
	return all, nil
}

// OSD is a drive known to CRUSH.
type OSD struct {
	Number int
	Host   string
	Class  string // ssd, hdd, nvme
	Weight float64
	Up     bool
	Above  []string // buckets that it is in, the nearest first: host1, default
}

// ReadTree reads ceph osd tree --format json.
func ReadTree(text []byte) ([]OSD, error) {
	n, err := jsondoc.Parse(text, 1)
	if err != nil {
		return nil, fmt.Errorf("ceph osd tree: %w", err)
	}
	hosts, parents := map[int]string{}, map[int][]bucket{}
	for _, b := range n.At("nodes").List() {
		own, _ := b.At("id").Number()
		for _, child := range b.At("children").List() {
			id, ok := child.Number()
			if !ok || math.Abs(id) > most || math.Abs(own) > most {
				continue
			}
			parents[int(id)] = append(parents[int(id)], bucket{int(own), b.At("name").Text()})
			if b.At("type").Text() == "host" && id >= 0 {
				hosts[int(id)] = b.At("name").Text()
			}
		}
	}
	var all []OSD
	for _, o := range n.At("nodes").List() {
		if o.At("type").Text() != osdType {
			continue
		}
		one := OSD{Class: o.At("device_class").Text(), Up: o.At("status").Text() == "up"}
		if one.Number, err = count(o, "id"); err != nil {
			return nil, err
		}
		if w, ok := o.At("crush_weight").Number(); ok && w >= 0 {
			one.Weight = w
		}
		one.Host, one.Above = hosts[one.Number], above(one.Number, parents)
		all = append(all, one)
	}
	if all == nil {
		return nil, fmt.Errorf("ceph osd tree: %w: no OSD", errShape)
	}
	return all, nil
}

// bucket is a node of CRUSH's tree that has others below it.
type bucket struct {
	id   int
	name string
}

// above returns the names of the buckets that a node is in, at any height.
func above(id int, parents map[int][]bucket) []string {
	var all []string
	for level := parents[id]; len(level) > 0; {
		var next []bucket
		for _, b := range level {
			if !slices.Contains(all, b.name) {
				all, next = append(all, b.name), append(next, parents[b.id]...)
			}
		}
		level = next
	}
	return all
}

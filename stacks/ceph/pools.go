package ceph

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/internal/jsondoc"
)

// Pool is one of the pools listed by ceph osd pool ls detail.
type Pool struct {
	Name    string
	Size    int // copies, or erasure-coded chunks
	MinSize int
	PGs     int
	Rule    int    // number of its CRUSH rule
	Profile string // of erasure coding; "" where it is replicated
	// Compression holds the compression options, by name: compression_mode.
	Compression map[string]string
}

// ReadPools reads ceph osd pool ls detail --format json.
func ReadPools(text []byte) ([]Pool, error) {
	n, err := jsondoc.Parse(text, 1)
	if err != nil || !n.IsList() {
		return nil, fmt.Errorf("ceph osd pool ls detail: expected a list of pools: %w", errOr(err))
	}
	var all []Pool
	for _, p := range n.List() {
		one := Pool{Name: p.At("pool_name").Text(), Profile: p.At("erasure_code_profile").Text(), Compression: map[string]string{}}
		for key, to := range map[string]*int{"size": &one.Size, "min_size": &one.MinSize, "pg_num": &one.PGs, "crush_rule": &one.Rule} {
			if *to, err = count(p, key); err != nil {
				return nil, err
			}
		}
		if kind, _ := p.At("type").Number(); kind != erasure {
			one.Profile = ""
		}
		for _, option := range []string{"compression_mode", "compression_algorithm"} {
			if v := p.At("options", option).Text(); v != "" {
				one.Compression[option] = v
			}
		}
		if one.Name != "" && one.Size > 0 && one.PGs > 0 {
			all = append(all, one)
		}
	}
	return all, nil
}

// erasure is the type of an erasure-coded pool, in JSON.
const erasure = 3

func errOr(err error) error {
	if err == nil {
		err = errShape
	}
	return err
}

var errShape = errors.New("unexpected shape")

// Rule is a CRUSH rule.
type Rule struct {
	Number int
	Name   string
	Domain string // failure domain of the copies: host, rack, osd
	// Takes are the buckets that it starts from, with a device class where it names one:
	// default, default~ssd.
	Takes []string
}

// Uses reports whether the rule may put data on an OSD: one below a bucket that it starts
// from, and of the class named there. A rule whose start is unknown may use any.
func (r Rule) Uses(o OSD) bool {
	return len(r.Takes) == 0 || slices.ContainsFunc(r.Takes, func(from string) bool {
		bucket, class, classed := strings.Cut(from, "~")
		return (len(o.Above) == 0 || slices.Contains(o.Above, bucket)) && (!classed || class == o.Class)
	})
}

// ReadRules reads ceph osd crush rule dump --format json.
func ReadRules(text []byte) ([]Rule, error) {
	n, err := jsondoc.Parse(text, 1)
	if err != nil || !n.IsList() {
		return nil, fmt.Errorf("ceph osd crush rule dump: expected a list of rules: %w", errOr(err))
	}
	var all []Rule
	for _, r := range n.List() {
		one := Rule{Name: r.At("rule_name").Text()}
		if one.Number, err = count(r, "rule_id"); err != nil {
			return nil, err
		}
		one.Domain = domain(r.At("steps"))
		for _, step := range r.At("steps").List() {
			if from := step.At("item_name").Text(); from != "" && step.At("op").Text() == "take" {
				one.Takes = append(one.Takes, from)
			}
		}
		all = append(all, one)
	}
	return all, nil
}

// domain returns the failure domain of a rule's steps: the lowest type above the OSDs that
// they choose, since a rule may choose hosts and then some OSDs in each. A step that chooses
// a single bucket and goes on below it spreads nothing.
func domain(steps jsondoc.Node) string {
	found := ""
	for _, step := range steps.List() {
		t, op := step.At("type").Text(), step.At("op").Text()
		if n, _ := step.At("num").Number(); t == "" || n == 1 && t != osdType && !strings.HasPrefix(op, "chooseleaf") {
			continue
		}
		if t != osdType || found == "" {
			found = t
		}
	}
	return found
}

// osdType is the type of OSDs in CRUSH.
const osdType = "osd"

// ReadRoom reads how many bytes a pool can still take, from ceph df --format json: Ceph
// derives it from the fullest OSD and the number of copies.
func ReadRoom(text []byte, pool string) (int64, error) {
	n, err := jsondoc.Parse(text, 1)
	if err != nil {
		return 0, fmt.Errorf("ceph df: %w", err)
	}
	for _, p := range n.At("pools").List() {
		if p.At("name").Text() != pool {
			continue
		}
		v, ok, err := p.At("stats", "max_avail").NotNegative("max_avail", 1)
		if err != nil || !ok || v > 1<<62 {
			return 0, fmt.Errorf("ceph df: the room in pool %s is unknown: %w", pool, errOr(err))
		}
		return int64(v), nil
	}
	return 0, fmt.Errorf("ceph df: no pool %s", pool)
}

// ReadOption reads the value of an option in a section from ceph config dump
// --format json; "" if it is not set there.
func ReadOption(text []byte, section, name string) (string, error) {
	n, err := jsondoc.Parse(text, 1)
	if err != nil || !n.IsList() {
		return "", fmt.Errorf("ceph config dump: expected a list of options: %w", errOr(err))
	}
	for _, o := range n.List() {
		if o.At("section").Text() == section && o.At("name").Text() == name && o.At("mask").Text() == "" {
			return o.At("value").Text(), nil
		}
	}
	return "", nil
}

// ReadInactive returns how many placement groups in ceph pg ls-by-pool --format json do
// not take writes yet.
func ReadInactive(text []byte) (int, error) {
	n, err := jsondoc.Parse(text, 1)
	if err != nil {
		return 0, fmt.Errorf("ceph pg ls-by-pool: %w", err)
	}
	list := n.At("pg_stats")
	if n.IsList() {
		list = n // Mimic and before
	}
	if len(list.List()) == 0 {
		return 0, fmt.Errorf("ceph pg ls-by-pool: %w: no placement group", errShape)
	}
	inactive := 0
	for _, pg := range list.List() {
		if !strings.Contains(pg.At("state").Text(), "active") {
			inactive++
		}
	}
	return inactive, nil
}

package ceph

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay"
)

func learn(ctx context.Context, at assay.Place, a Access, pool string, f *assay.Facts) ([]assay.Note, error) {
	var c Cluster
	var status Status
	var version string
	for _, ask := range []struct {
		words string
		read  func([]byte) error
	}{
		{"status", func(text []byte) (err error) { status, err = ReadStatus(text); return err }},
		{"version", func(text []byte) (err error) { version, err = ReadVersion(text); return err }},
		{"osd tree", func(text []byte) (err error) { c.OSDs, err = ReadTree(text); return err }},
		{"osd metadata", func(text []byte) (err error) { c.Disks, err = ReadDisks(text); return err }},
		{"osd dump", func(text []byte) (err error) { c.Addresses, err = ReadAddresses(text); return err }},
		{"osd pool ls detail", func(text []byte) (err error) { c.Pools, err = ReadPools(text); return err }},
		{"osd crush rule dump", func(text []byte) error {
			rules, err := ReadRules(text)
			if i := slices.IndexFunc(c.Pools, func(p Pool) bool { return p.Name == pool }); i >= 0 {
				c.Pool = c.Pools[i]
			}
			if i := slices.IndexFunc(rules, func(r Rule) bool { return r.Number == c.Pool.Rule }); i >= 0 {
				c.Rule = rules[i]
			}
			return err
		}},
	} {
		text, err := a.AskJSON(ctx, at, strings.Fields(ask.words)...)
		if err == nil {
			err = ask.read(text)
		}
		if err != nil {
			return nil, err
		}
	}
	if c.Pool.Name == "" {
		return nil, fmt.Errorf("pool %s is %w", pool, assay.ErrNotFound)
	}
	var err error
	s := c.Stack(version, status.Health, f.Host, f.OS.Hostname)
	s.Lacking = status.Lacking()
	addOthers(s, f.Stack)
	f.Stack = s
	f.Stack.PublicNIC, f.Stack.ClusterNIC = Own(interfaces(ctx, at), f.Stack.Disks)
	if f.Stack.OSD, err = a.running(ctx, at, c.osds()); err != nil {
		f.Missing = append(f.Missing, assay.MissingFact{Fact: "settings of the OSDs", Why: err.Error(), Hint: assay.Hint(err)})
	}
	notes := append(c.Odd(), oddSettings(f.Stack.OSD)...)
	if why := status.Disturbed(); len(why) > 0 && !status.Settling() {
		notes = append(notes, assay.Note{ID: "ceph-disturbed", Text: "the cluster is " + strings.Join(why, ", ")})
	}
	return notes, nil
}

// addOthers adds the drives of the pools that were learnt before to a pool's: a host has one
// stack for all its tiers. How many drives and nodes a pool has is unknown where they differ.
func addOthers(s, before *assay.StackFacts) {
	if before == nil || before.Kind != s.Kind || len(before.Disks) == 0 {
		return
	}
	own := len(s.Disks)
	for _, d := range before.Disks {
		if !slices.ContainsFunc(s.Disks, func(other assay.StackDisk) bool { return other.Name == d.Name }) {
			s.Disks = append(s.Disks, d)
		}
	}
	if len(s.Disks) > own || before.Drives != s.Drives {
		s.Drives = 0
	}
	if before.Nodes != s.Nodes {
		s.Nodes = 0
	}
}

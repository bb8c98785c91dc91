package cephpool

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/ceph"
)

// Learn implements volume.Learner: the cluster's version, health, OSDs, and the pool's
// copies; what is odd about its setup is noted.
func (s *Storage) Learn(ctx context.Context, at assay.Place, f *assay.Facts) ([]assay.Note, error) {
	a := ceph.Access{User: string(s.User), Keyring: string(s.Keyring), Conf: string(s.Conf)}
	var c ceph.Cluster
	var status ceph.Status
	var version string
	for _, ask := range []struct {
		words string
		read  func([]byte) error
	}{
		{"status", func(text []byte) (err error) { status, err = ceph.ReadStatus(text); return err }},
		{"version", func(text []byte) (err error) { version, err = ceph.ReadVersion(text); return err }},
		{"osd tree", func(text []byte) (err error) { c.OSDs, err = ceph.ReadTree(text); return err }},
		{"osd dump", func(text []byte) (err error) { c.Addresses, err = ceph.ReadAddresses(text); return err }},
		{"osd pool ls detail", func(text []byte) (err error) { c.Pools, err = ceph.ReadPools(text); return err }},
		{"osd crush rule dump", func(text []byte) error {
			rules, err := ceph.ReadRules(text)
			if i := slices.IndexFunc(c.Pools, func(p ceph.Pool) bool { return p.Name == string(s.Pool) }); i >= 0 {
				c.Pool = c.Pools[i]
			}
			if i := slices.IndexFunc(rules, func(r ceph.Rule) bool { return r.Number == c.Pool.Rule }); i >= 0 {
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
		return nil, fmt.Errorf("pool %s is %w", s.Pool, assay.ErrNotFound)
	}
	f.Stack = c.Stack(f.Host, version, status.Health)
	notes := c.Odd()
	if why := status.Disturbed(); len(why) > 0 && !status.Settling() {
		notes = append(notes, assay.Note{ID: "ceph-disturbed", Text: "the cluster is " + strings.Join(why, ", ")})
	}
	return notes, nil
}

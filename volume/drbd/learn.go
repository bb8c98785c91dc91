package drbd

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"assay"
	"assay/internal/prose"
	"assay/stacks/drbd"
)

// Learn implements volume.Learner: it adds how the lent device will be replicated, what it
// will lie on, and which interface it will use. It notes anything about the host's other
// resources that would disturb it.
func (s *Storage) Learn(ctx context.Context, at assay.Place, f *assay.Facts) ([]assay.Note, error) {
	seen, err := look(ctx, at)
	if err != nil {
		return nil, err
	}
	kind, of := s.under()
	notes := Lies(ctx, at, s.Path(), kind, of, f)
	say := func(id, format string, args ...any) {
		notes = append(notes, assay.Note{ID: id, Text: fmt.Sprintf(format, args...)})
	}
	here := s.Replicas[at.Host().Name]
	if len(seen.common) > 0 {
		var words []string
		for _, o := range seen.common {
			words = append(words, o.Name+" "+o.Value)
		}
		say("drbd-common", "resources of assay have what %s says in its common section: %s", at.Host().Name, strings.Join(words, ", "))
	}
	if all, err := states(ctx, at, seen.major); err == nil {
		for _, one := range all {
			if one.Resyncs() {
				say("drbd-busy", "another resource of %s, /dev/drbd%d, is being resynced: that takes part of the drives and of the network", at.Host().Name, one.Minor)
			}
		}
	}
	var paths []drbd.Path
	for _, host := range s.Hosts() {
		if address := s.Replicas[host]; address != here {
			paths = append(paths, drbd.Path{Here: here, There: address})
		}
	}
	if !s.Alone {
		stack := s.stack(seen)
		stack.ClusterNIC = drbd.Shared(ctx, at, paths)
		drbd.Describe(f, s.Path(), stack)
	}
	return append(notes, drbd.Network(ctx, at, s.Path(), paths, *f)...), nil
}

// stack returns how the lent device will be replicated.
func (s *Storage) stack(seen sight) assay.StackFacts {
	n := len(s.Replicas)
	stack := assay.StackFacts{Kind: Kind, Version: seen.version, Nodes: n, Copies: n, Remote: n - 1, Protocol: cmp.Or(string(s.Protocol), seen.protocol, protocolC)}
	for _, host := range s.Hosts() {
		stack.Disks = append(stack.Disks, assay.StackDisk{Name: "replica", Host: host, Copies: s.Replicas[host]})
	}
	return stack
}

// Recheck implements assay.Rechecker: it notes a replica that fell out of sync or went away.
func (v Volume) Recheck(ctx context.Context, at assay.Place, r assay.Receipt) ([]assay.Note, error) {
	res, err := read(r)
	if err != nil || res.Alone {
		return nil, err
	}
	notes := res.versions()
	s, err := stateOf(ctx, at, res)
	if err != nil {
		return notes, err
	}
	why := s.Troubles(len(res.Replicas) - 1)
	if len(why) == 0 {
		return notes, nil
	}
	return append(notes, assay.Note{ID: "drbd-disturbed", Text: fmt.Sprintf("the replicated device of %s did not stay in sync during the run: %s; repeats before and after that are not of the same storage, so measure again",
		at.Host().Name, strings.Join(why, ", "))}), nil
}

// versions notes hosts whose DRBD version differs from the first host's.
func (r resource) versions() []assay.Note {
	words := []string{r.Replicas[0].Version + " on " + r.Replicas[0].Host}
	for _, one := range r.Replicas[1:] {
		if one.Version != "" && one.Version != r.Replicas[0].Version {
			words = append(words, one.Version+" on "+one.Host)
		}
	}
	if len(words) == 1 || r.Replicas[0].Version == "" {
		return nil
	}
	return []assay.Note{{ID: "drbd-versions", Text: "the nodes have unlike versions of DRBD: " + prose.And(words) + "; they speak the protocol of the older one: update it before figures are compared"}}
}

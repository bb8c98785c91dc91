package dir

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/drbd"
	learned "assay/ingest/facts/drbd"
)

// Learn implements volume.Learner: of a directory on DRBD, how that is replicated, and
// what is odd about it.
func (s *Storage) Learn(ctx context.Context, at assay.Place, f *assay.Facts) ([]assay.Note, error) {
	d := f.Dir(s.Path())
	if d == nil {
		return nil, nil
	}
	number, is := strings.CutPrefix(d.Device, "drbd")
	minor, err := strconv.Atoi(number)
	if !is || err != nil {
		return nil, nil
	}
	// What is asked for may be recorded: the secret of the peers stays on the host.
	text, err := ask(ctx, at, "sh", "-c", "drbdsetup show --show-defaults | sed /shared-secret/d")
	if err != nil {
		return nil, err
	}
	all, err := drbd.ReadShow(text)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(r drbd.Resource) bool {
		return slices.ContainsFunc(r.Volumes, func(v drbd.Volume) bool { return v.Minor == minor })
	})
	if i < 0 {
		return nil, fmt.Errorf("drbdsetup show tells no resource of %s", d.Device)
	}
	r := all[i]
	if text, err = ask(ctx, at, "drbdsetup", "status", r.Name); err != nil {
		return nil, err
	}
	said := assay.Transcript{Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: text}}}}
	if err := learned.New().Learn(said, f); err != nil {
		return nil, err
	}
	if f.Stack.Protocol == "" && len(r.Peers) > 0 {
		f.Stack.Protocol = r.Peers[0].Protocol
	}
	notes := r.Odd(d.Bytes)
	if f.Stack.Copies < 2 {
		notes = append(notes, assay.Note{ID: "drbd-alone", Text: fmt.Sprintf("resource %s has one copy now: no peer with a disk is connected, and writes wait for none", r.Name)})
	}
	if f.Stack.Health != "UpToDate" {
		notes = append(notes, assay.Note{ID: "drbd-disturbed", Text: fmt.Sprintf("resource %s is %s: the figures are of this state", r.Name, f.Stack.Health)})
	}
	if strings.Contains(string(text), "replication:Sync") {
		notes = append(notes, assay.Note{ID: "drbd-resync", Text: fmt.Sprintf("resource %s is being resynced: that takes part of the drives and of the network", r.Name)})
	}
	return append(notes, network(ctx, at, r, *f)...), nil
}

// network says over which interface a resource is replicated.
func network(ctx context.Context, at assay.Place, r drbd.Resource, f assay.Facts) []assay.Note {
	var notes []assay.Note
	for _, p := range r.Peers {
		for _, path := range p.Paths {
			text, err := ask(ctx, at, "ip", "-o", "route", "get", path.There)
			if err != nil {
				continue
			}
			words := strings.Fields(string(text))
			i := slices.Index(words, "dev")
			if i < 0 || i+1 >= len(words) {
				continue
			}
			over := words[i+1]
			j := slices.IndexFunc(f.NICs, func(n assay.NICFacts) bool { return n.Name == over })
			if j >= 0 && f.NICs[j].Speed > 0 {
				over += fmt.Sprintf(" (%g Gb/s, MTU %d)", f.NICs[j].Speed/1e9, f.NICs[j].MTU)
			}
			notes = append(notes, assay.Note{ID: "drbd-network", Text: fmt.Sprintf("resource %s is replicated from %s to %s over %s", r.Name, path.Here, path.There, over)})
		}
	}
	return notes
}

func ask(ctx context.Context, at assay.Place, argv ...string) ([]byte, error) {
	const run = `PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin; export PATH; exec "$@"`
	out, err := at.Run(ctx, command(append([]string{"sh", "-c", run, "sh"}, argv...)...))
	if err == nil && out.Exit != 0 {
		err = fmt.Errorf("exit %d: %s", out.Exit, lastLine(out.Stderr))
	}
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", argv[0], at.Host().Name, err)
	}
	return out.Stdout, nil
}

package dir

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"assay"
	learned "assay/ingest/facts/drbd"
	"assay/stacks/drbd"
)

// Learn implements volume.Learner: for a directory on DRBD, it adds how that is
// replicated, and notes what is odd about it.
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
	r, err := drbd.ResourceOf(ctx, at, minor)
	if err != nil {
		return nil, err
	}
	text, err := drbd.Ask(ctx, at, "drbdsetup", "status", r.Name)
	if err != nil {
		return nil, err
	}
	said := assay.Transcript{Steps: []assay.Step{{Name: "measure", Output: assay.Output{Stdout: text}}}}
	if err := learned.New().Learn(said, f); err != nil {
		return nil, err
	}
	if f.Stack.Protocol == "" && len(r.Peers) > 0 {
		f.Stack.Protocol = r.Peers[0].Protocol
	}
	if on := f.Device(d.Device); on != nil {
		own := *f.Stack
		on.Stack = &own
	}
	notes := r.Odd(d.Bytes)
	if f.Stack.Copies < 2 {
		notes = append(notes, assay.Note{ID: "drbd-alone", Text: fmt.Sprintf("resource %s has one copy now: no peer with a disk is connected, and writes wait for none", r.Name)})
	}
	if !r.Diskless() && f.Stack.Copies > 0 && f.Stack.Remote == f.Stack.Copies {
		notes = append(notes, assay.Note{ID: "drbd-diskless", Text: fmt.Sprintf("resource %s is Diskless on this node: its disk has failed or was detached, and each read and write crosses the network", r.Name)})
	}
	if f.Stack.Health != "UpToDate" {
		notes = append(notes, assay.Note{ID: "drbd-disturbed", Text: fmt.Sprintf("resource %s is %s: the figures are of this state", r.Name, f.Stack.Health)})
	}
	if strings.Contains(string(text), "replication:Sync") {
		notes = append(notes, assay.Note{ID: "drbd-resync", Text: fmt.Sprintf("resource %s is being resynced: that takes part of the drives and of the network", r.Name)})
	}
	var paths []drbd.Path
	for _, p := range r.Peers {
		paths = append(paths, p.Paths...)
	}
	return append(notes, drbd.Network(ctx, at, r.Name, paths, *f)...), nil
}

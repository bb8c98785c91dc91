package linstor

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"assay"
	"assay/internal/prose"
	"assay/stacks/drbd"
)

// Recheck implements assay.Rechecker: it notes which nodes have the replicas, what is odd
// about the resource's setup, and whether it is still in sync.
func (Volume) Recheck(ctx context.Context, at assay.Place, r assay.Receipt) ([]assay.Note, error) {
	name, h, err := read(r)
	if err != nil {
		return nil, err
	}
	all, err := h.resources(ctx, at, name)
	if err != nil {
		return nil, err
	}
	_, device, _ := strings.Cut(r.Subject, "/"+string(assay.KindBlock)+"/")
	notes := []assay.Note{{ID: "linstor-placed", Text: device + ": " + placedWords(all)}}
	for _, one := range all {
		if !one.ready() {
			notes = append(notes, assay.Note{ID: "drbd-disturbed", Text: fmt.Sprintf("%s did not stay in sync during the run: on %s it is %s; repeats before and after that are not of the same storage, so measure again",
				device, one.node, one.state)})
		}
		minor, err := strconv.Atoi(strings.TrimPrefix(one.device, "/dev/drbd"))
		if one.node != h.Node || err != nil {
			continue
		}
		setup, err := drbd.ResourceOf(ctx, at, minor)
		if err != nil {
			return notes, err
		}
		setup.Name = device // its own name is meaningless after the run
		notes = append(notes, setup.Odd(cmp.Or(one.bytes, r.Bytes))...)
	}
	return notes, nil
}

// placedWords describes which nodes have a replica and which have none.
func placedWords(all []replica) string {
	var with, without []string
	for _, one := range all {
		switch {
		case one.state == "TieBreaker":
			without = append(without, one.node+" (a tie-breaker)")
		case one.diskless:
			without = append(without, one.node)
		default:
			with = append(with, one.node)
		}
	}
	said := "its replicas were on " + prose.Few(with)
	if len(without) > 0 {
		said += ", none on " + prose.Few(without)
	}
	return said
}

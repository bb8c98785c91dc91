package linstor

import (
	"context"
	"fmt"

	"assay"
)

// Learn implements volume.Learner: the room for what will be lent, as the block device that
// it will be.
func (s *Storage) Learn(ctx context.Context, at assay.Place, f *assay.Facts) ([]assay.Note, error) {
	h := how{Controllers: string(s.Controllers)}
	text, err := h.ask(ctx, at, "storage-pool", "list")
	if err != nil {
		return nil, err
	}
	free, err := readFree(text, string(s.StoragePool))
	if err != nil {
		return nil, fmt.Errorf("%s: linstor storage-pool list: %w", at.Host().Name, err)
	}
	f.Block = append(f.Block, assay.BlockDevice{Name: s.Path(), Path: s.Path(), Kind: "other", Bytes: free - assay.KeepFree(free)})
	return nil, nil
}

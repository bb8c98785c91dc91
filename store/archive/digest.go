package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"

	"assay"
	"assay/store"
)

// digest is a Taker that tells whether two runs are the same. It hashes data
// after one round trip: values that JSON cannot represent must not distinguish a
// run from its copy.
type digest struct {
	sum             hash.Hash
	trials, repeats int
	id              string
	as              string // the id that is hashed; "" for the run's own
}

func newDigest() *digest { return &digest{sum: sha256.New()} }

func (d *digest) Head(run assay.Run) error {
	d.id, run.Findings, run.Remarks = run.ID, nil, nil
	if run.Status == assay.RunRunning {
		run.Status = assay.RunInterrupted // as it is stored where it is imported
	}
	if d.as != "" {
		run.ID = d.as
	}
	return d.write(record{Run: headOf(run)})
}

func (d *digest) Trial(r assay.Result) error {
	d.trials++
	return d.write(record{Trial: &trialRecord{r.Trial, r.Scratch}})
}

func (d *digest) Repeat(r assay.Repeat) error {
	d.repeats++
	return writeRepeat(r, d.write)
}

func (d *digest) write(r record) error {
	line, err := lineOf(r)
	if err != nil {
		return err
	}
	again, err := parse(line)
	if err != nil {
		return err
	}
	if line, err = lineOf(*again); err != nil {
		return err
	}
	d.sum.Write(line)
	return nil
}

func (d *digest) String() string { return hex.EncodeToString(d.sum.Sum(nil)) }

// stored returns the digest that a stored run would have under another id.
func stored(ctx context.Context, st *store.Store, id, as string) (string, error) {
	d := newDigest()
	d.as = as
	if err := st.Give(ctx, id, d); err != nil {
		return "", fmt.Errorf("compare with what is stored: %w", err)
	}
	return d.String(), nil
}

// both is a Taker that passes everything to two others.
type both struct{ a, b store.Taker }

func (t both) Head(run assay.Run) error {
	if err := t.a.Head(run); err != nil {
		return err
	}
	return t.b.Head(run)
}

func (t both) Trial(r assay.Result) error {
	if err := t.a.Trial(r); err != nil {
		return err
	}
	return t.b.Trial(r)
}

func (t both) Repeat(r assay.Repeat) error {
	if err := t.a.Repeat(r); err != nil {
		return err
	}
	return t.b.Repeat(r)
}

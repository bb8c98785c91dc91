package clones

import (
	"context"
	"fmt"

	"assay"
	"assay/volume/clone"
)

// download identifies an image that guests on one host may share.
type download struct{ source, digest, pool string }

// fetch downloads the images of the guests on a host, each once, and checks the free space
// again, as their size is known only then. It stores the guests' templates in of.
func (d *Deployment) fetch(ctx context.Context, host string, of []clone.Template, tell func(string)) error {
	there := map[download]assay.Receipt{}
	var wants []clone.Want
	var made []clone.Template
	for i, w := range d.wants {
		switch {
		case w.On != host:
			continue
		case !w.Remote():
			wants, made = append(wants, w), append(made, of[i])
			continue
		}
		which := download{w.Template, w.Image.Digest, w.Image.Storage}
		r, done := there[which]
		if !done {
			var err error
			if r, err = d.fetchOne(ctx, w, d.growth(host, w.Image.Storage, of), tell); err != nil {
				return err
			}
			there[which] = r
		}
		t, err := d.volume.Downloaded(ctx, r, w)
		if err != nil {
			return err
		}
		of[i] = t
		wants, made = append(wants, w), append(made, t)
	}
	if len(there) == 0 {
		return nil
	}
	return d.volume.CheckRoom(ctx, wants, made)
}

// growth returns how far the disks of the guests on a host may grow in a storage, in
// bytes.
func (d *Deployment) growth(host, storage string, of []clone.Template) (n int64) {
	for i, w := range d.wants {
		if w.On != host { // which others write
			continue
		}
		for _, disk := range of[i].Disks {
			if disk.Storage == storage {
				n += disk.Bytes
			}
		}
	}
	return n
}

// fetchOne journals an image and downloads it.
func (d *Deployment) fetchOne(ctx context.Context, w clone.Want, need int64, tell func(string)) (assay.Receipt, error) {
	if err := ctx.Err(); err != nil {
		return assay.Receipt{}, err
	}
	tell(fmt.Sprintf("%s: downloading %s", w.On, w.Template))
	r, err := d.volume.ReserveImage(ctx, randomID(), w)
	if err != nil {
		return r, err
	}
	r.Kept = d.options.Keep
	if err := d.journal.Keep(ctx, r); err != nil {
		return r, fmt.Errorf("%s was not downloaded, because the journal cannot be written: %w", w.Template, err)
	}
	d.mu.Lock()
	d.images = append(d.images, r)
	d.mu.Unlock()
	return r, d.volume.Fetch(ctx, r, w, need)
}

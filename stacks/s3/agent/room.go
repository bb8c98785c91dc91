package agent

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"assay"
	"assay/stacks/s3/loadgen"
)

// mostSurplus is how many objects may exist beyond those laid out before they are
// removed even though there is space. Whatever is left at the end of a run is removed
// in its clean-up, after the time budget: a store on a memory card, which removes a
// hundred objects a second, finishes these in a minute, however many repeats there
// were. Removing them in between takes no longer than at the end.
const mostSurplus = 5000

// tidy removes what earlier loads wrote beyond the objects laid out: of all sets
// if more than half of the bucket's space is taken, or if they are many, and of
// its own set if more than half of that set's space is. What it has no time for
// stays known, and a later job removes it.
func tidy(ctx context.Context, kept Store, job Job) error {
	all, err := readBooks(job.Dir)
	if err != nil {
		return err
	}
	total, surplus := int64(0), 0
	for _, b := range all {
		total += b.Bytes
		surplus += max(len(b.IDs)-b.Keep, 0)
	}
	needed := job.Space > 0 && total > job.Space/2 || surplus > mostSurplus
	until := after(job.Tidy)
	for _, set := range slices.Sorted(maps.Keys(all)) {
		b := all[set]
		full := set == job.Set && job.Load.Space > 0 && b.Bytes > job.Load.Space/2
		if !needed && !full || len(b.IDs) <= b.Keep {
			continue
		}
		if err := trim(ctx, kept, job, set, *b, until); err != nil {
			return fmt.Errorf("remove what earlier repeats wrote: %w", err)
		}
	}
	return nil
}

// trim removes the surplus of one set, and updates its book even on failure.
func trim(ctx context.Context, kept Store, job Job, set string, b book, until time.Time) error {
	job.Set = set
	c, err := kept.open(job, loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Put: 1}, Size: b.Size, Concurrency: 16, Duration: 1, Objects: b.Keep, Seed: b.Seed}, &b)
	if err != nil {
		return err
	}
	_, err = c.Trim(ctx, until)
	if wrote := writeBook(job.Dir, set, book{c.Book(), b.Keep}); err == nil {
		err = wrote
	}
	return err
}

// fit returns the load as it fits into the bucket, and what is known about its
// objects, nil if nothing is.
func fit(job Job) (loadgen.Load, *book, error) {
	load := *job.Load
	load.Seed = seed(job.Bucket, job.Set)
	all, err := readBooks(job.Dir)
	if err != nil {
		return load, nil, err
	}
	others := int64(0)
	for set, b := range all {
		if set != job.Set {
			others += b.Bytes
		}
	}
	if left := job.Space - others; job.Space > 0 {
		if left < int64(max(load.Objects, writers(load)))*load.Size {
			return load, nil, assay.WithHint("use more space or fewer objects; if the store deletes more slowly than it writes, run fewer cases with longer repeats (--only)",
				"%w in the bucket: other loads use %d MiB, leaving %d MiB", assay.ErrNoSpace, others>>20, max(left, 0)>>20)
		}
		if load.Space == 0 || load.Space > left {
			load.Space = left
		}
	}
	return load, all[job.Set], nil
}

// writers returns how many objects need room at once to be written.
func writers(l loadgen.Load) int {
	if l.Mix[loadgen.Put] == 0 {
		return 0
	}
	return l.Concurrency
}

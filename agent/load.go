package agent

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"assay"
	"assay/s3load"
)

// layOut writes the objects of a load, or those that are missing.
func layOut(ctx context.Context, job Job) (Reply, error) {
	began := time.Now()
	_, objects, err := ready(ctx, job)
	return Reply{Objects: objects, Prepared: time.Since(began).Seconds()}, err
}

// run puts a load on the store. What it reads is laid out first, where it is not
// there. A load that is stopped is a reply with what was measured until then.
func run(ctx context.Context, job Job, began time.Time, tell func(Tick)) (Reply, error) {
	from := time.Now()
	c, objects, err := ready(ctx, job)
	if err != nil {
		return Reply{}, err
	}
	took := time.Since(from)
	if tell != nil {
		c.Tell(func(at int, done s3load.Second) { tell(Tick{At: at, Ops: done.Ops, Bytes: done.Bytes}) })
	}
	result, err := c.Run(ctx)
	if len(result.Clients) == 0 { // it never began
		return Reply{}, stopped(ctx, err)
	}
	reply := Reply{Objects: objects, Prepared: took.Seconds(), Lead: result.Started.Sub(began).Seconds(), Result: &result}
	if err := writeBook(job.Dir, job.Set, book{c.Book(), job.Load.Objects}); err != nil {
		return reply, err
	}
	var fault *s3load.Failure
	if errors.As(err, &fault) {
		return reply, fault
	}
	if errors.Is(context.Cause(ctx), assay.ErrTimeout) {
		return reply, context.Cause(ctx)
	}
	return reply, nil
}

// ready gives a client whose objects are in the bucket, and how many there are.
func ready(ctx context.Context, job Job) (*s3load.Client, int, error) {
	kept, err := readStore(job.Dir)
	if err != nil {
		return nil, 0, fmt.Errorf("no bucket was made from here: %w", err)
	}
	if kept.Bucket != job.Bucket {
		return nil, 0, fmt.Errorf("the bucket of this directory is not %q", job.Bucket)
	}
	others, err := makeRoom(ctx, *kept, job)
	if err != nil {
		return nil, 0, stopped(ctx, err)
	}
	load := *job.Load
	load.Seed = seed(job.Bucket, job.Set)
	if left := job.Space - others; job.Space > 0 {
		if left < int64(max(load.Objects, writers(load)))*load.Size {
			return nil, 0, assay.WithHint("give the cases more space, or fewer objects",
				"%w in the bucket: other loads keep %d MiB in it, and %d MiB are left", assay.ErrNoSpace, others>>20, max(left, 0)>>20)
		}
		if load.Space == 0 || load.Space > left {
			load.Space = left
		}
	}
	known, err := readBook(job.Dir, job.Set)
	if err != nil {
		return nil, 0, err
	}
	return filled(ctx, *kept, job, load, known)
}

// writers is how many objects must have room at once to be written.
func writers(l s3load.Load) int {
	if l.Mix[s3load.Put] == 0 {
		return 0
	}
	return l.Concurrency
}

// filled lays out what is missing. Of objects that are never deleted as many are
// enough as there was time for at first.
func filled(ctx context.Context, kept Store, job Job, load s3load.Load, known *book) (*s3load.Client, int, error) {
	c, err := kept.open(job, load, known)
	if err != nil {
		return nil, 0, err
	}
	if known == nil {
		if err := c.Check(ctx); err != nil {
			return nil, 0, stopped(ctx, err)
		}
	}
	if known == nil || load.Mix[s3load.Delete] > 0 {
		var until time.Time
		if job.Within > 0 {
			until = time.Now().Add(job.Within)
		}
		err := c.LayOut(ctx, until)
		if errors.Is(ctx.Err(), context.DeadlineExceeded) || err != nil {
			return nil, 0, stopped(ctx, err)
		}
	}
	now := book{c.Book(), load.Objects}
	if err := writeBook(job.Dir, job.Set, now); err != nil {
		return nil, 0, err
	}
	if load.Objects > len(now.IDs) {
		// The result must say what there was to read.
		load.Objects = len(now.IDs)
		c, err = kept.open(job, load, &now)
	}
	return c, len(now.IDs), err
}

// open gives a client of a set of objects, with what is known of it.
func (s Store) open(job Job, load s3load.Load, known *book) (*s3load.Client, error) {
	target := s.target("data-" + job.Set + "/")
	target.Payload = job.Payload
	c, err := s3load.New(target, load)
	if err != nil || known == nil {
		return c, err
	}
	return c, c.Open(known.Book)
}

// makeRoom takes away what earlier repeats wrote beside the objects that were
// laid out: of all sets where more than half of the bucket's space is taken, of its
// own where more than half of its own is. That is off the clock. It gives the bytes that other sets keep.
func makeRoom(ctx context.Context, kept Store, job Job) (others int64, err error) {
	all, err := readBooks(job.Dir)
	if err != nil {
		return 0, err
	}
	total := int64(0)
	for _, b := range all {
		total += b.Bytes
	}
	short := job.Space > 0 && total > job.Space/2
	for set, b := range all {
		full := set == job.Set && job.Load.Space > 0 && b.Bytes > job.Load.Space/2
		if (short || full) && len(b.IDs) > b.Keep {
			of := job
			of.Set = set
			load := s3load.Load{Mix: map[s3load.Op]int{s3load.Put: 1}, Size: b.Size, Concurrency: 16, Duration: 1, Objects: b.Keep, Seed: b.Seed}
			c, err := kept.open(of, load, b)
			if err != nil {
				return 0, err
			}
			if err := c.Trim(ctx); err != nil {
				return 0, err
			}
			b.Book = c.Book()
			if err := writeBook(job.Dir, set, *b); err != nil {
				return 0, err
			}
		}
		if set != job.Set {
			others += b.Bytes
		}
	}
	return others, nil
}

// target is the store as a load wants it.
func (s Store) target(prefix string) s3load.Target {
	t := s3load.Target{Endpoints: s.Endpoints, Region: s.Region, Bucket: s.Bucket, Prefix: prefix, VirtualHost: s.VirtualHost,
		CA: []byte(s.CA), Timeout: 30 * time.Second}
	if s.Keys != nil {
		t.Credentials = s3load.Credentials{AccessKey: s.Keys.Access, SecretKey: s.Keys.Secret, SessionToken: s.Keys.Session}
	}
	return t
}

// seed is the same for the same objects, and another for those of another bucket.
func seed(bucket, set string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%s", bucket, set)
	return h.Sum64()
}

// stopped says why, where it was the bound.
func stopped(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, assay.ErrTimeout) {
		return cause
	}
	return err
}

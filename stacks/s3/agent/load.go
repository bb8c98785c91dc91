package agent

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"assay"
	"assay/stacks/s3/loadgen"
)

// layOut prepares everything that a load would otherwise do while it is measured:
// it removes what earlier loads wrote if that is a lot, and writes this load's
// objects, or the missing ones.
func layOut(ctx context.Context, job Job) (Reply, error) {
	began := time.Now()
	kept, err := storeOf(job)
	if err != nil {
		return Reply{}, err
	}
	if err := tidy(ctx, *kept, job); err != nil {
		return Reply{}, stopped(ctx, err)
	}
	load, known, err := fit(job)
	if err != nil {
		return Reply{}, err
	}
	objects, err := fill(ctx, *kept, job, load, known)
	return Reply{Objects: objects, Prepared: time.Since(began).Seconds()}, stopped(ctx, err)
}

// run loads the store, using objects that were laid out before. If it is stopped,
// the reply has what was measured until then.
func run(ctx context.Context, job Job, began time.Time, tell func(Tick)) (Reply, error) {
	kept, err := storeOf(job)
	if err != nil {
		return Reply{}, err
	}
	load, known, err := fit(job)
	if err != nil {
		return Reply{}, err
	}
	if known != nil && load.Objects > len(known.IDs) {
		load.Objects = len(known.IDs) // the result must say what there was to read
	}
	if job.Load.Objects > 0 && (known == nil || load.Objects == 0) {
		return Reply{}, fmt.Errorf("no object of %s was prepared", job.Set)
	}
	c, err := kept.open(job, load, known)
	if err != nil {
		return Reply{}, err
	}
	if known == nil {
		if err := c.Check(ctx); err != nil {
			return Reply{}, stopped(ctx, err)
		}
	}
	if tell != nil {
		c.Tell(func(at int, done loadgen.Second) { tell(Tick{At: at, Ops: done.Ops, Bytes: done.Bytes}) })
	}
	result, err := c.Run(ctx)
	if len(result.Clients) == 0 { // it never began
		return Reply{}, stopped(ctx, err)
	}
	reply := Reply{Objects: load.Objects, Lead: result.Started.Sub(began).Seconds(), Result: &result}
	if err := writeBook(job.Dir, job.Set, book{c.Book(), job.Load.Objects}); err != nil {
		return reply, err
	}
	reply.Tail = time.Since(result.Started).Seconds() - result.Elapsed
	var fault *loadgen.Failure
	if errors.As(err, &fault) {
		return reply, fault
	}
	if errors.Is(context.Cause(ctx), assay.ErrTimeout) {
		return reply, context.Cause(ctx)
	}
	return reply, nil
}

// storeOf returns the store with the bucket created from this directory, which
// must be the job's.
func storeOf(job Job) (*Store, error) {
	kept, err := readStore(job.Dir)
	if err != nil {
		return nil, fmt.Errorf("no bucket was made from here: %w", err)
	}
	if kept.Bucket != job.Bucket {
		return nil, fmt.Errorf("bucket %q does not belong to this directory", job.Bucket)
	}
	return kept, nil
}

// fill lays out what is missing, and returns how many objects there are. Of
// objects that are never deleted, as many as the first job had time for are
// enough.
func fill(ctx context.Context, kept Store, job Job, load loadgen.Load, known *book) (int, error) {
	if known != nil && load.Mix[loadgen.Delete] == 0 {
		return len(known.IDs), nil
	}
	c, err := kept.open(job, load, known)
	if err != nil {
		return 0, err
	}
	if known == nil {
		if err := c.Check(ctx); err != nil {
			return 0, err
		}
	}
	err = c.LayOut(ctx, after(job.Within))
	if err != nil && known == nil {
		return 0, err // the next job starts over: it would take these for all
	}
	now := book{c.Book(), job.Load.Objects}
	if wrote := writeBook(job.Dir, job.Set, now); err == nil {
		err = wrote
	}
	return len(now.IDs), err
}

// after returns the time that far ahead; the zero time for 0, which means no
// bound.
func after(d time.Duration) time.Time {
	if d <= 0 {
		return time.Time{}
	}
	return time.Now().Add(d)
}

// open returns a client for a set of objects, with what is known about it.
func (s Store) open(job Job, load loadgen.Load, known *book) (*loadgen.Client, error) {
	target := s.target("data-" + job.Set + "/")
	target.Payload = job.Payload
	c, err := loadgen.New(target, load)
	if err != nil || known == nil {
		return c, err
	}
	return c, c.Open(known.Book)
}

// target returns the store in the form that a load needs.
func (s Store) target(prefix string) loadgen.Target {
	t := loadgen.Target{Endpoints: s.Endpoints, Region: s.Region, Bucket: s.Bucket, Prefix: prefix, VirtualHost: s.VirtualHost,
		CA: []byte(s.CA), Timeout: 30 * time.Second}
	if s.Keys != nil {
		t.Credentials = loadgen.Credentials{AccessKey: s.Keys.Access, SecretKey: s.Keys.Secret, SessionToken: s.Keys.Session}
	}
	return t
}

// seed returns the same value for the same objects, and another for those of
// another bucket.
func seed(bucket, set string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%s", bucket, set)
	return h.Sum64()
}

// stopped returns the timeout if that was the cause, else err.
func stopped(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, assay.ErrTimeout) {
		return cause
	}
	return err
}

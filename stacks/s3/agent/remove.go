package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"sync"

	"github.com/minio/minio-go/v7"

	"assay/stacks/s3/loadgen"
)

// notEmpty is the error code of a store that refuses to remove a bucket that it
// lists as not empty.
const notEmpty = "BucketNotEmpty"

// removeBucket removes a bucket with all its contents, and the key if it was
// created for it, and checks that they are gone. It is idempotent. If the job
// has no keys, it uses those that Make left in the directory.
func removeBucket(ctx context.Context, job Job) (removed int, err error) {
	s := *job.Store
	if s.Garage != nil {
		return removeGarage(ctx, s)
	}
	if s.Keys == nil {
		kept, err := readStore(job.Dir)
		if errors.Is(err, fs.ErrNotExist) {
			return 0, errors.New("no credentials to check the bucket with")
		}
		if err != nil {
			return 0, err
		}
		s.Keys = kept.Keys
	}
	c, err := s.client(s.Endpoints[0])
	if err != nil {
		return 0, err
	}
	explain := func(err error) error { return fault(loadgen.Delete, s.Endpoints[0], err) }
	there, err := c.BucketExists(ctx, s.Bucket)
	if err != nil || !there {
		return 0, explain(err)
	}
	if err := owned(ctx, c, s); err != nil {
		return 0, err
	}
	for p := new(patience); ; {
		n, err := empty(ctx, s)
		removed += n
		if err != nil {
			return removed, err
		}
		if n > 0 {
			p.renew()
		}
		err = c.RemoveBucket(ctx, s.Bucket)
		code := minio.ToErrorResponse(err).Code
		if err == nil || code == "NoSuchBucket" {
			break
		}
		if code != notEmpty {
			return removed, explain(err)
		}
		if err := p.wait(ctx, explain(err)); err != nil {
			return removed, err
		}
	}
	if there, err = c.BucketExists(ctx, s.Bucket); err != nil {
		return removed, explain(err)
	}
	if there {
		return removed, fmt.Errorf("bucket %s still exists", s.Bucket)
	}
	return removed, nil
}

// owned reports whether a bucket may be removed: it has assay's mark, or is empty,
// as one that Make had no time to mark.
func owned(ctx context.Context, c *minio.Client, s Store) error {
	mark, err := c.GetObject(ctx, s.Bucket, ownerKey, minio.GetObjectOptions{})
	if err == nil {
		defer mark.Close()
		text, err := io.ReadAll(io.LimitReader(mark, 200))
		if err == nil && string(text) == s.Owner {
			return nil
		}
		if err != nil && minio.ToErrorResponse(err).StatusCode != http.StatusNotFound {
			return fault(loadgen.Get, s.Endpoints[0], err)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	first, found := <-c.ListObjects(ctx, s.Bucket, minio.ListObjectsOptions{Recursive: true, MaxKeys: 1})
	switch {
	case !found:
		return nil
	case first.Err != nil:
		return fault(loadgen.List, s.Endpoints[0], first.Err)
	}
	return notOwn(s.Bucket)
}

const (
	removers = 32 // requests at a time
	// atOnce is how many objects a request removes. Some stores remove them one
	// after the other, so that many small requests finish sooner than a few large
	// ones.
	atOnce = 50
)

// empty removes every object with all its versions, and every unfinished upload.
// The owner's mark goes last, so that an interrupted removal can be resumed.
func empty(ctx context.Context, s Store) (removed int, err error) {
	c, err := s.client(s.Endpoints[0])
	if err != nil {
		return 0, err
	}
	explain := func(err error) error { return fault(loadgen.Delete, s.Endpoints[0], err) }
	for u := range c.ListIncompleteUploads(ctx, s.Bucket, "", true) {
		if u.Err != nil {
			return removed, explain(u.Err)
		}
		if err := c.RemoveIncompleteUpload(ctx, s.Bucket, u.Key); err != nil {
			return removed, explain(err)
		}
	}
	versioning, err := c.GetBucketVersioning(ctx, s.Bucket)
	versions := err == nil && versioning.Status != "" // a store without versions returns an error
	listing, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	found := make(chan minio.ObjectInfo, 1000)
	var all sync.WaitGroup
	for range removers {
		all.Go(func() {
			if err := removeAll(listing, c, s.Bucket, found); err != nil {
				cancel(err)
			}
		})
	}
	last, removed, err := list(listing, c, s.Bucket, versions, found)
	close(found)
	all.Wait()
	if listing.Err() != nil {
		err = context.Cause(listing)
	}
	if err != nil {
		return removed, explain(err)
	}
	for _, o := range last {
		if err := c.RemoveObject(context.WithoutCancel(ctx), s.Bucket, o.Key, minio.RemoveObjectOptions{VersionID: o.VersionID}); err != nil {
			return removed, explain(err)
		}
	}
	return removed, nil
}

// list sends what is in a bucket to found, except the owner's mark, which it returns.
func list(ctx context.Context, c *minio.Client, bucket string, versions bool, found chan<- minio.ObjectInfo) (last []minio.ObjectInfo, n int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for o := range c.ListObjects(ctx, bucket, minio.ListObjectsOptions{Recursive: true, WithVersions: versions}) {
		if o.Err != nil {
			return last, n, o.Err
		}
		n++
		if o.Key == ownerKey {
			last = append(last, o)
			continue
		}
		select {
		case found <- o:
		case <-ctx.Done():
			return last, n, ctx.Err()
		}
	}
	return last, n, nil
}

// removeAll removes what it receives.
func removeAll(ctx context.Context, c *minio.Client, bucket string, found <-chan minio.ObjectInfo) error {
	for ctx.Err() == nil {
		few := make(chan minio.ObjectInfo, atOnce)
		for len(few) < atOnce {
			o, more := <-found
			if !more {
				break
			}
			few <- o
		}
		close(few)
		if len(few) == 0 {
			break
		}
		if err := removeFew(ctx, c, bucket, few); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func removeFew(ctx context.Context, c *minio.Client, bucket string, few <-chan minio.ObjectInfo) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for e := range c.RemoveObjects(ctx, bucket, few, minio.RemoveObjectsOptions{}) {
		if e.Err != nil && minio.ToErrorResponse(e.Err).Code != "NoSuchKey" {
			return e.Err
		}
	}
	return ctx.Err()
}

package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/tags"

	"assay"
	"assay/internal/sleep"
	"assay/stacks/s3/loadgen"
)

// ownerKey is the object that names the bucket's owner, for stores without
// tags.
const ownerKey = ".assay-owner"

// learning is how long the nodes of a Garage may take to learn of a new key and
// bucket.
const learning = 30 * time.Second

// makeBucket creates a bucket, and a key if the store is a Garage, and tests
// them at every endpoint. It rejects a bucket that already exists.
func makeBucket(ctx context.Context, job Job) error {
	s := *job.Store
	if s.Garage != nil {
		return makeGarage(ctx, job.Dir, s)
	}
	c, err := s.client(s.Endpoints[0])
	if err != nil {
		return err
	}
	explain := func(err error) error { return fault(loadgen.Put, s.Endpoints[0], err) }
	there, err := c.BucketExists(ctx, s.Bucket)
	if err != nil {
		return explain(err)
	}
	if err := begin(job.Dir); err != nil {
		return err
	}
	if there {
		return taken(s.Bucket)
	}
	if err := writeStore(job.Dir, s); err != nil {
		return err
	}
	if err := c.MakeBucket(ctx, s.Bucket, minio.MakeBucketOptions{Region: s.region()}); err != nil {
		return explain(err)
	}
	if err := mark(ctx, c, s); err != nil {
		return explain(err)
	}
	return try(ctx, s, 0)
}

func taken(bucket string) error {
	return assay.WithHint("run: assay cleanup", "bucket %s is %w", bucket, assay.ErrBusy)
}

// mark writes the owner into the bucket. Tags are for people and the store's
// own tools; not every store has them.
func mark(ctx context.Context, c *minio.Client, s Store) error {
	if _, err := c.PutObject(ctx, s.Bucket, ownerKey, bytes.NewReader([]byte(s.Owner)), int64(len(s.Owner)),
		minio.PutObjectOptions{ContentType: "text/plain", DisableContentSha256: false}); err != nil {
		return err
	}
	t, err := tags.NewTags(map[string]string{"assay": s.Owner}, false)
	if err == nil {
		_ = c.SetBucketTagging(ctx, s.Bucket, t)
	}
	return nil
}

// try writes, reads and lists one object at every endpoint, so that problems with
// keys, clocks, regions and certificates show before anything is measured. For
// patience, it retries what the store's nodes may not know yet.
func try(ctx context.Context, s Store, patience time.Duration) error {
	until := time.Now().Add(patience)
	for _, endpoint := range s.Endpoints {
		for {
			err := tryOne(ctx, s, endpoint)
			if err == nil {
				break
			}
			var f *loadgen.Failure
			late := errors.As(err, &f) && (f.Class == loadgen.Denied || f.Class == loadgen.NoBucket || f.Class == loadgen.NoObject)
			if !late || time.Now().After(until) {
				return err
			}
			if err := pause(ctx, 50*time.Millisecond); err != nil {
				return err
			}
		}
	}
	return nil
}

func tryOne(ctx context.Context, s Store, endpoint string) error {
	s.Endpoints = []string{endpoint}
	c, err := loadgen.New(s.target("try/"), loadgen.Load{Mix: map[loadgen.Op]int{loadgen.Get: 1}, Size: 1000, Concurrency: 1,
		Duration: time.Minute, Limit: 1, Objects: 1, Seed: 1})
	if err != nil {
		return err
	}
	if err := c.Prepare(ctx); err != nil {
		return err
	}
	result, err := c.Run(ctx)
	if err != nil {
		return err
	}
	if f, _ := result.Figure(loadgen.Get); len(f.Errors) > 0 {
		return &loadgen.Failure{Class: f.Errors[0].Class, Op: loadgen.Get, Endpoint: endpoint, Detail: f.Errors[0].Example}
	}
	_, err = c.Clean(ctx)
	return err
}

// fault converts an error of minio's to one of a load's.
func fault(op loadgen.Op, endpoint string, err error) error {
	if f := loadgen.Explain(op, endpoint, err); f != nil {
		return f
	}
	return nil
}

// pause waits.
func pause(ctx context.Context, d time.Duration) error {
	if sleep.For(ctx, d) != nil {
		return fmt.Errorf("while waiting for the store: %w", context.Cause(ctx))
	}
	return nil
}

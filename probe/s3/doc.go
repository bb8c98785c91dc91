// Package s3 measures a bucket of an object store with assay's own load
// generator, which runs on the host that the bucket was lent to: assay is pushed
// there with the bucket, and started as "assay agent".
//
// A repeat is one command, and one before it that makes room and lays out what is
// missing. Its stdin is the load as JSON, its last line the result: counts and histograms of every operation at every endpoint. Failed
// operations are figures and notes, and in no latency; an object that comes back
// other than it was written fails the repeat.
//
// It makes and removes no bucket, and never sees a key.
package s3

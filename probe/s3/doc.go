// Package s3 measures a bucket of an object store with assay's own load generator, which runs
// on the host that the bucket was lent to: assay is copied there along with the bucket, and
// started as "assay agent".
//
// A repeat is one command, preceded by one that makes room and writes missing objects. Its
// stdin is the load as JSON, its last line the result: counts and histograms of every
// operation at every endpoint. Failed operations yield figures and notes, and are in no
// latency; an object that comes back altered fails the repeat.
//
// It creates and removes no bucket, and never sees a key.
package s3

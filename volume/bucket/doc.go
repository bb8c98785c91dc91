// Package bucket lends a bucket of an object store that speaks S3.
//
// It pushes assay's own binary, for the place's architecture, into a directory of
// the place, and has it make a bucket with a name that no user would choose, and
// a key of its own if the store is a Garage. Release removes bucket, key,
// directory and whatever is in them.
//
// A bucket that it did not make is never emptied and never removed. Secrets reach
// the place through stdin alone, and stay there in a file that only its user may
// read; receipts say where they come from, never what they are.
package bucket

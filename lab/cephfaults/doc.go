// Package cephfaults has the assay that users run measure a pool of a real Ceph
// (lab/ceph), from one to three clients, and ends it in the middle: no pool, option,
// key or object is left that was not there before.
//
// The package holds tests alone.
package cephfaults

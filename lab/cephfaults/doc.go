// Package cephfaults has the assay binary measure a pool of a real Ceph (lab/ceph),
// from one to three clients, and ends it midway: no pool, option, key or object may
// be left that was not there before.
//
// The package holds only tests.
package cephfaults

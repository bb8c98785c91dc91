// Package cephpool lends pools of a Ceph cluster: a new one with the settings of a pool that it
// stands for, whose objects are never touched. Its name begins with assay-, and it bears
// the tag assay, so that a narrow key is enough (assay/stacks/ceph).
//
// A pool is removed only while mon_allow_pool_delete is set. Release sets it for that
// moment; what it was before is in the receipt.
package cephpool

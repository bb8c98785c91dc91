// Package cephpool lends pools of a Ceph cluster: a new one with the settings of a model pool,
// whose objects are never touched. Its name begins with assay-, and it carries the tag assay,
// so that a narrow key is enough (assay/stacks/ceph).
//
// A pool can be removed only while mon_allow_pool_delete is set. Release sets it for that
// moment; its former value is in the receipt.
package cephpool

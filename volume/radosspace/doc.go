// Package radosspace lends RADOS namespaces: one of its own in a pool that the user names,
// for those who may not make pools. Objects of other namespaces are neither listed nor
// touched, and a key that is limited to assay's namespaces in that pool is enough
// (assay/stacks/ceph).
package radosspace

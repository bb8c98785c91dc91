// Package radosspace lends a new RADOS namespace in a pool that the user names, for users
// who may not create pools. Objects in other namespaces are neither listed nor touched,
// and a key limited to assay's namespaces in that pool is enough (assay/stacks/ceph).
package radosspace

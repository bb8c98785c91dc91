// Package ceph contains what the parts that deal with Ceph share: how to query its
// monitors from a host, with which key, the capabilities that a key needs, and
// readers of the JSON replies, from Ceph 14 on.
//
// Nothing here changes a cluster. The readers are pure and total: what a release does
// not report is absent, and impossible values are errors.
package ceph

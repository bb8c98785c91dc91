// Package ephemeral lends scratch space in a volume that lives and dies with its
// pod: an emptyDir, which is a directory on the node's own disk, or a generic
// ephemeral volume of a storage class.
//
// In the pod it lends a scratch directory as volume/dir does, of an emptyDir with a
// size no more than fits in it: the disk may have more, and the pod is evicted that
// takes it. A pod that is gone took all of it along.
package ephemeral

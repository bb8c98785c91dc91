// Package ephemeral lends scratch space in a volume that lives and dies with its
// pod: an emptyDir, which is a directory on the node's own disk, or a generic
// ephemeral volume of a storage class.
//
// In the pod it lends a scratch directory as volume/dir does. If an emptyDir has a
// size, it lends no more than fits: the disk may have more, but a pod that uses it
// is evicted. When the pod is gone, so is everything in the volume.
package ephemeral

// Package ephemeral lends scratch space in a volume that lives and dies with its
// pod: an emptyDir, which is a directory on the node's own disk, or a generic
// ephemeral volume of a storage class.
//
// An emptyDir in memory is refused: that would measure RAM. In the pod it lends a
// scratch directory as volume/dir does. A pod that is gone took all of it along.
package ephemeral

// Package hostpath lends scratch space in a directory of a Kubernetes node: the SD
// card that the node boots from, a disk that is mounted there.
//
// The directory must exist, and is never made: a hostPath of the wrong name would
// measure whatever lies above it. Directories of the system are refused. A
// hostPath needs a namespace of Pod Security level privileged (the level baseline
// forbids it); the container itself is not privileged.
//
// What lies there outlives the pod. So a scratch directory is not released because
// its pod is gone: Release then gives that error, and the receipt stays until a
// new pod on that node can look.
package hostpath

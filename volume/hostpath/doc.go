// Package hostpath lends scratch space in a directory of a Kubernetes node: the SD
// card that the node boots from, or a disk mounted there.
//
// The directory must exist and is never created: a hostPath with the wrong name
// would measure whatever lies above it. System directories are refused. A hostPath
// needs a namespace with Pod Security level privileged (baseline forbids it); the
// container itself is not privileged.
//
// The contents outlive the pod. So a scratch directory is not released just
// because its pod is gone: Release then returns that error, and the receipt stays
// until a new pod on that node can look.
package hostpath

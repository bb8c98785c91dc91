// Package rawblock lends a block device of a Kubernetes node to be overwritten: a USB
// stick, or a disk that holds nothing yet. Its contents are lost; volume/guard decides
// what is refused, and how.
//
// The pod is privileged: its runtime then gives it the node's devices in /dev. It does
// not see the node's mounts and processes, so nothing in /proc shows whether the device
// is in use there; the kernel does, and guard asks it.
package rawblock

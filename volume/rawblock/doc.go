// Package rawblock lends a block device of a Kubernetes node to be overwritten: a
// USB stick, a disk that holds nothing yet. What is on it is lost; what is refused, and
// how that is found out, is volume/guard's.
//
// The pod is privileged: its runtime then gives it the node's devices in /dev. It
// does not see the node's mounts and processes, so that nothing in /proc tells
// whether the device is in use there; the kernel does, which guard asks.
package rawblock

// Package rbd runs rbd bench on an image of Ceph's block device, as a check of what fio
// measures there: another tool, through the same librbd, with the same block size and as
// much in flight. It also reads what others ran.
//
// It measures an image that was lent and filled, and never another; it never calls a
// discard or a write of zeroes a write of data.
package rbd

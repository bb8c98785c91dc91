// Package rbd runs rbd bench on a Ceph block device image, as a check of what fio
// measures there: another tool, through the same librbd, with the same block size and as
// much in flight. It also reads what others ran.
//
// It only measures an image that was lent and filled; it never calls a discard or a
// write of zeroes a write of data.
package rbd

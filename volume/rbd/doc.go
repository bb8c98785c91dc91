// Package rbd lends Ceph block device images. Each image has a name of its own in the
// given pool, and is removed with everything in it; nothing that was there before
// changes. It is accessed as virtual machines access theirs, through librbd, or mapped by
// the kernel on request.
//
// It measures nothing, and never removes an image that it did not name.
package rbd

// Package rbd lends images of Ceph's block device. An image has a name of its own, in the
// pool that is meant, and goes with everything in it; of what was there before nothing is
// changed. It is reached as virtual machines reach theirs, by librbd, or mapped by the
// kernel where that is asked for.
//
// It measures nothing, and never removes an image that it did not name.
package rbd

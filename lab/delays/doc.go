// Package delays puts known delays between the layers of real storage in guests
// (lab/guest), and compares what suite layers finds with the actual delays.
//
// Its bed is two guests that DRBD replicates between, on ZFS on a drive with a
// configurable delay (guest.Drive), over a cable that netem slows down. Its tests have
// a second bed: a file system in a file on ZFS, with dm-delay below each.
package delays

// Package delays puts known delays between the layers of real storage in guests
// (lab/guest), and holds what suite layers finds against what they really take.
//
// Its bed is two guests that DRBD replicates between, on ZFS on a drive that answers as
// late as it is told to (guest.Drive), over a cable that netem makes longer. Its tests
// have a second one: a file system in a file on ZFS, with dm-delay below each.
package delays

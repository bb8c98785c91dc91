// Package delays puts known delays between the layers of real storage in a guest
// (lab/guest), and holds what suite layers finds against what they really take: a file
// system in a file on ZFS on a drive, with dm-delay below each.
//
// The package holds tests alone.
package delays

// Package migration knows how libvirt is asked about a guest that may be moved from one
// host to another, how it is told to move it, and reads what it answers. Guests are moved
// while they run, by the hosts' own daemons (peer to peer), with their definition.
//
// What runs inside a guest meanwhile (inside.pl), so that it can be asked from outside
// (observe.pl), ends by itself.
//
// It moves a guest only between the two hosts that it was given, and never forces a
// migration that libvirt calls unsafe.
package migration

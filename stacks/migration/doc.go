// Package migration has the commands that query libvirt about a guest and move it from
// one host to another, and parsers for their output. Guests are moved while they run, by
// the hosts' own daemons (peer to peer), with their definition.
//
// What runs inside a guest meanwhile (inside.pl), to be queried from outside
// (observe.pl), ends by itself.
//
// It moves a guest only between the two hosts it was given, and never forces a migration
// that libvirt calls unsafe.
package migration

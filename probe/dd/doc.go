// Package dd measures sequential reads and writes of a directory's file system
// with dd, which every host has already: no root and nothing to install.
//
// Bandwidth is the exact byte count over the exact seconds of dd's last line,
// summed over the passes of a repeat, never dd's rounded rate. The data come
// from /dev/urandom, generated once and not counted, so compression and zero
// detection gain nothing.
//
// It never touches anything outside its scratch space, never writes to a
// device, and never calls a read cold unless the cache was really dropped.
package dd

// Package dd measures sequential reads and writes of a directory's file system
// with dd, which is on every host already: no root and nothing to install.
//
// Bandwidth is the exact byte count over the exact seconds of dd's last line,
// summed over the passes of a repeat, never the rate that dd rounds. The data
// come from /dev/urandom, made once and not counted, so compression and
// detection of zeros gain nothing.
//
// It never touches anything outside its scratch space, never writes to a
// device, and never calls a read cold unless the cache was really dropped.
package dd

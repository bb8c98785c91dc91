// Package moved lends a virtual machine to be moved from one host to another, and brings it
// home. It creates nothing: before the move it journals where the guest was, so that whoever
// finds the receipt can bring it back, even after Ctrl-C or kill -9.
//
// It never starts, stops or forces anything: a migration in progress is aborted if possible,
// or waited for; a guest that somebody has turned off stays off, at home.
package moved

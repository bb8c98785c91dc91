// Package moved lends a virtual machine to be moved from one host to another, and brings it
// home. Nothing is created: what is journalled is where the guest was, before it is moved,
// so that whoever finds the receipt can bring it back: after Ctrl-C, and after kill -9.
//
// It never starts, stops or forces anything: a migration that is under way is ended where it
// can be, or waited for; a guest that somebody has turned off stays off, at home.
package moved

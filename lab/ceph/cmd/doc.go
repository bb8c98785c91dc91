// Command cmd brings up a Ceph on this machine and takes it down: the command line of
// package ceph.
package main

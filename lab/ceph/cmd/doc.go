// Command cmd brings a Ceph up on this machine and takes it down: package ceph from a
// command line.
package main

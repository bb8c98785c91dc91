// Package stopped lends something that runs on a host to be stopped, and sees that it runs
// again. Nothing is created: what is journalled is that it ran, and how it is put back, before
// it is stopped, so that whoever finds the receipt can do that: after Ctrl-C, and after kill -9.
// What stops it is the probe, by a guard on the host that puts it back by itself (see package
// failover).
package stopped

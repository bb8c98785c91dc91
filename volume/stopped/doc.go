// Package stopped lends something that runs on a host to be stopped, and ensures that it runs
// again. It creates nothing: before the stop it journals that it ran and how to restore it, so
// that whoever finds the receipt can do that, even after Ctrl-C or kill -9. The probe stops
// it, through a guard on the host that restores it by itself (see package failover).
package stopped

// Package failover knows how something is stopped on a host so that others take over, how
// it is put back, and how that is seen from outside: the scripts of each, and readers of what
// they print.
//
// What is stopped is stopped by a guard: a process on that host that nothing of assay's holds,
// and that puts it back when it is told, or when its time is over. So a laptop that dies, or a
// link that is cut, leaves nothing stopped. Only what a cluster.yaml declares is stopped.
package failover

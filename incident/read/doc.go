// Package read makes incident events of texts: kernel logs as dmesg, journalctl and syslog
// print them, what smartctl and zpool say, logs of Ceph, DRBD, Longhorn and Kubernetes. A
// text may mix them, with prompts and prose between.
//
// It is pure: bytes in, events out. A line is looked at once for all signatures, and only
// one that has a signature is taken apart. Equal lines are one event with a count, so
// memory does not grow with the length of a log.
package read

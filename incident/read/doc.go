// Package read turns texts into incident events: kernel logs as printed by dmesg,
// journalctl and syslog, output of smartctl and zpool, logs of Ceph, DRBD, Longhorn and
// Kubernetes. A text may mix them, with prompts and prose in between.
//
// It is pure: bytes in, events out. Each line is matched against all signatures in one
// pass, and parsed only if one matches. Equal lines become one event with a count, so
// memory does not grow with the length of a log.
package read

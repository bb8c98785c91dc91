// Package watch looks at a host's own counters around a repeat: CPU time, what
// reached each block device, temperatures, clocks.
//
// It runs one fixed POSIX script through a place and reads what that prints. It
// knows no benchmark tool and judges nothing.
package watch

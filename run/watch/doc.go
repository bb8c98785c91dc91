// Package watch looks at a host's own counters around a repeat: CPU time and who
// used it, what reached each block device and passed through each interface,
// temperatures, clocks, pressure, throttling by a quota, swapping.
//
// It runs one fixed POSIX script through a place and reads what that prints. It
// knows no benchmark tool and judges nothing.
package watch

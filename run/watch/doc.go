// Package watch reads a host's own counters around a repeat: CPU time and who
// used it, I/O of each block device, traffic of each interface, temperatures,
// clocks, pressure, throttling by a quota, swapping.
//
// It runs one fixed POSIX script through a place and parses the output. It knows
// no benchmark tool and judges nothing.
package watch

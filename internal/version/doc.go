// Package version compares the versions of tools, whatever they look like
// around the numbers: fio-3.33, sysbench 1.0.20, 3.12+.
package version

// Command cmd plants faults in a cluster of two guests and has assay diagnose them:
// package incidents from a command line.
package main

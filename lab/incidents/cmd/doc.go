// Command cmd plants faults in a cluster of two guests and has assay diagnose them:
// the command line of package incidents.
package main

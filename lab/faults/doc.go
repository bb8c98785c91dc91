// Package faults tries what goes wrong on other hosts, one fault a test: the
// assay that users run, against hosts of lab/hosts that are really down, cut
// off, full, too old or not alone.
//
// Whatever the fault, the figures of the other hosts stand, the exit status says
// that the run is done in part, the report names the host and the cause, assay
// ends soon after its budget, and nothing is left: not on the hosts once they
// can be reached again, and not on the machine that assay ran on.
//
// The package holds tests alone. They need root, as labs do. Package matrix plants
// faults that slow a host, and scores the verdict on them.
package faults

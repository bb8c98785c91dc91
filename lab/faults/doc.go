// Package faults tests what goes wrong on other hosts, one fault per test: the
// assay binary, against hosts of lab/hosts that are really down, cut off, full,
// outdated or in use by others.
//
// Whatever the fault, the figures of the other hosts stand, the exit status says
// that the run is partial, the report names the host and the cause, assay ends
// soon after its budget, and nothing is left behind: neither on the hosts, once
// they are reachable again, nor on the machine that assay ran on.
//
// The package holds only tests. They need root, as labs do. Package matrix plants
// faults that slow a host, and scores the verdict on them.
package faults

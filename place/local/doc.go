// Package local is the place where assay itself runs: it starts commands on
// this machine.
//
// It knows no benchmark tool, reads no output and asks no shell: an argv goes
// to the kernel as it is.
package local

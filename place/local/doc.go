// Package local is the place where assay itself runs: it starts commands on
// this machine.
//
// It knows no benchmark tool, parses no output and uses no shell: an argv goes
// to the kernel unchanged.
package local

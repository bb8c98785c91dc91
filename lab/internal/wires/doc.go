// Package wires chooses the addresses of a lab's networks and runs the commands
// that lay its cables. It touches no interface but those that a lab names.
package wires

// Package wires chooses the addresses of a lab's networks and runs the commands
// that connect them. It touches only interfaces that a lab names.
package wires

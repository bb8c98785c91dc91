// Package command runs the programs that labs need, and reports which of them
// this machine lacks.
package command

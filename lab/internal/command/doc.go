// Package command runs the programs that labs are made with, and says which of
// them this machine has not got.
package command

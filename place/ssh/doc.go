// Package ssh is the place on another host, reached through the user's own
// OpenSSH client: their configuration, keys, agent, jump hosts and known_hosts
// apply as they do by hand.
//
// All commands of a place share one connection. Nothing is installed on the host
// and nothing is written to its disks: a POSIX sh reads the script of place/remote
// from its stdin and supervises the command, so that its whole process tree ends
// on timeout, on cancellation, and when the connection is lost.
//
// The package never weakens host key checking, never asks for a password, never
// puts a command's input into ssh's argument list, and never starts a command
// twice.
package ssh

// Package ssh is the place on another host, reached through the user's own
// OpenSSH client: their configuration, keys, agent, jump hosts and known_hosts
// hold here as they do by hand.
//
// One connection is shared by all commands of a place. Nothing is installed on
// the host and nothing is written to its disks: a POSIX sh reads the script of
// place/far from its stdin and keeps watch over the command, so that the
// command's whole process tree ends when its time is over, when it is cancelled,
// and when the connection is gone.
//
// The package never weakens the check of host keys, never asks for a password,
// never puts what a command is given into an argument list of ssh, and never
// starts a command a second time.
package ssh

// Package home keeps the directory that a lab lives in: the state file, which
// holds what must be known to take the lab down and is on disk before anything
// is made; the lock, so that only one program at a time changes the lab; and the
// refusal to take a directory that holds anything else. It is independent of any
// particular lab.
package home

// Package home keeps the directory that a lab lives in: the state file, which
// says what must be known to take the lab down and is on disk before anything is
// made; the lock, so that one program at a time changes the lab; and the refusal
// to take a directory that holds something else. It knows no lab.
package home

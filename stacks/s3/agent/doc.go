// Package agent is what assay does on the host that loads an object store: the
// same binary, pushed there and started as "assay agent".
//
// It reads one job as JSON from its stdin, does it, and prints one reply as the
// last line of its stdout; while it measures, a line a second says how far it is.
// It makes a bucket, and a key where the store is a Garage; makes room in it and
// lays objects out; runs a load; and takes bucket and key away again, after it has
// seen that they are its own.
//
// Secrets come with the job, and wait for the next one in a file of mode 0600 in
// the job's directory. They are in no argument, no environment and no reply.
package agent

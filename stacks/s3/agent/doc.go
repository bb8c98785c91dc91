// Package agent is what assay does on the host that loads an object store: the
// same binary, pushed there and started as "assay agent".
//
// It reads one job as JSON from stdin, does it, and prints one reply as the last
// line of stdout; while measuring, it prints its progress once a second. It
// creates a bucket, and a key if the store is a Garage; makes room in it and lays
// objects out; runs a load; and removes bucket and key again, after checking that
// they are its own.
//
// Secrets come with the job, and are kept for the next one in a file of mode 0600
// in the job's directory. They appear in no argument, no environment and no reply.
package agent

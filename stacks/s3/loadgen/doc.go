// Package loadgen puts a known load on an S3 object store and measures the
// outcome: PUT, GET, HEAD, LIST and DELETE, alone or mixed, from a fixed number
// of clients (closed loop) or at a fixed rate (open loop).
//
// In an open loop, an operation's latency counts from its intended start: a store
// that stalls for a second is charged for everything that waited. Data are
// incompressible, differ between objects and are generated off the clock; data
// read are checked against data written. Failures are sorted into classes that
// describe the problem in plain words. Latencies are histograms, so that those of
// several clients can be added up.
//
// Signatures and the error format are minio-go's. The HTTP/1.1 on the wire is the
// package's own: one goroutine per client and one system call per request leave
// the CPU to the store, and the first byte is timed as it arrives.
//
// It removes only objects below its own prefix, creates no bucket, retries
// nothing, and never puts credentials into a result or an error.
package loadgen

// Package loadgen puts a known load on an object store that speaks S3, and
// measures what came of it: PUT, GET, HEAD, LIST and DELETE, alone or mixed, from
// a fixed number of clients (closed loop) or at a fixed rate (open loop).
//
// In an open loop an operation's latency counts from when it was meant to start:
// a store that stalls for a second is charged for everything that waited. Data
// are incompressible, unlike from object to object and made off the clock; what
// is read is checked against what was written. Failures are sorted into classes
// that say what is wrong in plain words. Latencies are
// histograms, so that those of several clients can be added up.
//
// Signatures and the form of errors are minio-go's. The HTTP/1.1 on the wire is
// the package's own: one goroutine a client and one system call a request leave
// the processor to the store, and the first byte is seen when it comes.
//
// It removes nothing but objects below its own prefix, makes no bucket, retries
// nothing, and never puts credentials into a result or an error.
package loadgen

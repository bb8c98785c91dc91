// Package s3proxy is a proxy for tests. It sits between an object store and its
// client and injects faults: it rejects requests, stalls, and corrupts responses.
package s3proxy

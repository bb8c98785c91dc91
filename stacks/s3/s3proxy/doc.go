// Package s3proxy is a proxy for tests. It stands between an object store and its
// client, and breaks what it is told to break: it refuses, stalls, and spoils what
// comes back.
package s3proxy

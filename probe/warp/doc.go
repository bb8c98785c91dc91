// Package warp reads what MinIO's warp printed, from its first versions to 1.x:
// the summaries of a benchmark and of warp analyze, and the latter's JSON.
//
// Every kind of request is a result of its own. warp is a closed loop: a client
// sends its next request when the last one is answered, and label loop says so.
// Its MB/s and MiB/s are both binary. A rounded zero is no figure.
//
// It never runs warp, and keeps no credential of a command line.
package warp

// Package warp reads the output of MinIO's warp, from its first versions to
// 1.x: the summaries of a benchmark and of warp analyze, and the latter's JSON.
//
// Every kind of request is a separate result. warp is a closed loop: a client
// sends its next request once the last one is answered, as label loop records.
// Its MB/s and MiB/s are both binary. A value that was rounded to zero is
// dropped.
//
// It never runs warp, and keeps no credentials from a command line.
package warp

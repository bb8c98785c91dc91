// Package store keeps runs in one embedded SQLite file: their inventory,
// trials, transcripts, measurements and findings, and beside them the journal
// of what has to be released and the claims on hosts.
//
// It never measures, judges or prints, starts no process, and never changes
// what was measured: a repeat is written once, and only one that failed gives way
// to another try. It knows nothing of probes: a transcript is bytes to it, so that
// a better parser can read old runs again.
//
// # Format
//
// The file is SQLite in WAL mode with application_id "assy"; user_version is
// the schema's number. The folder migrations leads from each schema to the
// next and describes every column. Times are UTC text, durations nanoseconds,
// blobs zstd frames with a checksum.
//
// run: one row a run, with the process that carries it out. hosts and notes
// are JSON, inventory is packed JSON.
//
// trial: the plan's trials in their order, as JSON; scratch is what was really
// lent.
//
// repeat: how each repeat went; n is 0 for the warm-up.
//
// evidence: of each repeat, the watch (packed JSON, as in package assay) and
// the transcript. The transcript is packed JSON in which what went in and out
// of a command is a string where it is UTF-8, and else {"base64": "…"}.
//
// measurement: one row for each metric of each repeat, in base units, with
// labels as a JSON object: for queries in SQL.
//
// series: the samples and the latency histogram of a measurement, as pairs of
// 64-bit words: (seconds, value) as floats; (upper bound in seconds as a
// float, count). First column, then second; each word XORed with the one
// before it in its column; within a column, all lowest bytes first, then all
// second-lowest, and so on.
//
// finding: what the audit says of a run, as JSON. It is replaced as a whole.
//
// journal: receipts of what was lent and is not verified to be gone. They
// stay when their run is deleted.
//
// claim: which run has a host to itself.
//
// pin: names that people gave to runs. A run that has one is not deleted.
package store

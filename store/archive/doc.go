// Package archive puts runs into one file that can be carried elsewhere, and
// takes them out again: with their inventory, transcripts, samples, histograms
// and findings, nothing left behind.
//
// Both ways are streams: what is held at a time is one record. The package
// judges and prints nothing. Export writes what the store gives; Import looks
// through the whole file first, and then stores each run in one transaction, or
// skips one that is there already.
//
// # Format
//
// A portable file can be read with zstd and any reader of JSON:
//
//	zstd -dc runs.assay | jq -c 'keys'
//
// It begins with a skippable frame (RFC 8878, 3.1.2), which zstd passes over: the
// bytes 5A 2A 4D 18, the length 16 as a 32-bit little-endian number, and 16 bytes
// of ASCII, "assay runs " and the number of the format in five digits. This
// is format 1. A reader refuses a later one.
//
// Then comes zstd data with checksums. It holds records, each one line of
// JSON, an object with one member that says what it is:
//
// run: the head of a run, as package assay has it, without its results; findings
// and notes are in it. It opens the run.
//
// trial: a trial and the scratch space that was lent to it. It belongs to the
// run before it.
//
// repeat: a repeat with its measurements and its watch, of the trial before it.
//
// transcript: of the repeat before it, each of which has one. What went in and
// out of a command is a string where it is UTF-8, and else {"base64": "…"}.
//
// end: how many runs there were, and the SHA-256 of all bytes before this
// record, in hexadecimal. It is the last record, and nothing follows: a file
// without it was cut short.
//
// Times are RFC 3339, durations whole nanoseconds, values base units. Members
// that a reader does not know make a file one of a newer assay: nothing is
// silently lost. A record is at most 256 MiB, as text and once it is decoded, a file
// holds at most 10,000 runs and unpacks to at most 16 MiB and 256 times its size: a
// small file costs whoever reads it little.
//
// # The same run
//
// Two runs of one id are the same where all that was measured is the same: every
// member but the findings, which a better audit replaces. A digest says so: the
// SHA-256 of the run's records as this assay writes them, without findings.
package archive

// Package archive exports runs into one portable file, and imports them again: with
// their inventory, transcripts, samples, histograms and findings, nothing left out.
//
// Both directions are streams: only one record is in memory at a time. The package
// judges and prints nothing. Export writes what the store provides; Import reads the
// whole file first, and then stores each run in one transaction, or skips a run that
// is already there.
//
// # Format
//
// A portable file can be read with zstd and any JSON reader:
//
//	zstd -dc runs.assay | jq -c 'keys'
//
// It begins with a skippable frame (RFC 8878, 3.1.2), which zstd ignores: the bytes
// 5A 2A 4D 18, the length 16 as a 32-bit little-endian number, and 16 bytes of
// ASCII, "assay runs " and the format number in five digits. This is format 1. A
// reader rejects a later one.
//
// Then comes zstd data with checksums. It holds records, each one line of JSON: an
// object with one member that names its type:
//
// run: the head of a run, as in package assay, without its results; it includes
// findings and notes. It starts the run.
//
// trial: a trial and the scratch space that was lent to it. It belongs to the
// preceding run.
//
// repeat: a repeat with its measurements and its watch, of the preceding trial.
//
// transcript: of the preceding repeat, each of which has one. A command's input and
// output are strings if they are UTF-8, and else {"base64": "…"}.
//
// end: the number of runs, and the SHA-256 of all bytes before this record, in
// hexadecimal. It is the last record, and nothing follows: a file without it was
// truncated.
//
// Times are RFC 3339, durations whole nanoseconds, values base units. Members
// unknown to a reader mean that the file is from a newer assay: nothing is silently
// lost. A record is at most 256 MiB, both as text and decoded; a file holds at most
// 10,000 runs and unpacks to at most 16 MiB and 256 times its size: a small file is
// cheap to read.
//
// # The same run
//
// Two runs with one id are the same if all measured data are the same: every member
// but the findings, which a better audit replaces, and the remarks, which people add
// later. A digest decides: the SHA-256 of the run's records as this assay writes them,
// without findings and remarks. A run that still says that it is running was killed:
// it counts, and is stored, as interrupted.
package archive

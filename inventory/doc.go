// Package inventory finds out what there is to measure: it asks each host for
// its facts and turns them into the graph of subjects.
//
// A host is asked once, with one command: facts.sh, a fixed POSIX script, is
// fed to sh and prints what the kernel and a few tools say, unread. Parse turns
// that capture into assay.Facts. The script decides nothing, so a better Parse
// can read an old capture again.
//
// The package never guesses: a fact that could not be had stays zero and is
// named in Facts.Missing with the reason and with what would give it. It never
// writes to a host, never runs a benchmark, and starts no process of its own:
// only an assay.Place does.
package inventory

// Package inventory finds out what there is to measure: it queries the facts of
// each host and turns them into the graph of subjects.
//
// A host is queried once, with one command: facts.sh, a fixed POSIX script, is
// fed to sh and prints what the kernel and a few tools report, unparsed. Parse
// turns that capture into assay.Facts. The script decides nothing, so a better
// Parse can reread an old capture.
//
// The package never guesses: an unavailable fact stays zero and is listed in
// Facts.Missing with the reason and how to get it. It never writes to a host,
// never runs a benchmark, and starts no processes itself: only an assay.Place
// does.
package inventory

// Package store keeps runs in one database, an embedded SQLite file or a PostgreSQL
// database that a team shares: their inventory, trials, transcripts, measurements
// and findings, and beside them the journal of what has to be released and the
// claims on hosts.
//
// It never measures, judges or prints, starts no process, and never changes
// what was measured: a repeat is written once, and only one that failed gives way
// to another try. It knows nothing of probes: a transcript is bytes to it, so that
// a better parser can read old runs again.
//
// There is one code for both databases. What differs stands behind dialect: in
// sqlite*.go, and in postgres*.go and translate.go. The tests of what a store does
// run in both.
//
// # Format
//
// The file is SQLite in WAL mode with application_id "assy"; user_version is
// the schema's number. The folder migrations leads from each schema to the
// next and describes every column. Times are UTC text, durations nanoseconds,
// blobs zstd frames with a checksum.
//
// run: one row a run, with the process that carries it out. hosts and notes
// are JSON, as are labels and remarks, which people gave; inventory is packed JSON.
// imported is 1 for a run that came from another database.
//
// trial: the plan's trials in their order, as JSON; scratch is what was really
// lent.
//
// repeat: how each repeat went; n is 0 for the warm-up.
//
// evidence: of each repeat, the watches (packed JSON: that of the trial's own host as in
// package assay, and those of its other hosts under "hosts") and
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
//
// # PostgreSQL
//
// The tables are those of the file, in a schema of their own, "assay": other
// tables of the database do not matter. Where there is no such schema it is made,
// which needs the right to, or an administrator who has made an empty one. One
// with tables that are not assay's is refused. migrations/postgres leads from each
// schema to the next; the table schema_version has the number. An older binary
// refuses a newer schema.
//
// Writers take turns, as they do in the file: a transaction that writes begins with
// an advisory lock, and so does bringing the schema forward. No writer waits for
// longer than patience, and none that stands still keeps the lock for more than
// a minute. Readers see one state each and never wait. This needs a session for
// each transaction: a pooler that shares connections between statements will not do.
//
// The URL is what libpq understands, with its variables, ~/.pgpass and services.
// Passwords are in no message: see HasPassword for the command line. Where nobody
// says otherwise in the URL, PGSSLMODE or a service, the connection to a server that
// is neither on a socket nor on a loopback address is verified
// (sslmode=verify-full, against the system's CAs, ~/.postgresql/root.crt or
// sslrootcert) and never falls back to one in the clear.
//
// Text that PostgreSQL cannot keep (NUL, bytes that are no UTF-8) is escaped on its
// way in and restored on its way out: see toText. JSON stays TEXT, since jsonb keeps
// neither \u0000 nor the order of what it is given.
//
// The owners of runs, claims and receipts are processes of several machines, of
// which each can tell only about its own. owner_boot holds boot@machine here; what
// belongs to another machine counts as alive, whatever became of it, and is left to
// that machine: see Alive. A run whose machine never comes back stays "running" and
// cannot be deleted or gone on with, and its claims stay, until a person takes them
// away in SQL.
package store

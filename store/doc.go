// Package store keeps runs in one database, an embedded SQLite file or a PostgreSQL
// database shared by a team: their inventory, trials, transcripts, measurements and
// findings, and also the journal of what has to be released and the claims on hosts.
//
// It never measures, judges or prints, starts no process, and never changes measured
// data: a repeat is written once, and only a failed one is replaced by another try. It
// knows nothing of probes: a transcript is opaque bytes, so that a better parser can
// read old runs again.
//
// Both databases share one code. Differences are behind dialect: in sqlite*.go, and in
// postgres*.go and translate.go. The store's tests run on both.
//
// # Format
//
// The file is SQLite in WAL mode with application_id "assy"; user_version is the schema
// number. The folder migrations leads from each schema to the next and describes every
// column. Times are UTC text, durations nanoseconds, blobs zstd frames with a checksum.
//
// run: one row per run, with the process that executes it. hosts and notes are JSON, as
// are labels and remarks, which are from users; inventory is packed JSON. imported is 1
// for a run from another database or from tool output.
//
// trial: the plan's trials in order, as JSON; scratch is what was actually lent.
//
// repeat: the outcome of each repeat; n is 0 for the warm-up.
//
// evidence: for each repeat, the watches (packed JSON: that of the trial's own host as
// in package assay, those of its other hosts under "hosts") and the transcript. The
// transcript is packed JSON in which a command's input and output are strings if they
// are UTF-8, and else {"base64": "…"}.
//
// measurement: one row per metric and repeat, in base units, with labels as a JSON
// object: for queries in SQL.
//
// series: the samples and the latency histogram of a measurement, as pairs of 64-bit
// words: (seconds, value) as floats; (upper bound in seconds as a float, count). First
// column, then second; each word XORed with the previous one in its column; within a
// column, all lowest bytes first, then all second-lowest, and so on.
//
// finding: the audit's findings for a run, as JSON. They are replaced as a whole.
//
// journal: receipts for scratch space not yet verified as removed. They stay when
// their run is deleted.
//
// claim: which run has exclusive use of a host.
//
// pin: names that users gave to runs. A run that has one is not deleted.
//
// # PostgreSQL
//
// The tables are those of the file, in a schema of their own, "assay": other tables of
// the database do not matter. A missing schema is created, which requires the privilege;
// otherwise an administrator must create an empty one. A schema with tables that are not
// assay's is rejected. migrations/postgres leads from each schema to the next; the table
// schema_version has the number. An older binary rejects a newer schema.
//
// Writers take turns, as they do in the file: a write transaction starts with an
// advisory lock, and so does a schema migration. No writer waits for longer than
// patience, and a stalled one holds the lock for at most a minute. Readers see one state
// each and never wait. This needs a session per transaction: a pooler that shares
// connections between statements will not do.
//
// The URL is as for libpq, with its variables, ~/.pgpass and services. Passwords appear
// in no message: see HasPassword for the command line. Unless the URL, PGSSLMODE or a
// service says otherwise, the connection to a server that is neither on a socket nor on
// a loopback address is verified (sslmode=verify-full, against the system's CAs,
// ~/.postgresql/root.crt or sslrootcert) and never falls back to plain text.
//
// Text that PostgreSQL cannot store (NUL, invalid UTF-8) is escaped when written and
// restored when read: see toText. JSON stays TEXT, since jsonb keeps neither \u0000 nor
// the order of its input.
//
// The owners of runs, claims and receipts are processes of several machines, each of
// which knows only about its own. owner_boot holds boot@machine here; whatever belongs
// to another machine counts as alive, regardless of its actual state, and is left to
// that machine: see Alive. A run whose machine never comes back stays "running" and
// cannot be deleted or resumed, and its claims stay, until a person removes them in SQL.
package store

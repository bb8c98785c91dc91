// Package pgtest starts a real PostgreSQL server for tests, from the programs that
// Debian's package postgresql installs. The server is private, listens on a socket
// in a directory of its own, and ends with the process that started it. Existing
// servers are not used, and the test is skipped if the programs are not installed.
package pgtest

// Package pgtest starts a real PostgreSQL server for tests, from the programs that
// Debian's package postgresql installs: private, on a socket in a directory of its
// own, and gone with the process that started it. It uses no server that is there
// already, and skips the test where the programs are not installed.
package pgtest

// Package turns is what the tests with a heavy lab do first: where a quick run of the
// tests was asked for, or the machine can have no such lab, they are skipped with
// the reason; otherwise each waits its turn. go test runs the tests of several
// packages at once, and two heavy labs would only make each other slow.
package turns

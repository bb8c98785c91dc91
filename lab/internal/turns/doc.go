// Package turns gates the tests that use a heavy lab: in a quick run, or where the
// machine cannot have such a lab, they are skipped with the reason; otherwise each
// waits its turn. go test runs the tests of several packages at once, and two heavy
// labs would only slow each other down.
package turns

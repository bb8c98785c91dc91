// Package licences holds the notices of everything that a build of assay contains:
// the Go standard library, Go modules, and the JavaScript of the HTML report.
package licences

import _ "embed"

// Notices names each component with its version and kind of licence, and has the full
// texts, each once with the components it covers.
//
//go:embed notices.txt
var Notices string

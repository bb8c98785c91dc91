// Package licences holds the notices of everything that a build of assay contains:
// the Go standard library, Go modules, and the JavaScript of the HTML report.
package licences

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
)

// Packed, they take a fifth of the room in the program.
//
//go:embed notices.txt.gz
var packed []byte

// Notices names each component with its version and kind of licence, followed by the
// full texts, each once with the components it covers.
func Notices() (string, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(z)
	return string(text), err
}

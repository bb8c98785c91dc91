// Package captured gives reader tests the outputs captured from real tools. It
// is never linked into assay itself.
package captured

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
)

// Bytes returns a file of the package's testdata.
func Bytes(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Text returns Bytes as a string.
func Text(t testing.TB, name string) string {
	t.Helper()
	return string(Bytes(t, name))
}

// Begins checks that a format accepts these lines, and none of the others, as the beginning
// of an output.
func Begins(t *testing.T, f assay.Format, lines, others []string) {
	t.Helper()
	for _, line := range lines {
		if !f.Begins(line) {
			t.Errorf("%q does not begin an output", line)
		}
	}
	for _, line := range others {
		if f.Begins(line) {
			t.Errorf("%q begins an output", line)
		}
	}
}

// Output returns the transcript of an output with the command line before it,
// "" for none, as found in somebody else's text.
func Output(stdout, command string) assay.Transcript {
	step := assay.Step{Name: "measure", Output: assay.Output{Stdout: []byte(stdout)}}
	if command != "" {
		step.Argv = strings.Fields(command)
	}
	return assay.Transcript{Steps: []assay.Step{step}}
}

// Learn runs a learner on an output, on top of what is already known.
func Learn(l assay.Learner, stdout, command string, known assay.Facts) (assay.Facts, error) {
	err := l.Learn(Output(stdout, command), &known)
	return known, err
}

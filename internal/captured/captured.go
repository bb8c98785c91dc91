// Package captured gives the tests of readers the outputs that were captured
// from real tools. It is never linked into assay itself.
package captured

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
)

// Bytes is a file of the package's testdata.
func Bytes(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Text is Bytes as a string.
func Text(t testing.TB, name string) string {
	t.Helper()
	return string(Bytes(t, name))
}

// Begins wants a format to take these lines, and none of the others, for the beginning of an
// output.
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

// Output is the transcript of an output with the command line that stood before
// it, "" for none, as a text of somebody else gives it.
func Output(stdout, command string) assay.Transcript {
	step := assay.Step{Name: "measure", Output: assay.Output{Stdout: []byte(stdout)}}
	if command != "" {
		step.Argv = strings.Fields(command)
	}
	return assay.Transcript{Steps: []assay.Step{step}}
}

// Learn has a learner read an output, over what is known already.
func Learn(l assay.Learner, stdout, command string, known assay.Facts) (assay.Facts, error) {
	err := l.Learn(Output(stdout, command), &known)
	return known, err
}

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

// Text is a file of the package's testdata.
func Text(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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

package verbstest

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

// Run is a command, in the form that verbs.Main takes.
type Run func(ctx context.Context, args []string, out io.Writer) error

// Terminal runs a command's lines with its lab in Dir.
type Terminal struct {
	T   testing.TB
	Run Run
	Dir string
}

// Type runs a line of words and returns the error. It fails the test if the output
// lacks prints or the error lacks fails; an empty fails means no error.
func (at Terminal) Type(ctx context.Context, words, prints, fails string) error {
	at.T.Helper()
	var out bytes.Buffer
	err := at.Run(ctx, append([]string{"-dir", at.Dir}, strings.Fields(words)...), &out)
	if (err == nil) != (fails == "") || err != nil && !strings.Contains(err.Error(), fails) {
		at.T.Errorf("%s: %v, want %q", words, err, fails)
	}
	if !strings.Contains(out.String(), prints) {
		at.T.Errorf("%s printed\n%s\nwant %q", words, out.String(), prints)
	}
	return err
}

// ExpectRefused fails the test if the command accepts any of these lines.
func ExpectRefused(t testing.TB, run Run, lines [][]string) {
	t.Helper()
	for _, words := range lines {
		var out bytes.Buffer
		if err := run(context.Background(), append([]string{"-dir", t.TempDir()}, words...), &out); err == nil {
			t.Errorf("took %q", words)
		}
	}
}

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var recordAgain = flag.Bool("record", false, "make the recordings in testdata again, with the real tools of this machine")

// recordedDir is the directory used in the recordings. It need not exist when
// they are replayed.
const recordedDir = "/srv/assay-test"

// recorded maps the recordings to the options that made them: a replay asks for
// exactly the same.
var recorded = map[string][]string{
	"quick": {"--suite", "quick", "--time-budget", "9s", "--repeats", "1", "--seed", "1"},
	"baseline": {
		"--suite", "baseline", "--time-budget", "17s", "--repeats", "2", "--seed", "1",
		"--only", "smart,thermal,randread-4k,cpu-1,memory-read-1",
	},
}

// TestRecord makes the recordings; testdata/recordings/README.md says when.
func TestRecord(t *testing.T) {
	if !*recordAgain {
		t.Skip("only with -record")
	}
	if err := os.Mkdir(recordedDir, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
	defer os.Remove(recordedDir)
	for name, options := range recorded {
		file := filepath.Join("testdata/recordings", name+".jsonl")
		if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		args := append([]string{"run", "--db", filepath.Join(t.TempDir(), "assay.db"), "--dir", recordedDir, "--record", file}, options...)
		code := execute(context.Background(), args, newApp(os.Stdin, &stdout, &stderr))
		t.Logf("%s: exit status %d\n%s%s", name, code, &stderr, &stdout)
		if code != exitFine && code != exitRejected {
			t.Errorf("%s: a recording should be of a whole run", name)
		}
	}
}

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkAudit runs assay audit on a file of fio's human-readable reports: as
// many as it reads, of several versions and kinds.
func BenchmarkAudit(b *testing.B) {
	names, err := filepath.Glob("../../probe/fio/testdata/text/3.*.txt")
	if err != nil || len(names) == 0 {
		b.Fatal("no reports: ", err)
	}
	var once bytes.Buffer
	for _, name := range names {
		report, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		once.WriteString("$ fio job.fio\n")
		once.Write(report)
		once.WriteString("\n")
	}
	text := strings.Repeat(once.String(), 3<<20/once.Len())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		a := newApp(strings.NewReader(text), io.Discard, io.Discard)
		a.format = formatText
		if err := a.auditFiles([]string{"-"}, given{}, ""); statusOf(err) != exitRejected {
			b.Fatal(err)
		}
	}
}

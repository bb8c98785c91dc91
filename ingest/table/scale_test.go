package table

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// BenchmarkBlog reads a book of prose with some tables.
func BenchmarkBlog(b *testing.B) {
	text, err := os.ReadFile("testdata/hosts.md")
	if err != nil {
		b.Fatal(err)
	}
	prose := strings.Repeat("The drives of the cluster read 359k IOPS, and write latency (ms) is what matters.\n\n", 20)
	text = bytes.Repeat(append([]byte(prose), text...), 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if t := Blog(text); len(t.Results) == 0 {
			b.Fatal("nothing was read")
		}
	}
}

// BenchmarkLongTable reads one table of many rows: time must grow linearly.
func BenchmarkLongTable(b *testing.B) {
	text := []byte("| Host | Rand Read IOPS |\n|---|---|\n" + strings.Repeat("| a | 359k |\n", 1e5))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if t := Blog(text); len(t.Results) != 1e5 {
			b.Fatal(len(t.Results))
		}
	}
}

// BenchmarkCSV reads many repeats of one test.
func BenchmarkCSV(b *testing.B) {
	text := []byte("host,metric,value,unit\n" + strings.Repeat("a,storage.read.iops,359k,IOPS\n", 1e5))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if t, err := Read("x.csv", text); err != nil || len(t.Results[0].Repeats) != 1e5 {
			b.Fatal(err)
		}
	}
}

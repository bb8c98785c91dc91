package ingest_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"assay/ingest"
	"assay/ingest/readers"
)

// Most of a log is no tool's output: measures the cost per byte.
func BenchmarkLog(b *testing.B) {
	var text strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&text, "Nov 14 20:%02d:%02d pve%d kernel: [%d.%06d] nvme nvme0: message %d of the kernel = ok, 3/4 done\n", i/60%60, i%60, i%4, i, i*7919%1000000, i)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		var r ingest.Reading
		_ = r.Read("log", strings.NewReader(text.String()), readers.All())
	}
}

// Prose contains no output at all.
func BenchmarkProse(b *testing.B) {
	text := strings.Repeat("We moved the cluster to new drives last week, and since then writes take three times as long (12 ms, not 4).\n"+
		"Nothing else was changed. The drives are of the same model, the firmware is newer; smartctl shows no errors.\n\n", 20_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var r ingest.Reading
		_ = r.Read("prose", strings.NewReader(text), readers.All())
	}
}

// fio's human-readable reports, one after the other.
func BenchmarkFioText(b *testing.B) {
	report, err := os.ReadFile("../probe/fio/testdata/text/3.39-linstor-sync.txt")
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat(string(report)+"\n", 300)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var r ingest.Reading
		if err := r.Read("f", strings.NewReader(text), readers.All()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJSONPlus(b *testing.B) { benchmarkFile(b, "../probe/fio/testdata/3.33-read-libaio.json") }

func benchmarkFile(b *testing.B, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var r ingest.Reading
		if err := r.Read("f", strings.NewReader(string(text)), readers.All()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFile(b *testing.B) {
	if path := os.Getenv("FILE"); path != "" {
		benchmarkFile(b, path)
	}
}

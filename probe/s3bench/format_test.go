package s3bench

import (
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/captured"
	"assay/probe/probetest"
)

func TestBegins(t *testing.T) {
	f := New().Format()
	captured.Begins(t, f, []string{
		"Test parameters", "endpoint(s):      [http://127.0.0.1:18080]", "Results Summary for Read Operation(s)", "Wasabi benchmark program v2.0",
		"Parameters: url=http://s3.wasabisys.com, bucket=b, duration=60", "Parameters { url=https://s3.example, bucket=b }",
		"Loop 1: PUT time 60.1 secs, objects = 5484", "Loop 2: GET time=61.3 secs, objects 3849", "Wed, 03 Jun 2020 09:54:18 GMT Loop 1: PUT time 20.0 secs",
		"Tue, 23 Jan 2024 16:57:43 GMT: Loop 1: PUT time=68.5 secs", "Download performance with 32 MB objects (c5.4xlarge)",
		"| Threads |     Throughput |  avg   min   p25   p50   p75   p90   p99   max |  avg   min   p25   p50   p75   p90   p99   max |",
		"|       8 |       0.3 MB/s |   28    13    18    22    30    46   112   141 |   28    13    18    22    30    46   112   141 |",
	}, []string{
		"", "Test parameters are below", "Loop 1 was slow", "Parameters: see above", "H3 benchmark program v1.0", "Results Summary", "Download performance was bad",
		"| Threads | MB/s |", "| 8 | 0.3 MB/s | 28 |", "Total Throughput:  0.30 MB/s", "Benchmark completed.",
	})
}

// One output is one excerpt; the next one is another.
func TestSplits(t *testing.T) {
	f := New().Format()
	for _, file := range []string{"igneous-readme.txt", "igneous-swift.txt", "igneous-fork-2021.txt", "wasabi-2.0.txt", "wasabi-2.1-loops.txt", "wasabi-log-2018.txt", "wasabi-lists.txt", "dvassallo-from-source.txt"} {
		text := captured.Text(t, file)
		cuts := func(text string) (n int) {
			sofar := ""
			for line := range strings.Lines(text) {
				if next := strings.TrimRight(line, "\n"); f.Begins(next) && sofar != "" && f.Splits([]byte(sofar), next) {
					n, sofar = n+1, ""
				}
				sofar += line
			}
			return n
		}
		if n := cuts(text); n != 0 {
			t.Errorf("%s is cut %d times", file, n)
		}
		if n := cuts(text + text); n != 1 {
			t.Errorf("%s twice is cut %d times, want 1", file, n)
		}
	}
}

func TestSizes(t *testing.T) {
	for s, want := range map[string]string{"1M": "1048576", "4k": "4096", "10MB": "10485760", "1024": "1024", "1 KB": "1024", "": "", "-1M": "", "M": "", "1KiB": "1024", "9999999P": ""} {
		if got := bytesOf(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		f.Add(captured.Text(f, filepath.Base(file)), "s3bench -objectSize=1024 -numClients 4")
	}
	f.Fuzz(func(t *testing.T, text, command string) {
		got, err := New().Parse(captured.Output(text, command))
		probetest.CheckParsed(t, got, err, text)
		probetest.CheckNoZero(t, got, ".errors")
	})
}

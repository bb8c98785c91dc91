package rados

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

func TestBegins(t *testing.T) {
	f := New().Format()
	captured.Begins(t, f, []string{
		"Maintaining 16 concurrent writes of 4194304 bytes to objects of size 4194304 for up to 10 seconds or 0 objects",
		"2020-01-30T18:55:04.687964-0700 Maintaining 128 concurrent writes of 4194304 bytes to objects of size 4194304 for up to 10 seconds or 0 objects",
		" Maintaining 16 concurrent writes of 4194304 bytes for at least 10 seconds.",
		"  sec Cur ops   started  finished  avg MB/s  cur MB/s last lat(s)  avg lat(s)",
		"   sec Cur ops   started  finished  avg MB/s  cur MB/s  last lat   avg lat",
		"Total time run:         10.292915", "Total reads made 459,616.00 807,521.00 911,808.00",
		"Single Client Two Clients Three Clients", "| Single Client | Two Clients |", "Bandwidth (MB/sec):     219.957",
		"Must write data before running a read benchmark!",
	}, []string{
		"", "hints = 1", "Total time run", "A SINGLE CLIENT IS NOT ENOUGH", "Single Client", "Bandwidth by number of clients, one client or two clients",
		"reading and 6,078 MB/s for writing.", "Average IOPS: 12", "Max latency(s): 1", "4K Bandwidth (KB) IO/s Latency (ms)",
		"    total time:                          10.0012s", "bandwidth (MB/sec) was 12", "    10      16       454       438   175.039        88    0.704013    0.355826",
	})
}

// Several runs in one text are split into as many, and one stays one.
func TestSplits(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		want  int
	}{
		{"two writes and a read", []string{"pacific-write.txt", "octopus-stall.txt", "squid-seq.txt"}, 3},
		{"a table with two heads", []string{"pacific-22s.txt"}, 1},
		{"an interrupted one and a read", []string{"pacific-interrupted.txt", "pacific-seq.txt"}, 2},
		{"summaries alone", []string{"jewel-write.txt", "jewel-rand.txt", "jewel-rand.txt"}, 3},
		{"tables of columns", []string{"columns-read.txt", "columns-write.txt"}, 2},
		{"with the time", []string{"pacific-rand-show-time.txt", "crlf-noise.txt"}, 2},
		{"a failure and a write", []string{"pacific-no-objects.txt", "pacific-write.txt"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			var text string
			for _, name := range c.files {
				text += strings.ReplaceAll(captured.Text(t, name), "\r", "")
			}
			parts := cut(text)
			if len(parts) != c.want {
				t.Fatalf("%d outputs, want %d:\n%s", len(parts), c.want, strings.Join(parts, "\n-----\n"))
			}
		})
	}
}

// cut splits a text as a reader of foreign outputs does.
func cut(text string) []string {
	f := New().Format()
	var parts []string
	var open string
	for line := range strings.Lines(text) {
		if f.Begins(strings.TrimSuffix(line, "\n")) && (open == "" || f.Splits([]byte(open), strings.TrimSuffix(line, "\n"))) {
			if open != "" {
				parts = append(parts, open)
			}
			open = ""
		} else if open == "" {
			continue
		}
		open += line
	}
	return append(parts, open)
}

func TestAccepts(t *testing.T) {
	f := New().Format()
	if !f.Accepts([]string{"concurrent_ios", "object_size", "op_size"}) || !f.Accepts([]string{"datas", "total_time_run", "total_reads_made"}) {
		t.Error("its own keys are refused")
	}
	if f.Accepts(nil) || f.Accepts([]string{"fio version", "jobs"}) || f.Accepts([]string{"total_time_run", "q_table_name"}) {
		t.Error("others' keys are taken")
	}
	if !f.Splits([]byte(strings.TrimPrefix(captured.Text(t, "pacific-rand-4k.json"), "hints = 1\n")), "Total time run: 3") {
		t.Error("text goes on in a document")
	}
}

func FuzzParse(f *testing.F) {
	names, err := filepath.Glob("testdata/*.*")
	if err != nil || len(names) < 15 {
		f.Fatalf("%d files: %v", len(names), err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, "rados bench -p x 10 seq -t 4")
	}
	f.Fuzz(func(t *testing.T, text []byte, line string) {
		all, err := New().Parse(transcript(text, line))
		if err != nil {
			if err.Error() == "" {
				t.Fatalf("%v with %q", all, err)
			}
		}
		lines := strings.Count(string(text), "\n") + 1
		for _, m := range all {
			known, ok := assay.Describe(m.Metric)
			if !ok || known.Unit != m.Unit || !(m.Value >= 0 && m.Value < 1e30) || m.Line < 1 || m.Line > lines {
				t.Fatalf("%+v of %d lines", m, lines)
			}
			for _, s := range m.Samples {
				if !(s.Value >= 0 && s.Value < 1e40) {
					t.Fatalf("sample %+v", s)
				}
			}
		}
		cut(string(text))
	})
}

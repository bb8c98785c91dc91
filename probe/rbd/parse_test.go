package rbd

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

func transcript(text []byte, command string) assay.Transcript {
	return assay.Transcript{Probe: "rbd", Steps: []assay.Step{{
		Name: "measure", Argv: strings.Fields(command), Output: assay.Output{Stdout: text},
	}}}
}

// Figures are as a human reads them in a file; bandwidth is operations per
// second times their size if the printed value is that, rounded.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		file, command string
		labels        map[string]string
		figures       map[string]float64
		line, samples int
	}{
		{"pacific-write.txt", "",
			map[string]string{"op": "write", "pattern": "write", "bs": "4096", "threads": "16", "total": "67108864", "interrupted": ""},
			map[string]float64{"pool.write.iops": 85333.3, "pool.write.bandwidth": 85333.3 * 4096, "pool.write.ios": 16384, "pool.write.bytes": 64 << 20, "tool.duration": .192}, 3, 0},
		{"pacific-randread.txt", "",
			map[string]string{"op": "read", "pattern": "randread", "bs": "65536", "threads": "4"},
			map[string]float64{"pool.read.iops": 12564.4, "pool.read.bandwidth": 12564.4 * 65536}, 3, 0},
		{"pacific-rw.txt", "",
			map[string]string{"op": "readwrite", "pattern": "randrw", "interrupted": ""},
			map[string]float64{"pool.read.iops": 4130.71, "pool.write.iops": 1720.71, "pool.read.ios": 11566, "pool.write.bandwidth": 1720.71 * 4096, "tool.duration": 2.8}, 6, 0},
		{"pacific-interrupted.txt", "",
			map[string]string{"cut": "", "pattern": "randwrite", "interrupted": "stopped by a signal", "done": "0.005676"},
			map[string]float64{"pool.write.iops": 8941.71, "pool.write.ios": 14879, "tool.duration": 1.66400}, 6, 1},
		{"luminous-read.txt", "rbd bench -p vms --io-type read test",
			map[string]string{"op": "read", "pool": "vms", "pattern": "read"},
			map[string]float64{"pool.read.iops": 57326.55, "pool.read.bandwidth": 57326.55 * 4096, "tool.duration": 4.57282}, 7, 4},
		{"luminous-summary.txt", "rbd bench-write test_image --io-threads 30 --pool=test_pool --io-pattern rand --io-total 17199730000 --io-size 4096000 --cluster=test",
			map[string]string{"op": "write", "bs": "4096000", "threads": "30", "pool": "test_pool", "pattern": "randwrite"},
			map[string]float64{"pool.write.iops": 210.18, "pool.write.bandwidth": 210.18 * 4096000, "pool.write.ios": 4200}, 1, 0},
		{"luminous-summary.txt", "rbd bench --io-type read --io-size 4M x",
			map[string]string{"op": "read", "bs": "4194304", "threads": "16"},
			map[string]float64{"pool.read.iops": 210.18}, 1, 0},
		{"octopus-write.txt", "",
			map[string]string{"threads": "16"},
			map[string]float64{"pool.write.iops": 27312.1, "pool.write.bandwidth": 27312.1 * 4096, "tool.duration": 9.59809}, 12, 9},
		{"octopus-truncated.txt", "",
			map[string]string{"cut": "after 20 s", "interrupted": "the output ends before its summary", "done": "0.1536"},
			map[string]float64{"pool.write.ios": 40272, "pool.write.iops": 2013.6, "pool.write.bandwidth": 2013.6 * 4096, "tool.duration": 20}, 18, 16},
		{"crlf-noise.txt", "",
			map[string]string{"bs": "4096"},
			map[string]float64{"pool.write.iops": 27312.1}, 12, 9},
	} {
		t.Run(c.file+" "+c.command, func(t *testing.T) {
			all, err := New().Parse(transcript(captured.Bytes(t, c.file), c.command))
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]float64{}
			for _, m := range all {
				if _, twice := got[m.Metric]; twice {
					t.Errorf("%s twice", m.Metric)
				}
				got[m.Metric] = m.Value
				for key, v := range c.labels {
					if m.Labels[key] != v {
						t.Errorf("%s: label %s is %q, want %q", m.Metric, key, m.Labels[key], v)
					}
				}
			}
			for metric, v := range c.figures {
				if g, ok := got[metric]; !ok || math.Abs(g-v) > 1e-5*v {
					t.Errorf("%s is %v, want %v", metric, g, v)
				}
			}
			if all[0].Line != c.line || len(all[0].Samples) != c.samples {
				t.Errorf("line %d with %d samples, want %d and %d", all[0].Line, len(all[0].Samples), c.line, c.samples)
			}
		})
	}
}

// If rate times size is not the printed bytes, these count.
func TestPrintedBytesStand(t *testing.T) {
	all, err := New().Parse(transcript([]byte("bench  type write io_size 4096 io_threads 1 bytes 1 pattern random\nelapsed: 9   ops: 9   ops/sec: 1000   bytes/sec: 8 MiB/s\n"), ""))
	if err != nil || all[0].Value != 8<<20 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct{ text, command, says string }{
		{captured.Text(t, "pacific-no-image.txt"), "", "line 1: rbd: error opening image nothing"},
		{captured.Text(t, "octopus-write.txt") + captured.Text(t, "luminous-summary.txt"), "", "line 13: a second total"},
		{captured.Text(t, "luminous-summary.txt"), "", "cannot tell whether it read or wrote"},
		{"bench  type discard io_size 4096 io_threads 16 bytes 1 pattern random\nelapsed: 1   ops: 9   ops/sec: 9   bytes/sec: 36 KiB/s\n", "", "type discard moves no data"},
		{"bench  type write io_size 4096 io_threads 16 bytes 1 pattern random\nelapsed: 1   ops: 0   ops/sec: 0   bytes/sec: 0 B/s\n", "", "line 2: no operations were performed"},
		{"bench  type write io_size 4096 io_threads 16 bytes 1 pattern random\nelapsed: 0   ops: 5   ops/sec: inf   bytes/sec: inf B/s\n", "", "line 2: inf is impossible"},
		{"bench  type write io_size 4096 io_threads 16 bytes 1 pattern random\nelapsed: 1   ops: 9   ops/sec: 9   bytes/sec: 0\n", "", "line 2: operations without a byte are impossible"},
		{"bench  type write io_size 4096 io_threads 16 bytes 1 pattern random\n", "", "no total and no line of its table"},
		{"write error: (28) No space left on device\n", "", "line 1: write error: (28)"},
		{"", "rbd ls", "no total and no line of its table"},
	} {
		all, err := New().Parse(transcript([]byte(c.text), c.command))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.60q gives %v and %v, want %q", c.text, all, err, c.says)
		}
	}
	if _, err := New().Parse(transcript(nil, "")); !errors.Is(err, assay.ErrNoOutput) {
		t.Errorf("nothing gives %v", err)
	}
}

func TestFormat(t *testing.T) {
	f := New().Format()
	text := ""
	for _, name := range []string{"octopus-write.txt", "pacific-rw.txt", "luminous-read.txt", "luminous-summary.txt"} {
		text += captured.Text(t, name)
	}
	parts, open := 0, ""
	for line := range strings.Lines(text) {
		if f.Begins(strings.TrimSuffix(line, "\n")) && (open == "" || f.Splits([]byte(open), strings.TrimSuffix(line, "\n"))) {
			parts, open = parts+1, ""
		}
		open += line
	}
	if parts != 4 {
		t.Errorf("%d outputs, want 4", parts)
	}
	captured.Begins(t, f, nil, []string{
		"", "bench", "bench type of wood", "  SEC       OPS", "elapsed: 10", "elapsed time: 3 s", "1     28896   29027.5   113 MiB/s", "rbd: error opening image",
	})
}

func FuzzParse(f *testing.F) {
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) < 8 {
		f.Fatalf("%d files: %v", len(names), err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, "rbd bench --io-type write --io-size 64K")
	}
	f.Fuzz(func(t *testing.T, text []byte, line string) {
		all, err := New().Parse(transcript(text, line))
		if err != nil {
			if all != nil || err.Error() == "" {
				t.Fatalf("%v with %q", all, err)
			}
			return
		}
		lines := strings.Count(string(text), "\n") + 1
		for _, m := range all {
			known, ok := assay.Describe(m.Metric)
			if !ok || known.Unit != m.Unit || !(m.Value > 0 && m.Value < 1e40) || m.Line < 1 || m.Line > lines {
				t.Fatalf("%+v of %d lines", m, lines)
			}
			for _, s := range m.Samples {
				if !(s.Value >= 0 && s.Value < 1e40) {
					t.Fatalf("sample %+v", s)
				}
			}
		}
	})
}

package rados

import (
	"errors"
	"math"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

func parse(t *testing.T, text, command string) ([]assay.Measurement, error) {
	t.Helper()
	return New().Parse(transcript([]byte(text), command))
}

func transcript(text []byte, command string) assay.Transcript {
	return assay.Transcript{Probe: "rados", Steps: []assay.Step{{
		Name: "measure", Argv: strings.Fields(command), Output: assay.Output{Stdout: text},
	}}}
}

// want is what a human reads in a file: figures as printed, bandwidth in MiB.
type want struct {
	file, command string
	job           string
	labels        map[string]string
	figures       map[string]float64
	line          int // of the bandwidth
	samples       int
}

const mib = 1 << 20

var cases = []want{
	{file: "pacific-write.txt", command: "rados bench -p bench 3 write -b 4M -t 4 --no-cleanup",
		labels: map[string]string{"op": "write", "threads": "4", "bs": "4194304", "object_size": "4194304", "pool": "bench"},
		figures: map[string]float64{
			"pool.write.bandwidth": 115.265 * mib, "pool.write.bandwidth.stddev": 50.0133 * mib, "pool.write.bandwidth.max": 172 * mib, "pool.write.bandwidth.min": 80 * mib,
			"pool.write.iops": 28, "pool.write.iops.stddev": 12.5033, "pool.write.iops.max": 43, "pool.write.iops.min": 20,
			"pool.write.latency.mean": .138477, "pool.write.latency.stddev": .07345, "pool.write.latency.max": .313072, "pool.write.latency.min": .0122367,
			"pool.write.ios": 90, "pool.write.bytes": 90 * 4 * mib, "tool.duration": 3.12324,
		}, line: 13, samples: 3},
	{file: "pacific-seq.txt", command: "rados bench -p bench 3 seq -t 4",
		labels:  map[string]string{"op": "seq", "threads": "4", "pool": "bench"},
		figures: map[string]float64{"pool.read.bandwidth": 601.586 * mib, "pool.read.ios": 90, "tool.duration": .598419}, line: 8},
	{file: "pacific-seq.txt",
		labels:  map[string]string{"op": "", "threads": "", "bs": "4194304"},
		figures: map[string]float64{"pool.read.iops": 150}, line: 8},
	{file: "pacific-rand-show-time.txt", command: "rados -p bench bench 3 rand",
		labels:  map[string]string{"op": "rand", "threads": "16"},
		figures: map[string]float64{"pool.read.bandwidth": 1461.35 * mib, "pool.read.latency.mean": .0105751, "tool.duration": 3.00545}, line: 11, samples: 3},
	{file: "pacific-write-4k.json",
		labels: map[string]string{"op": "write", "threads": "16", "bs": "4096", "object_size": "4096"},
		figures: map[string]float64{
			"pool.write.bandwidth": 33.197702 * mib, "pool.write.iops": 8498, "pool.write.iops.max": 8148, "pool.write.bandwidth.stddev": .376523 * mib,
			"pool.write.latency.max": .057693, "pool.write.ios": 42497, "tool.duration": 5.000464, "pool.write.iops.stddev": -1,
		}, line: 2, samples: 4},
	{file: "pacific-rand-4k.json", command: "rados bench -p one 3 rand --format=json-pretty --concurrent-ios=8",
		labels: map[string]string{"op": "rand", "threads": "8", "bs": "4096"},
		figures: map[string]float64{
			"pool.read.bandwidth": 83.256838 * mib, "pool.read.iops.stddev": 588.312842, "pool.read.latency.min": .000104,
		}, line: 39, samples: 2},
	{file: "pacific-short-write.txt",
		figures: map[string]float64{
			"pool.write.bandwidth": 1230.13 * mib, "tool.duration": .0130068, "pool.write.iops": 307,
			"pool.write.bandwidth.min": -1, "pool.write.bandwidth.max": -1, "pool.write.iops.max": -1, "pool.write.bandwidth.stddev": -1,
		}, line: 10},
	{file: "pacific-small-in-large.txt",
		labels:  map[string]string{"bs": "4096", "object_size": "4194304", "threads": "1"},
		figures: map[string]float64{"pool.write.bandwidth": 10.4505 * mib, "pool.write.iops.min": 2806, "pool.write.iops.stddev": -1, "pool.write.bandwidth.stddev": -1, "pool.write.bytes": 5351 * 4096}, line: 11, samples: 1},
	{file: "pacific-22s.txt",
		figures: map[string]float64{"pool.write.bandwidth": 89.089 * mib, "pool.write.ios": 7844}, line: 34, samples: 22},
	{file: "pacific-interrupted.txt",
		labels: map[string]string{"cut": "after 2 s", "op": "write", "bs": "65536"},
		figures: map[string]float64{
			"pool.write.bandwidth": 206.388 * mib, "pool.write.ios": 6606, "tool.duration": 2, "pool.write.latency.mean": -1, "pool.write.iops": -1,
		}, line: 7, samples: 2},
	{file: "jewel-write.txt",
		labels:  map[string]string{"op": "write", "bs": "4194304", "object_size": "", "threads": ""},
		figures: map[string]float64{"pool.write.bandwidth": 219.957 * mib, "pool.write.bandwidth.min": 0, "pool.write.latency.mean": .289531}, line: 4},
	{file: "jewel-rand.txt", command: "rados bench -p scbench 10 rand",
		labels:  map[string]string{"op": "rand"},
		figures: map[string]float64{"pool.read.bandwidth": 1113.86 * mib, "pool.read.iops": 278, "pool.read.ios": 2805}, line: 4},
	{file: "luminous-32.txt", command: "rados bench -p blkpool0 10 write -t 32 --no-cleanup --run-name benchmark_write_t32",
		labels:  map[string]string{"threads": "32", "prefix": "benchmark_data_node0_328028", "pool": "blkpool0"},
		figures: map[string]float64{"pool.write.bandwidth": 141.034 * mib, "pool.write.iops.stddev": 10, "tool.duration": 11.429895}, line: 21, samples: 11},
	{file: "octopus-stall.txt",
		figures: map[string]float64{"pool.write.bandwidth": 14.3962 * mib, "pool.write.iops": 3, "pool.write.iops.min": 0, "pool.write.latency.mean": 4.17318}, line: 21, samples: 11},
	{file: "squid-write.txt",
		figures: map[string]float64{"pool.write.bandwidth": 168.111 * mib, "pool.write.latency.min": .0579082}, line: 20, samples: 10},
	{file: "squid-seq.txt",
		figures: map[string]float64{"pool.read.bandwidth": 427.058 * mib, "pool.read.iops.stddev": 35.0844}, line: 12, samples: 4},
	{file: "crlf-noise.txt",
		figures: map[string]float64{"pool.write.bandwidth": 115.265 * mib, "pool.write.iops": 28, "pool.write.latency.min": .0122367}, line: 13, samples: 3},
	{file: "truncated.txt",
		labels:  map[string]string{"cut": "after 11 s", "threads": "32"},
		figures: map[string]float64{"pool.write.bandwidth": 140.352 * mib, "pool.write.ios": 386, "tool.duration": 11, "pool.write.latency.mean": .83598}, line: 16, samples: 11},
	{file: "columns-read.txt", job: "Three Clients", command: "rados bench 600 seq -t 16",
		labels:  map[string]string{"clients": "3", "threads": "16", "op": "seq", "bs": "4194304"},
		figures: map[string]float64{"pool.read.bandwidth": 9167.38 * mib, "pool.read.ios": 911808, "pool.read.latency.mean": .0205, "tool.duration": 399.09}, line: 9},
	{file: "columns-read.txt", job: "Single Client",
		labels:  map[string]string{"clients": "1", "threads": "", "op": ""},
		figures: map[string]float64{"pool.read.bandwidth": 3063.95 * mib, "pool.read.iops.min": 685, "pool.read.latency.min": .0045}, line: 9},
	{file: "columns-write.txt", job: "Two Clients", command: "rados bench 600 write -b 4M -t 16 --no-cleanup",
		labels:  map[string]string{"clients": "2", "op": "write", "threads": "16"},
		figures: map[string]float64{"pool.write.bandwidth.min": 4912 * mib, "pool.write.iops.min": 614, "pool.write.latency.stddev": .01, "pool.write.ios": 807521}, line: 9},
}

// A figure of -1 must be absent.
func TestParse(t *testing.T) {
	for _, c := range cases {
		t.Run(c.file+" "+c.job+c.command, func(t *testing.T) {
			all, err := parse(t, captured.Text(t, c.file), c.command)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]assay.Measurement{}
			for _, m := range all {
				if m.Labels["job"] == c.job {
					if _, twice := got[m.Metric]; twice {
						t.Errorf("%s twice", m.Metric)
					}
					got[m.Metric] = m
				}
			}
			for metric, v := range c.figures {
				m, ok := got[metric]
				switch {
				case v == -1 && ok:
					t.Errorf("%s is %v, want none", metric, m.Value)
				case v != -1 && !ok:
					t.Errorf("no %s", metric)
				case v != -1 && math.Abs(m.Value-v) > 1e-9*v:
					t.Errorf("%s is %v, want %v", metric, m.Value, v)
				}
			}
			for _, m := range got {
				for key, v := range c.labels {
					if m.Labels[key] != v {
						t.Errorf("%s: label %s is %q, want %q", m.Metric, key, m.Labels[key], v)
					}
				}
			}
			for _, metric := range []string{"pool.read.bandwidth", "pool.write.bandwidth"} {
				if m, ok := got[metric]; ok && (m.Line != c.line || len(m.Samples) != c.samples) {
					t.Errorf("%s on line %d with %d samples, want %d and %d", metric, m.Line, len(m.Samples), c.line, c.samples)
				}
			}
		})
	}
}

func TestColumnsAreResultsOfTheirOwn(t *testing.T) {
	all, err := parse(t, captured.Text(t, "columns-read.txt"), "")
	if err != nil {
		t.Fatal(err)
	}
	jobs := map[string]bool{}
	for _, m := range all {
		jobs[m.Labels["job"]] = true
	}
	if len(jobs) != 3 {
		t.Errorf("jobs %v, want three", jobs)
	}
}

// A published table has its command above it, without a prompt.
func TestCommandInTheText(t *testing.T) {
	text := "rados bench 600 write -b 4M\nof another table\nrados bench 600 seq -t 8 (uses 4M from write)\n3x PVE\n" + captured.Text(t, "columns-read.txt")
	all, err := parse(t, text, "rados bench 600 write -b 4M -t 16 --no-cleanup")
	if err != nil || all[0].Labels["op"] != "seq" || all[0].Labels["threads"] != "8" {
		t.Errorf("%v, %v", all[0].Labels, err)
	}
}

func TestSamplesOfAStallAreOperations(t *testing.T) {
	all, err := parse(t, captured.Text(t, "octopus-stall.txt"), "")
	if err != nil {
		t.Fatal(err)
	}
	s := all[0].Samples
	for i, want := range []float64{0, 0, 0, 4 * 4 * mib, 7 * 4 * mib} {
		if s[i].At != float64(i+1) || s[i].Value != want {
			t.Errorf("sample %d is %v, want %v", i, s[i], want)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, says string }{
		{"no objects", captured.Text(t, "pacific-no-objects.txt"), "line 2: Must write data before running a read benchmark!"},
		{"no pool", captured.Text(t, "pacific-no-pool.txt"), "line 1: error opening pool nopool"},
		{"mixed JSON", captured.Text(t, "pacific-short-mixed.json"), "line 2: broken or truncated JSON"},
		{"nothing", "", "no bandwidth"},
		{"prose", "Average IOPS was good\n", "no bandwidth"},
		{"two runs", captured.Text(t, "jewel-write.txt") + captured.Text(t, "jewel-write.txt"), `line 13: a second "Total time run"`},
		{"zero", "Total time run: 10\nTotal writes made: 0\nBandwidth (MB/sec): 0\nAverage IOPS: 0\nMin latency(s): 0\n", "line 2: no operations were performed"},
		{"columns that differ", "Total time run 1.0 2.0\nBandwidth (MB/sec) 5.0\n", "line 2: 1 figures in 2 columns"},
		{"which way", "Bandwidth (MB/sec): 12.5\nMax latency(s): 0.1\nMin latency(s): 0.01\n", "cannot tell whether it read or wrote"},
		{"wrong data", "benchmark_data_vm_1_object3 is not correct!\n", "line 1: the data it read"},
		{"nan", "Total time run: 1.0\nTotal writes made: 3\nBandwidth (MB/sec): -nan\n", "line 3: Bandwidth (MB/sec) is -nan"},
		{"only a head", strings.Join(strings.Split(captured.Text(t, "luminous-32.txt"), "\n")[:5], "\n"), "ends before an operation finished"},
		{"head of a write, end of a read", "Maintaining 1 concurrent writes of 4096 bytes for at least 1 seconds.\n" + captured.Text(t, "jewel-rand.txt"), "the header is of a write and the summary of a read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, err := parse(t, c.text, "")
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("gives %v and %v, want %q", all, err, c.says)
			}
		})
	}
	if _, err := parse(t, "", ""); !errors.Is(err, assay.ErrNoOutput) {
		t.Errorf("nothing gives %v", err)
	}
}

// An overflowed counter is reported, and the other figures are kept.
func TestAnImpossibleExtremeIsLeftOut(t *testing.T) {
	all, err := parse(t, captured.Text(t, "infernalis-garbage.txt"), "")
	if err == nil || !strings.Contains(err.Error(), "line 11: Min IOPS is -1537890352, which is impossible") {
		t.Errorf("says %v", err)
	}
	got := map[string]float64{}
	for _, m := range all {
		got[m.Metric] = m.Value
	}
	if got["pool.write.bandwidth"] != 30*mebi || got["pool.write.latency.mean"] != 2.12 || got["pool.write.bandwidth.max"] != 64*mebi {
		t.Errorf("gives %v", got)
	}
	for _, metric := range []string{"pool.write.iops.min", "pool.write.iops.max"} { // 32767 is no better
		if v, there := got[metric]; there {
			t.Errorf("%s is %g", metric, v)
		}
	}
}

func TestCommand(t *testing.T) {
	for line, want := range map[string]asked{
		"rados bench 600 seq -t 16 (uses 4M from write)":                    {true, "seq", "16", ""},
		"rados -p rbd bench 10 write":                                       {true, "write", "16", "rbd"},
		"rados bench -p a 10 rand --concurrent-ios=32":                      {true, "rand", "32", "a"},
		"rados --pool=a bench 10 write -t8 -b 4096 --run-name x --no-hints": {true, "write", "8", "a"},
		"rados df": {}, "rados bench": {}, "": {},
	} {
		if got := command(strings.Fields(line)); got != want {
			t.Errorf("%q gives %+v, want %+v", line, got, want)
		}
	}
}

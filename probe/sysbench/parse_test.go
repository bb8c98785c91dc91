package sysbench

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
	"assay/internal/captured"
	"assay/probe/probetest"
)

func transcript(stdout, command string, set map[string]string) assay.Transcript {
	step := assay.Step{Name: stepMeasure, Output: assay.Output{Stdout: []byte(stdout)}}
	if command != "" {
		step.Argv = strings.Fields(command)
	}
	return assay.Transcript{Probe: "sysbench", Settings: set, Steps: []assay.Step{step}}
}

func TestParse(t *testing.T) {
	const miB = 1 << 20
	for _, c := range []struct {
		file, command string
		want          map[string]float64
		labels        map[string]string
		samples       int
	}{
		{"cpu-1.0.18.txt", "", map[string]float64{
			"cpu.events_per_second": 1178.88, "cpu.latency.mean": .85e-3, "cpu.latency.p95": .89e-3, "tool.duration": 10.0009,
		}, map[string]string{"version": "1.0.18", "threads": "1", "prime": "10000", "tool": "sysbench"}, 0},
		{"cpu-0.4.12.txt", "", map[string]float64{
			"cpu.events_per_second": 10000 / 374.2803, "cpu.latency.mean": 37.42e-3, "cpu.latency.p95": 39.24e-3, "tool.duration": 374.2803,
		}, map[string]string{"version": "0.4.12", "prime": "10000"}, 0},
		{"cpu-long-event-1.0.20.txt", "", map[string]float64{
			"cpu.events_per_second": .15, "cpu.latency.mean": 6.57808, "cpu.latency.p95": 6.59416, "tool.duration": 6.5782,
		}, nil, 0},
		{"memory-0.4.12.txt", "", map[string]float64{
			"memory.write.bandwidth": 6906.34 * miB, "tool.duration": 1.4827,
		}, map[string]string{"block": "1048576", "sharing": "global", "buffers": "1048576"}, 0},
		{"memory-read-0.4.12.txt", "", map[string]float64{
			"memory.read.bandwidth": 111860.27 * miB, "tool.duration": 9.3740,
		}, map[string]string{"version": "0.4.12", "block": "32768", "op": "read", "total": "1099511627776", "threads": "1"}, 0},
		{"memory-squeezed-0.4.12.txt", "", map[string]float64{
			"memory.read.bandwidth": 5903.57 * miB, "tool.duration": 17.3454,
		}, map[string]string{"block": "1024", "total": "107374182400"}, 0},
		{"memory-10G-1.0.20.txt", "", map[string]float64{
			"memory.write.bandwidth": 14762.89 * miB, "tool.duration": .6931,
		}, map[string]string{"block": "1048576", "op": "write", "total": "10737418240", "buffers": "1048576", "threads": "2"}, 0},
		{"cpu-deprecated-1.0.20.txt", "", map[string]float64{
			"cpu.events_per_second": 717.68, "cpu.latency.mean": 2.76e-3, "cpu.latency.p95": 12.75e-3, "tool.duration": 2.0031,
		}, map[string]string{"version": "1.0.20", "threads": "2", "prime": "20000"}, 0},
		{"oltp-0.4.12.txt", "", map[string]float64{"database.transactions": 166801 / 60.0004, "tool.duration": 60.0004}, nil, 0},
		{"oltp-readonly-0.4.12.txt", "", map[string]float64{
			"database.transactions": 7694.26, "database.latency.mean": .26e-3, "database.latency.p95": .31e-3, "tool.duration": 60.0003,
		}, map[string]string{"version": "0.4.12", "threads": "2", "mix": "reads only"}, 0},
		{"oltp-0.5.txt", "sysbench --test=/usr/share/doc/sysbench/tests/db/oltp.lua run", map[string]float64{
			"database.transactions": 7645.33, "database.latency.mean": 8.37e-3, "database.latency.p95": 10.88e-3, "tool.duration": 51.0061,
		}, map[string]string{"threads": "64", "test": "oltp", "mix": "reads only"}, 25},
		{"oltp-commented-0.5.txt", "", map[string]float64{
			"database.transactions": 174.94, "database.latency.mean": 1.46278, "database.latency.p99": 3.26501, "tool.duration": 3602.6152,
		}, map[string]string{"threads": "256", "mix": "reads and writes"}, 9},
		{"tpcc-1.0.20.txt", "", map[string]float64{
			"database.transactions": 414.33, "database.queries": 12420.13, "database.latency.mean": 9.65e-3, "database.latency.p95": 18.61e-3, "tool.duration": 60.0086,
		}, map[string]string{"threads": "4", "mix": "reads and writes", "errors": "56.31"}, 6},
		{"oltp-stopped-1.1.0.txt", "sysbench oltp_point_select --time=600 run", map[string]float64{
			"database.transactions": (202.66 + 197.30 + 196.80 + 198.40) / 4, "tool.duration": 40,
		}, map[string]string{"test": "oltp_point_select", "asked": "600", "interrupted": "the output ends before its summary"}, 4},
		{"memory-0.5.txt", "sysbench --test=memory --memory-block-size=8K run", map[string]float64{
			"memory.write.bandwidth": 11219.98 * miB, "tool.duration": .1825,
		}, map[string]string{"version": "0.5", "threads": "16"}, 0},
		{"memory-1.1.txt", "", map[string]float64{
			"memory.write.bandwidth": 7310.70 * miB, "tool.duration": .2801,
		}, map[string]string{"block": "8192", "threads": "16"}, 0},
		{"memory-read-1.0.20.txt", "sysbench memory --memory-access-mode=seq run", map[string]float64{
			"memory.read.bandwidth": 8490.20 * miB, "tool.duration": 3.0138,
		}, map[string]string{"version": "1.0.20", "threads": "2", "block": "67108864", "buffers": "134217728", "sharing": "local", "pattern": "seq"}, 3},
	} {
		t.Run(c.file, func(t *testing.T) {
			got, err := New().Parse(transcript(captured.Text(t, c.file), c.command, nil))
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(c.want) {
				t.Errorf("%d measurements, want %d", len(got), len(c.want))
			}
			for _, m := range got {
				if m.Labels["tool"] != "sysbench" {
					t.Errorf("%s has tool %q", m.Metric, m.Labels["tool"])
				}
				if want, ok := c.want[m.Metric]; !ok || math.Abs(m.Value/want-1) > 1e-12 {
					t.Errorf("%s = %v, want %v", m.Metric, m.Value, want)
				}
				if m.Line == 0 {
					t.Errorf("%s has no line", m.Metric)
				}
			}
			for name, want := range c.labels {
				if got[0].Labels[name] != want {
					t.Errorf("label %s is %q, want %q", name, got[0].Labels[name], want)
				}
			}
			if len(got[0].Samples) != c.samples {
				t.Errorf("%d samples, want %d", len(got[0].Samples), c.samples)
			}
		})
	}
}

// A stopped run has the mean of its rows, the time up to the last of them, and
// says so; asked is from the command line.
func TestStoppedRuns(t *testing.T) {
	const miB = 1 << 20
	const ends, fatal = "the output ends before its summary", "FATAL: Failed to read file! file: 4 pos: 5275648 errno = 0 (Success)"
	for _, c := range []struct {
		file, command, why string
		want               map[string]float64
	}{
		{"interrupted-cpu-1.0.20.txt", "sysbench cpu --threads=2 --report-interval=1 --time=10 run", ends,
			map[string]float64{"cpu.events_per_second": (2968 + 2658.69 + 1655.73) / 3, "tool.duration": 3}},
		{"interrupted-memory-1.0.20.txt", "sysbench memory --time=10 run", ends,
			map[string]float64{"memory.write.bandwidth": (18865.31 + 20237.90) / 2 * miB, "tool.duration": 2}},
		{"interrupted-fileio-1.0.20.txt", "sysbench fileio --file-test-mode=rndrw --time=10 run", ends, map[string]float64{
			"storage.read.bandwidth": (161.04 + 173.18) / 2 * miB, "storage.write.bandwidth": (107.36 + 115.46) / 2 * miB,
			"storage.sync.iops": (341.55 + 370.46) / 2, "tool.duration": 2}},
		{"fatal-fileio-1.0.20.txt", "sysbench fileio --file-test-mode=rndrd --time=10 run", fatal,
			map[string]float64{"storage.read.bandwidth": (5597.67 + 3501.91) / 2 * miB, "tool.duration": 2}},
		{"interrupted-fileio-async-1.1.txt", "sysbench fileio --file-io-mode=async --file-test-mode=rndwr --time=10 run", ends,
			map[string]float64{"storage.write.bandwidth": (563.39 + 566.71 + 565.79) / 3 * miB, "tool.duration": 180}},
	} {
		t.Run(c.file, func(t *testing.T) {
			got, err := New().Parse(transcript(captured.Text(t, c.file), c.command, nil))
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(c.want) {
				t.Errorf("%d measurements, want %d", len(got), len(c.want))
			}
			for _, m := range got {
				if want, ok := c.want[m.Metric]; !ok || math.Abs(m.Value/want-1) > 1e-9 || m.Line == 0 {
					t.Errorf("%s = %v of line %d, want %v", m.Metric, m.Value, m.Line, want)
				}
				if m.Labels["interrupted"] != c.why || m.Labels["asked"] != "10" {
					t.Errorf("%s has interrupted %q, asked %q", m.Metric, m.Labels["interrupted"], m.Labels["asked"])
				}
			}
		})
	}
}

// Rows before the summary do not make a run of 1.1 look stopped.
func TestRowsOfAFinishedRun(t *testing.T) {
	const row = "[ 1s ] reads: 298.09 MiB/s writes: 0.00 MiB/s fsyncs: 0.00/s latency (ms,95%): 0.190\n"
	text := strings.Replace(captured.Text(t, "fileio-read-1.1.0.txt"), "Throughput:", row+"\nThroughput:", 1)
	got, err := New().Parse(transcript(text, "", nil))
	if err != nil || len(got) == 0 || got[0].Value != 30524.83 || got[0].Labels["interrupted"] != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

// A stopped run of assay's own has no figure.
func TestOwnRunsThatWereStopped(t *testing.T) {
	for file, kind := range map[string]string{"interrupted-cpu-1.0.20.txt": kindCPU, "interrupted-memory-1.0.20.txt": kindMemory} {
		if got, err := New().Parse(transcript(captured.Text(t, file), "", map[string]string{"kind": kind, "op": "write"})); err == nil {
			t.Errorf("%s gave %v", file, got)
		}
	}
}

// In 0.4 a "MB" is 1024 x 1024 bytes, as its own operations times its own block
// size show.
func TestOldMegabytesAreBinary(t *testing.T) {
	got, err := New().Parse(transcript(captured.Text(t, "memory-0.4.12.txt"), "", nil))
	if err != nil {
		t.Fatal(err)
	}
	const operations, block, seconds = 10240, 1 << 20, 1.4827
	if want := operations * block / seconds; math.Abs(got[0].Value/want-1) > 1e-3 {
		t.Errorf("%v B/s, want %v", got[0].Value, want)
	}
}

// Two lines of a memory test are often all that is pasted after its command.
func TestMemoryBlocksOnTheCommandLine(t *testing.T) {
	const figures = "Operations performed: 1048576 (2097152.00 ops/sec)\n\n4096.00 MB transferred (8192.00 MB/sec)\n"
	for command, want := range map[string]string{
		"sysbench --test=memory --num-threads=2 --memory-block-size=4K --memory-oper=read run": "4096",
		"sysbench --test=memory --memory-oper=read run":                                        "1024",
	} {
		got, err := New().Parse(transcript(figures, command, nil))
		if err != nil || len(got) == 0 || got[0].Labels["block"] != want {
			t.Errorf("%s: %+v, %v", command, got, err)
		}
	}
}

func TestLabelsOfOurOwnRuns(t *testing.T) {
	set := map[string]string{"kind": "memory", "op": "read", "level": "dram", "llc": "assumed 64 MiB", "block": "67108864"}
	got, err := New().Parse(transcript(captured.Text(t, "memory-read-1.0.20.txt"), "", set))
	if err != nil {
		t.Fatal(err)
	}
	if l := got[0].Labels; l["scope"] != "dram" || l["llc"] != "assumed 64 MiB" {
		t.Errorf("labels %v", l)
	}
}

func TestSamplesOfTheCPU(t *testing.T) {
	got, err := New().Parse(transcript(captured.Text(t, "cpu-1.0.20.txt"), "", nil))
	if err != nil {
		t.Fatal(err)
	}
	samples := got[0].Samples
	if len(samples) < 2 {
		t.Fatalf("%d samples", len(samples))
	}
	for i, s := range samples {
		if s.At != float64(i+1) || s.Value <= 0 {
			t.Errorf("sample %d: %+v", i, s)
		}
	}
}

// Contradicting amounts and rates are for the audit to judge, unless assay itself ran
// it.
func TestMemoryThatContradictsItself(t *testing.T) {
	memory := strings.ReplaceAll(captured.Text(t, "memory-1.1.txt"), "2048.00 MiB transferred", "20480.00 MiB transferred")
	got, err := New().Parse(transcript(memory, "", nil))
	if err != nil || len(got) == 0 || got[0].Labels["moved"] != "21474836480" || got[0].Value != 7310.70*(1<<20) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := New().Parse(transcript(memory, "", map[string]string{"kind": "memory"})); err == nil || !strings.Contains(err.Error(), "contradict") {
		t.Errorf("assay's own: %v", err)
	}
}

// An author's remark after a figure is not part of it.
func TestRemarksBehindFigures(t *testing.T) {
	whole := captured.Text(t, "oltp-readonly-0.4.12.txt")
	want, err := New().Parse(transcript(whole, "", nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, remark := range []string{"  -- in all", "      --  in all", "\t# in all", " // in all", "  每秒", "（每秒）", " <- in all", "  => in all"} {
		got, err := New().Parse(transcript(strings.ReplaceAll(whole, "\n", remark+"\n"), "", nil))
		if err != nil {
			t.Errorf("%q: %v", remark, err)
			continue
		}
		for _, m := range want {
			if n := slices.IndexFunc(got, func(g assay.Measurement) bool { return g.Metric == m.Metric && g.Value == m.Value }); n < 0 {
				t.Errorf("%q: %s is not read", remark, m.Metric)
			}
		}
	}
}

func TestParseRefuses(t *testing.T) {
	memory := captured.Text(t, "memory-1.1.txt")
	cpu := captured.Text(t, "cpu-1.0.18.txt")
	for name, c := range map[string]struct{ text, says string }{
		"fatal":            {captured.Text(t, "fatal-block-1.0.20.txt"), "FATAL: Invalid value for memory-block-size: 3M"},
		"nothing moved":    {captured.Text(t, "memory-none-1.0.20.txt"), "moves no data"},
		"0 MiB":            {strings.ReplaceAll(memory, "2048.00 MiB transferred (7310.70", "0.00 MiB transferred (0.00"), "nothing was transferred"},
		"0 events":         {strings.ReplaceAll(cpu, "11792\n", "0\n"), "0 events"},
		"0 per second":     {strings.ReplaceAll(strings.ReplaceAll(cpu, "1178.88", "0.00"), "total number", "number"), "0 events per second"},
		"0 s":              {strings.ReplaceAll(cpu, "10.0009s", "0.0000s"), "0 s"},
		"cpu contradicts":  {strings.ReplaceAll(cpu, "1178.88", "2178.88"), "contradict"},
		"no transaction":   {strings.ReplaceAll(captured.Text(t, "oltp-readonly-0.4.12.txt"), "461658 (7694.26 ", "0 (0.00 "), "no transaction was completed"},
		"no transactions":  {captured.Text(t, "oltp-nothing-done-1.0.17.txt"), "the output ends before anything was done"},
		"oltp contradicts": {strings.ReplaceAll(captured.Text(t, "oltp-readonly-0.4.12.txt"), "(7694.26 ", "(17694.26 "), "transactions/s contradict"},
		"fileio cut off":   {captured.Text(t, "fileio-1.0.20.txt")[:500], "no line shows how much was read or written"},
		"threads":          {captured.Text(t, "threads-1.0.20.txt"), "does not show which test"},
		"threads stopped":  {captured.Text(t, "interrupted-threads-1.0.20.txt"), "does not show which test"},
		"read or write":    {captured.Text(t, "memory-0.5.txt"), "cannot tell whether"},
		"two runs":         {cpu + cpu, "several results"},
		"cut off":          {cpu[:strings.Index(cpu, "CPU speed")], "no total time"},
		"cut off later":    {strings.ReplaceAll(memory, "transferred", ""), "how much was transferred"},
		"nan":              {strings.ReplaceAll(strings.ReplaceAll(cpu, "10.0009s", "nans"), "1178.88", "nan"), "no total time"},
		"huge":             {strings.ReplaceAll(cpu, "1178.88", strings.Repeat("9", 400)), "is not a valid measurement"},
		"empty":            {"", "printed no usable output"},
		"impossible block": {strings.ReplaceAll(memory, "8KiB", "99999999999999999999KiB"), "is impossible"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := New().Parse(transcript(c.text, "", nil))
			if err == nil {
				t.Fatalf("gave %v", got)
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
	for words, says := range map[string]string{
		"mutex run":           "sysbench mutex is not supported",
		"oltp_read_write run": "no line shows the transactions per second",
		"cpu run":             "no total time",
	} {
		tr := transcript("…\nThroughput:\n    read, MiB/s:                  6.92\n", "", nil)
		tr.Steps[0].Argv = append([]string{"sysbench"}, strings.Fields(words)...)
		if _, err := New().Parse(tr); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v does not say %q", words, err, says)
		}
	}
	old := transcript("", "", nil)
	old.Steps[0].Output = assay.Output{Exit: 1, Stderr: []byte("Missing required command argument.\n")}
	if _, err := New().Parse(old); err == nil || assay.Hint(err) == "" {
		t.Errorf("an old sysbench: %v", err)
	}
}

// Output cut before its total time still has its rate if somebody else ran it;
// assay's own runs must be complete.
func TestCutBeforeTheTime(t *testing.T) {
	cpu, memory := captured.Text(t, "cpu-1.0.18.txt"), captured.Text(t, "memory-10G-1.0.20.txt")
	for _, c := range []struct {
		text, metric string
		want         float64
		set          map[string]string
	}{
		{cpu[:strings.Index(cpu, "General")], "cpu.events_per_second", 1178.88, map[string]string{"kind": "cpu"}},
		{memory[:strings.Index(memory, "General")], "memory.write.bandwidth", 14762.89 * (1 << 20), map[string]string{"kind": "memory"}},
	} {
		got, err := New().Parse(transcript(c.text, "", nil))
		if err != nil || len(got) != 1 || got[0].Metric != c.metric || math.Abs(got[0].Value/c.want-1) > 1e-12 {
			t.Errorf("%s: %v, %v", c.metric, got, err)
		}
		if got, err := New().Parse(transcript(c.text, "", c.set)); err == nil || !strings.Contains(err.Error(), "no total time") {
			t.Errorf("%s of our own: %v, %v", c.metric, got, err)
		}
	}
}

func TestNoiseAndLineEnds(t *testing.T) {
	for _, name := range []string{"cpu-1.0.18.txt", "memory-read-0.4.12.txt", "memory-10G-1.0.20.txt", "cpu-deprecated-1.0.20.txt"} {
		plain, err := New().Parse(transcript(captured.Text(t, name), "", nil))
		if err != nil {
			t.Fatal(err)
		}
		noisy := strings.ReplaceAll(captured.Text(t, name), "\n", "\r\n") + "\r\n## So that is 1.2 times the old one\r\nMemory: 10 MiB transferred by hand\r\n"
		got, err := New().Parse(transcript(noisy, "", nil))
		if diff := cmp.Diff(plain, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

func TestFormat(t *testing.T) {
	f := New().(assay.Measurer).Format()
	captured.Begins(t, f, []string{
		"sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)", "sysbench 0.4.12:  multi-threaded system evaluation benchmark",
		"sysbench 0.5: multi-threaded system evaluation benchmark", "sysbench 1.1.0-bbee5d5 (using bundled LuaJIT 2.1.0-beta3)",
		"    Running the test with following options:", "CPU speed:", "    events per second:  4322.01", "Prime numbers limit: 20000",
		"102400.00 MB transferred (5903.57 MB/sec)", "Total operations: 61748299 (6174771.53 per second)", "Operations performed: 10240 ( 3855.80 ops/sec)",
		"Operations performed:  10000 Read, 0 Write, 0 Other = 10000 Total", "File operations:", "Extra file open flags: (none)",
		"         read:  IOPS=1857.00 29.02 MiB/s (30.43 MB/s)",
	}, []string{
		"", "sysbench cpu run", "sysbench 1.0 is better", "CPU speed: 3 GHz", "General statistics:", "events per second: many", "Latency (ms):",
		"10 MB transferred (1 MB/sec)", "total time: 5s", "read:  IOPS=1857, BW=29.0MiB/s (30.4MB/s)(290MiB/10001msec)", "read:  IOPS=1857",
	})
	var all string
	names := []string{"cpu-0.4.12", "cpu-1.0.18", "memory-0.4.12", "memory-1.1", "memory-10G-1.0.20", "fileio-1.0.20", "fileio-0.4.12", "fileio-1.1.0", "oltp-0.4.12", "memory-0.5", "cpu-deprecated-1.0.20"}
	for _, name := range names {
		all += captured.Text(t, name+".txt")
	}
	parts := 0
	var sofar []byte
	for line := range strings.Lines(all) {
		if f.Begins(line) && (parts == 0 || f.Splits(sofar, line)) {
			parts++
			sofar = nil
		}
		sofar = append(sofar, line...)
	}
	if parts != len(names) {
		t.Errorf("%d outputs, want %d", parts, len(names))
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		f.Add(captured.Text(f, filepath.Base(file)), "sysbench memory run", "")
		f.Add(captured.Text(f, filepath.Base(file)), "", "cpu")
	}
	f.Fuzz(func(t *testing.T, text, command, kind string) {
		got, err := New().Parse(transcript(text, command, map[string]string{"kind": kind}))
		probetest.CheckParsed(t, got, err, text)
		probetest.CheckNoZero(t, got)
		for _, m := range got {
			if b, ok := m.Labels["buffers"]; ok {
				if n, err := strconv.ParseInt(b, 10, 64); err != nil || n <= 0 {
					t.Errorf("buffers %q", b)
				}
			}
		}
	})
}

func TestFiles(t *testing.T) {
	for _, c := range []struct {
		file   string
		argv   string
		want   map[string]float64
		line   int // of the reads
		labels map[string]string
	}{
		{"fileio-1.0.20", "", map[string]float64{
			"storage.read.iops": 7381.47, "storage.read.bandwidth": 115.34 * (1 << 20),
			"storage.write.iops": 4921.31, "storage.write.bandwidth": 76.90 * (1 << 20), "storage.sync.iops": 493.02, "tool.duration": 2.0143, "storage.total.latency.mean": .08 * 1e-3,
		}, 24, map[string]string{"pattern": "randrw", "bs": "16k", "size": "67108864", "jobs": "1", "iodepth": "1", "engine": "psync", "direct": "0", "sync": "fsync", "version": "1.0.20"}},
		{"fileio-0.4.12", "", map[string]float64{
			"storage.read.iops": 10000 / 23.0773, "storage.read.bandwidth": 10000 / 23.0773 * (1 << 20), "tool.duration": 23.0773,
			"storage.read.latency.mean": .00231, "storage.read.latency.p95": .00293, // it only read
		}, 19, map[string]string{"pattern": "randread", "bs": "1m", "size": "10737418240", "direct": "1"}},
		{"fileio-1.0-eight-threads", "", map[string]float64{
			"storage.read.iops": 8259.22, "storage.read.bandwidth": 129.05 * (1 << 20),
			"storage.write.iops": 5499.26, "storage.write.bandwidth": 85.93 * (1 << 20), "storage.sync.iops": 17610.85, "tool.duration": .7268, "storage.total.latency.mean": .18 * 1e-3,
		}, 22, map[string]string{"jobs": "8", "size": "68719476736"}},
		{"fileio-1.0-headings-left-out", "fileio --file-total-size=8G --file-test-mode=rndrw run", map[string]float64{
			"storage.read.bandwidth": 6.92 * (1 << 20), "storage.write.bandwidth": 4.61 * (1 << 20),
		}, 3, map[string]string{"pattern": "randrw", "size": "8589934592", "bs": "", "direct": "0", "engine": "psync"}},
		{"fileio-0.4.12-summary", "--test=fileio --file-test-mode=seqwr --file-fsync-freq=0 --file-num=1 --file-block-size=2M run", map[string]float64{
			"storage.write.bandwidth": 186185154,
		}, 3, map[string]string{"pattern": "write", "bs": "2m", "sync": "0"}},
		{"fileio-1.1.0", "", map[string]float64{
			"storage.read.iops": 9159.58, "storage.read.bandwidth": 89.45 * (1 << 20),
			"storage.write.iops": 6109.47, "storage.write.bandwidth": 59.66 * (1 << 20), "storage.sync.iops": 163.45, "storage.total.latency.mean": .26 * 1e-3,
		}, 24, map[string]string{"pattern": "randrw", "bs": "10k", "size": "10737418240", "jobs": "4", "direct": "1", "sync": "fsync", "version": "1.1.0-df89d34"}},
		{"fileio-read-1.1.0", "", map[string]float64{
			"storage.read.iops": 30524.83, "storage.read.bandwidth": 298.09 * (1 << 20),
			"storage.read.latency.mean": .13 * 1e-3, "storage.read.latency.p95": .19 * 1e-3,
		}, 24, map[string]string{"pattern": "randread"}},
		{"fileio-rewrite-1.1.0", "", map[string]float64{
			"storage.write.iops": 9057.41, "storage.write.bandwidth": 88.45 * (1 << 20), "storage.sync.iops": 96.96, "storage.total.latency.mean": .44 * 1e-3,
		}, 23, map[string]string{"pattern": "write"}},
	} {
		tr := transcript(captured.Text(t, c.file+".txt"), "", nil)
		if c.argv != "" {
			tr.Steps[0].Argv = append([]string{"sysbench"}, strings.Fields(c.argv)...)
		}
		got, err := New().Parse(tr)
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if len(got) != len(c.want) || got[0].Line != c.line {
			t.Errorf("%s: %d figures, the first on line %d, want %d on line %d", c.file, len(got), got[0].Line, len(c.want), c.line)
		}
		for _, m := range got {
			if math.Abs(m.Value-c.want[m.Metric]) > 1e-9*m.Value {
				t.Errorf("%s: %s = %v, want %v", c.file, m.Metric, m.Value, c.want[m.Metric])
			}
		}
		for name, want := range c.labels {
			if got[0].Labels[name] != want {
				t.Errorf("%s: label %s is %q, want %q", c.file, name, got[0].Labels[name], want)
			}
		}
	}
}

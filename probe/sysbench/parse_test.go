package sysbench

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"assay"
)

func captured(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

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
			got, err := New().Parse(transcript(captured(t, c.file), c.command, nil))
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(c.want) {
				t.Errorf("%d measurements, want %d", len(got), len(c.want))
			}
			for _, m := range got {
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

// In 0.4 a "MB" is 1024 x 1024 bytes: its own operations times its own block
// size say so.
func TestOldMegabytesAreBinary(t *testing.T) {
	got, err := New().Parse(transcript(captured(t, "memory-0.4.12.txt"), "", nil))
	if err != nil {
		t.Fatal(err)
	}
	const operations, block, seconds = 10240, 1 << 20, 1.4827
	if want := operations * block / seconds; math.Abs(got[0].Value/want-1) > 1e-3 {
		t.Errorf("%v B/s, want %v", got[0].Value, want)
	}
}

func TestLabelsOfOurOwnRuns(t *testing.T) {
	set := map[string]string{"kind": "memory", "op": "read", "level": "dram", "llc": "assumed 64 MiB", "block": "67108864"}
	got, err := New().Parse(transcript(captured(t, "memory-read-1.0.20.txt"), "", set))
	if err != nil {
		t.Fatal(err)
	}
	if l := got[0].Labels; l["scope"] != "dram" || l["llc"] != "assumed 64 MiB" {
		t.Errorf("labels %v", l)
	}
}

func TestSamplesOfTheCPU(t *testing.T) {
	got, err := New().Parse(transcript(captured(t, "cpu-1.0.20.txt"), "", nil))
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

func TestParseRefuses(t *testing.T) {
	memory := captured(t, "memory-1.1.txt")
	cpu := captured(t, "cpu-1.0.18.txt")
	for name, c := range map[string]struct{ text, says string }{
		"fatal":            {captured(t, "fatal-block-1.0.20.txt"), "FATAL: Invalid value for memory-block-size: 3M"},
		"nothing moved":    {captured(t, "memory-none-1.0.20.txt"), "moves nothing"},
		"0 MiB":            {strings.ReplaceAll(memory, "2048.00 MiB transferred (7310.70", "0.00 MiB transferred (0.00"), "nothing was transferred"},
		"0 events":         {strings.ReplaceAll(cpu, "11792\n", "0\n"), "0 events"},
		"0 per second":     {strings.ReplaceAll(strings.ReplaceAll(cpu, "1178.88", "0.00"), "total number", "number"), "0 events per second"},
		"0 s":              {strings.ReplaceAll(cpu, "10.0009s", "0.0000s"), "0 s"},
		"cpu contradicts":  {strings.ReplaceAll(cpu, "1178.88", "2178.88"), "contradict"},
		"contradiction":    {strings.ReplaceAll(memory, "2048.00 MiB transferred", "20480.00 MiB transferred"), "contradict"},
		"another test":     {captured(t, "oltp-0.4.12.txt"), "neither cpu nor memory"},
		"read or write":    {captured(t, "memory-0.5.txt"), "cannot tell whether"},
		"two runs":         {cpu + cpu, "several results"},
		"cut off":          {cpu[:strings.Index(cpu, "General")], "no total time"},
		"cut off later":    {strings.ReplaceAll(memory, "transferred", ""), "how much was transferred"},
		"nan":              {strings.ReplaceAll(cpu, "10.0009s", "nans"), "no total time"},
		"huge":             {strings.ReplaceAll(cpu, "1178.88", strings.Repeat("9", 400)), "cannot be a measurement"},
		"empty":            {"", "printed nothing"},
		"impossible block": {strings.ReplaceAll(memory, "8KiB", "99999999999999999999KiB"), "cannot be"},
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
	old := transcript("", "", nil)
	old.Steps[0].Output = assay.Output{Exit: 1, Stderr: []byte("Missing required command argument.\n")}
	if _, err := New().Parse(old); err == nil || assay.Hint(err) == "" {
		t.Errorf("an old sysbench: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		f.Add(captured(f, filepath.Base(file)), "sysbench memory run", "")
		f.Add(captured(f, filepath.Base(file)), "", "cpu")
	}
	f.Fuzz(func(t *testing.T, text, command, kind string) {
		got, err := New().Parse(transcript(text, command, map[string]string{"kind": kind}))
		if (err == nil) == (len(got) == 0) {
			t.Fatalf("%d measurements and error %v", len(got), err)
		}
		for _, m := range got {
			if !(m.Value > 0) || math.IsInf(m.Value, 0) {
				t.Errorf("%s = %v", m.Metric, m.Value)
			}
			if known, ok := assay.Describe(m.Metric); !ok || known.Unit != m.Unit {
				t.Errorf("%s in %s is not in the vocabulary", m.Metric, m.Unit)
			}
			if b, ok := m.Labels["buffers"]; ok {
				if n, err := strconv.ParseInt(b, 10, 64); err != nil || n <= 0 {
					t.Errorf("buffers %q", b)
				}
			}
		}
	})
}

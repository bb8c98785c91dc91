package diskspd

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/probe/probetest"
)

func transcript(stdout string) assay.Transcript {
	return assay.Transcript{Probe: name, Steps: []assay.Step{{Name: stepMeasure, Argv: []string{program}, Output: assay.Output{Stdout: []byte(stdout)}}}}
}

func read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestParse(t *testing.T) {
	tests := []struct {
		file    string
		figures map[string]float64
		labels  map[string]string
		absent  []string
		samples int
	}{
		{
			file: "2.3.0-randread-4k.xml",
			figures: map[string]float64{
				"storage.read.iops": 54469 / 1.01, "storage.read.bandwidth": 223105024 / 1.01, "storage.read.bytes": 223105024, "storage.read.ios": 54469,
				"storage.read.latency.mean": .214e-3, "storage.read.latency.stddev": .597e-3, "storage.read.latency.min": .051e-3, "storage.read.latency.max": 6.921e-3,
				"storage.read.latency.p1": .054e-3, "storage.read.latency.p50": .066e-3, "storage.read.latency.p95": 2.459e-3, "storage.read.latency.p99": 2.778e-3,
				"storage.read.latency.p99_9": 4.243e-3, "storage.read.latency.p99_99": 6.53e-3, "tool.duration": 1.01,
			},
			labels: map[string]string{
				"tool": "diskspd", "version": "2.3.0", "pattern": "randread", "bs": "4k", "iodepth": "32", "jobs": "1", "direct": "1", "sync": "1",
				"size": "67108864", "file": `C:\ProgramData\SmartDisk Monitor\SmartDisk Monitor Benchmark\benchmark.dat`, "runtime": "1", "cpu_share": "0.2282",
			},
			absent: []string{"storage.write.iops", "storage.read.iops.stddev"},
		},
		{
			file: "2.1.0-dev-mix-1m-shortened.xml",
			figures: map[string]float64{
				"storage.read.iops": 4835. / 30, "storage.write.iops": 2136. / 30, "storage.read.bandwidth": 4835 * (1 << 20) / 30., "storage.write.bytes": 2136 << 20,
				"storage.read.latency.mean": .132077, "storage.write.latency.mean": .151185, "storage.write.latency.p99": 1.5175, "storage.write.latency.max": 1.687761,
				"storage.read.iops.stddev": 50.883, "storage.write.iops.stddev": 23.003, "tool.duration": 30,
			},
			labels: map[string]string{
				"version": "2.1.0-dev", "pattern": "rw", "bs": "1m", "iodepth": "8", "jobs": "4", "direct": "1", "sync": "1", "runtime": "30",
				"cpu_share": "0.0044", "source": "compressible",
			},
			samples: 30,
		},
		{
			file: "2.0.21a-syncwrite-handmade.xml",
			figures: map[string]float64{
				"storage.write.iops": 3112. / 5, "storage.write.bandwidth": 12746752. / 5, "storage.write.latency.p99_9": 4.022e-3, "storage.write.latency.max": 6.871e-3, "tool.duration": 5,
			},
			labels:  map[string]string{"version": "2.0.21a", "pattern": "randwrite", "file": `D:\it's & y\.assay-1\data`, "iodepth": "1", "bs": "4k"},
			absent:  []string{"storage.read.iops"},
			samples: 5,
		},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			all, err := New().Parse(transcript(read(t, tt.file)))
			if err != nil {
				t.Fatal(err)
			}
			probetest.CheckFigures(t, all, strings.Count(read(t, tt.file), "\n")+1)
			probetest.CheckNoZero(t, all)
			got := map[string]assay.Measurement{}
			for _, m := range all {
				got[m.Metric] = m
			}
			for metric, want := range tt.figures {
				if m, there := got[metric]; !there || math.Abs(m.Value/want-1) > 1e-9 {
					t.Errorf("%s is %v, want %v", metric, m.Value, want)
				}
			}
			for key, want := range tt.labels {
				if v := all[0].Labels[key]; v != want {
					t.Errorf("label %s is %q, want %q", key, v, want)
				}
			}
			if tt.labels["source"] == "" && all[0].Labels["source"] != "" {
				t.Errorf("source is %q", all[0].Labels["source"])
			}
			for _, metric := range tt.absent {
				if m, there := got[metric]; there {
					t.Errorf("%s is %v", metric, m.Value)
				}
			}
			for _, metric := range []string{"storage.read.iops", "storage.write.bandwidth"} {
				if m, there := got[metric]; there && len(m.Samples) != tt.samples {
					t.Errorf("%s has %d samples, want %d", metric, len(m.Samples), tt.samples)
				}
			}
		})
	}
}

// A sample is a rate: of operations, or of bytes at the size of an operation.
func TestSamples(t *testing.T) {
	all, err := New().Parse(transcript(read(t, "2.1.0-dev-mix-1m-shortened.xml")))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		switch m.Metric {
		case "storage.read.iops":
			if s := m.Samples[6]; s.At != 7 || s.Value != 82 {
				t.Errorf("%+v", s)
			}
		case "storage.write.bandwidth":
			if s := m.Samples[29]; s.At != 30 || s.Value != 76<<20 {
				t.Errorf("%+v", s)
			}
		}
	}
}

// Line is where the figure is, even with other output before it.
func TestLines(t *testing.T) {
	text := "WARNING: something\n" + read(t, "2.3.0-randread-4k.xml")
	all, err := New().Parse(transcript(text))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text, "\n")
	for _, m := range all {
		want := map[string]string{"storage.read.ios": "<ReadCount>54469<", "storage.read.latency.mean": "<AverageReadMilliseconds>0.214<", "tool.duration": "<TestTimeSeconds>1.01<"}[m.Metric]
		if !strings.Contains(lines[m.Line-1], want) {
			t.Errorf("%s stands on %q", m.Metric, lines[m.Line-1])
		}
	}
}

func TestParseErrors(t *testing.T) {
	good := read(t, "2.3.0-randread-4k.xml")
	for want, text := range map[string]string{
		"Error opening file: C:\\ProgramData": read(t, "2.3.0-no-file.xml"),
		"The test was interrupted before":     read(t, "2.3.0-no-file.xml")[strings.Index(read(t, "2.3.0-no-file.xml"), "<Results>"):],
		"no results of DiskSpd":               "ERROR: invalid option: 'x'\n",
		"end before their end":                good[:len(good)-10],
		"measured for no time":                strings.Replace(good, "<TestTimeSeconds>1.01<", "<TestTimeSeconds>0.00<", 1),
		"TestTimeSeconds: \"-1.#IND\"":        strings.Replace(good, "<TestTimeSeconds>1.01<", "<TestTimeSeconds>-1.#IND<", 1),
		"completed no operations":             strings.Replace(good, "<ReadCount>54469<", "<ReadCount>0<", 1),
		"of 2 time spans":                     strings.Replace(good, "</Results>", "<TimeSpan></TimeSpan></Results>", 1),
		"of 0 time spans":                     "<Results></Results>",
	} {
		if _, err := New().Parse(transcript(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	failed := transcript(good)
	failed.Steps[0].Output.Exit, failed.Steps[0].Output.Stderr = 1, []byte("\r\nERROR: -p conflicts with -r\r\n")
	if _, err := New().Parse(failed); err == nil || err.Error() != "DiskSpd failed: ERROR: -p conflicts with -r" {
		t.Error(err)
	}
}

// File names are in any code page, and nothing in them is escaped.
func TestNamesThatAreNoXML(t *testing.T) {
	good := read(t, "2.3.0-randread-4k.xml")
	const path = `C:\ProgramData\SmartDisk Monitor\SmartDisk Monitor Benchmark\benchmark.dat`
	for name, want := range map[string]string{
		`D:\R&D; $(x) 'y'\data`: `D:\R&D; $(x) 'y'\data`, "D:\\Pr\xfcfung\\data": `D:\Pr?fung\data`, `D:\a &b; &#x\data`: `D:\a &b; &#x\data`,
	} {
		all, err := New().Parse(transcript(strings.ReplaceAll(good, path, name)))
		if err != nil || all[0].Labels["file"] != want {
			t.Errorf("%q: %v", name, err)
			continue
		}
	}
}

// Labels come from the settings that DiskSpd reports.
func TestLabels(t *testing.T) {
	good := read(t, "2.3.0-randread-4k.xml")
	for _, tt := range []struct{ from, to, key, want string }{
		{"<WriteThrough>true</WriteThrough>", "", "sync", "0"},
		{"<DisableOSCache>true</DisableOSCache>", "", "direct", "0"},
		{"<DisableOSCache>true</DisableOSCache>", "<DisableAllCache>true</DisableAllCache>", "direct", "1"},
		{"<Throughput>0<", `<Throughput unit="IOPS">20<`, "rate_iops", "20"},
		{"<Throughput>0<", "<Throughput>82<", "rate_iops", "20.01953125"},
		{"<Random>4096</Random>", "<Random>4096</Random><RandomRatio>20</RandomRatio>", "pattern", ""},
		{"<Random>4096</Random>", "<StrideSize>4096</StrideSize>", "pattern", "read"},
		{"<WriteRatio>0<", "<WriteRatio>30<", "pattern", "randrw"},
		{"<WriteRatio>0<", "<WriteRatio>30<", "source", "compressible"},
		{"<Pattern>sequential<", "<Pattern>zero<", "source", ""},
		{"<RandSeed>0</RandSeed>", "<RandomWriteData>true</RandomWriteData>", "source", ""},
		{"<ThreadCount>0</ThreadCount>", "<ThreadCount>4</ThreadCount>", "iodepth", ""},
	} {
		if !strings.Contains(good, tt.from) {
			t.Fatalf("no %s", tt.from)
		}
		all, err := New().Parse(transcript(strings.Replace(good, tt.from, tt.to, 1)))
		if err != nil || all[0].Labels[tt.key] != tt.want {
			t.Errorf("%s: %s is %q, want %q; %v", tt.to, tt.key, all[0].Labels[tt.key], tt.want, err)
		}
	}
	zeros := strings.NewReplacer("<Pattern>sequential<", "<Pattern>zero<", "<WriteRatio>0<", "<WriteRatio>100<").Replace(good)
	all, err := New().Parse(transcript(zeros))
	if err != nil || all[0].Labels["source"] != "zero" {
		t.Errorf("%v", err)
	}
	tr := transcript(zeros)
	tr.Steps[0].Argv = append(tr.Steps[0].Argv, "-Zr")
	if all, err := New().Parse(tr); err != nil || all[0].Labels["source"] != "" {
		t.Errorf("%v", err)
	}
}

func TestNotes(t *testing.T) {
	tr := transcript("")
	tr.Steps[0].Output.Stderr = []byte("WARNING: single-threaded test, -si ignored\r\nsomething else\r\n")
	notes := New().(*Probe).Notes(tr)
	if len(notes) != 1 || notes[0].Text != "WARNING: single-threaded test, -si ignored" {
		t.Errorf("%+v", notes)
	}
	if notes := New().(*Probe).Notes(assay.Transcript{}); notes != nil {
		t.Errorf("%+v", notes)
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.xml")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for _, file := range files {
		f.Add(read(f, filepath.Base(file)))
	}
	f.Add("<Results><TimeSpan><TestTimeSeconds>1e-300</TestTimeSeconds><Thread><Target><ReadBytes>1e18</ReadBytes><ReadCount>1e18</ReadCount></Target></Thread></TimeSpan></Results>")
	f.Add("<Results><a></Results></Results>")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := New().Parse(transcript(text))
		probetest.CheckParsed(t, all, err, text)
	})
}

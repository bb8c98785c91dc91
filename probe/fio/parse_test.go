package fio

import (
	"errors"
	"math"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
	"assay/probe/probetest"
)

func measured(stdout []byte) assay.Transcript {
	return assay.Transcript{Probe: name, Steps: []assay.Step{{Name: stepMeasure, Output: assay.Output{Stdout: stdout}}}}
}

func parsed(t testing.TB, file string) []assay.Measurement {
	t.Helper()
	ms, err := New().Parse(measured(captured.Bytes(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	return ms
}

// figure returns the one measurement of a metric that has all of these labels.
func figure(t testing.TB, ms []assay.Measurement, metric string, labels ...string) assay.Measurement {
	t.Helper()
	var found []assay.Measurement
next:
	for _, m := range ms {
		if m.Metric != metric {
			continue
		}
		for i := 0; i < len(labels); i += 2 {
			if m.Labels[labels[i]] != labels[i+1] {
				continue next
			}
		}
		found = append(found, m)
	}
	if len(found) != 1 {
		t.Fatalf("%s %v: found %d measurements, want 1", metric, labels, len(found))
	}
	return found[0]
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }

func TestParseFigures(t *testing.T) {
	tests := []struct {
		file, metric string
		labels       []string
		want         float64
		unit         assay.Unit
	}{
		{"3.33-randread-uring.json", "storage.read.iops", nil, 77543.485505, assay.PerSecond},
		{"3.33-randread-uring.json", "storage.read.bandwidth", nil, 317618116, assay.BytesPerSecond},
		{"3.33-randread-uring.json", "storage.read.bytes", nil, 953171968, assay.Bytes},
		{"3.33-randread-uring.json", "storage.read.ios", nil, 232708, assay.One},
		{"3.33-randread-uring.json", "storage.read.latency.mean", nil, 407499.226434 / 1e9, assay.Seconds},
		{"3.33-randread-uring.json", "storage.read.latency.stddev", nil, 556261.428148 / 1e9, assay.Seconds},
		{"3.33-randread-uring.json", "storage.read.latency.min", nil, 150 / 1e9, assay.Seconds},
		{"3.33-randread-uring.json", "storage.read.latency.max", nil, 27326822 / 1e9, assay.Seconds},
		{"3.33-randread-uring.json", "storage.read.latency.p50", nil, 354304 / 1e9, assay.Seconds},
		{"3.33-randread-uring.json", "storage.read.latency.p99_99", nil, 27131904 / 1e9, assay.Seconds},
		{"3.33-randread-uring.json", "storage.read.latency.total.mean", nil, 412213.661069 / 1e9, assay.Seconds},
		{"3.33-randread-uring.json", "tool.duration", nil, 3001 / 1e3, assay.Seconds},
		{"3.33-randwrite-psync.json", "storage.write.iops", nil, 9913.043478, assay.PerSecond},
		{"3.33-randwrite-psync.json", "storage.write.bandwidth", nil, 40603826, assay.BytesPerSecond},
		{"3.33-randwrite-psync.json", "storage.write.bytes", nil, 81248256, assay.Bytes},
		{"3.33-randwrite-psync.json", "storage.write.ios", nil, 19836, assay.One},
		{"3.33-randwrite-psync.json", "storage.write.latency.mean", nil, 100031.169641 / 1e9, assay.Seconds},
		{"3.33-randwrite-psync.json", "storage.write.latency.stddev", nil, 21001.999903 / 1e9, assay.Seconds},
		{"3.33-randwrite-psync.json", "storage.write.latency.min", nil, 57826 / 1e9, assay.Seconds},
		{"3.33-randwrite-psync.json", "storage.write.latency.max", nil, 684444 / 1e9, assay.Seconds},
		{"3.33-randwrite-psync.json", "storage.write.latency.p50", nil, 95744 / 1e9, assay.Seconds},
		{"3.33-randwrite-psync.json", "storage.write.latency.p99_99", nil, 602112 / 1e9, assay.Seconds},
		{"3.33-randwrite-psync.json", "storage.write.latency.total.mean", nil, 100139.02435 / 1e9, assay.Seconds},
		{"3.33-randwrite-psync.json", "tool.duration", nil, 2001 / 1e3, assay.Seconds},
		{"3.33-read-libaio.json", "storage.read.iops", nil, 1303.784861, assay.PerSecond},
		{"3.33-read-libaio.json", "storage.read.bandwidth", nil, 1367117513, assay.BytesPerSecond},
		{"3.33-read-libaio.json", "storage.read.bytes", nil, 2745171968, assay.Bytes},
		{"3.33-read-libaio.json", "storage.read.ios", nil, 2618, assay.One},
		{"3.33-read-libaio.json", "storage.read.latency.mean", nil, 6081610.233002 / 1e9, assay.Seconds},
		{"3.33-read-libaio.json", "storage.read.latency.stddev", nil, 8062876.755203 / 1e9, assay.Seconds},
		{"3.33-read-libaio.json", "storage.read.latency.min", nil, 1326395 / 1e9, assay.Seconds},
		{"3.33-read-libaio.json", "storage.read.latency.max", nil, 34460120 / 1e9, assay.Seconds},
		{"3.33-read-libaio.json", "storage.read.latency.p50", nil, 2965504 / 1e9, assay.Seconds},
		{"3.33-read-libaio.json", "storage.read.latency.p99_99", nil, 34340864 / 1e9, assay.Seconds},
		{"3.33-read-libaio.json", "storage.read.latency.total.mean", nil, 6120665.279603 / 1e9, assay.Seconds},
		{"3.33-read-libaio.json", "tool.duration", nil, 2008 / 1e3, assay.Seconds},
		{"3.33-randrw-jobs.json", "storage.read.iops", []string{"job", "randrw-jobs#1"}, 25165.417291, assay.PerSecond},
		{"3.33-randrw-jobs.json", "storage.read.bandwidth", []string{"job", "randrw-jobs#1"}, 103077549, assay.BytesPerSecond},
		{"3.33-randrw-jobs.json", "storage.read.bytes", []string{"job", "randrw-jobs#1"}, 206258176, assay.Bytes},
		{"3.33-randrw-jobs.json", "storage.read.ios", []string{"job", "randrw-jobs#1"}, 50356, assay.One},
		{"3.33-randrw-jobs.json", "storage.read.latency.mean", []string{"job", "randrw-jobs#1"}, 210488.133787 / 1e9, assay.Seconds},
		{"3.33-randrw-jobs.json", "storage.read.latency.stddev", []string{"job", "randrw-jobs#1"}, 125736.375383 / 1e9, assay.Seconds},
		{"3.33-randrw-jobs.json", "storage.read.latency.min", []string{"job", "randrw-jobs#1"}, 32548 / 1e9, assay.Seconds},
		{"3.33-randrw-jobs.json", "storage.read.latency.max", []string{"job", "randrw-jobs#1"}, 4188021 / 1e9, assay.Seconds},
		{"3.33-randrw-jobs.json", "storage.read.latency.p50", []string{"job", "randrw-jobs#1"}, 201728 / 1e9, assay.Seconds},
		{"3.33-randrw-jobs.json", "storage.read.latency.p99_99", []string{"job", "randrw-jobs#1"}, 4046848 / 1e9, assay.Seconds},
		{"3.33-randrw-jobs.json", "storage.read.latency.total.mean", []string{"job", "randrw-jobs#1"}, 215591.247399 / 1e9, assay.Seconds},
		{"3.33-randrw-jobs.json", "tool.duration", []string{"job", "randrw-jobs#1"}, 2001 / 1e3, assay.Seconds},
		{"3.33-randrw-jobs.json", "storage.write.iops", []string{"job", "randrw-jobs#2"}, 10967.516242, assay.PerSecond},
		{"3.33-randrw-jobs.json", "storage.write.bandwidth", []string{"job", "randrw-jobs#2"}, 44922946, assay.BytesPerSecond},
		{"3.33-randrw-jobs.json", "storage.write.bytes", []string{"job", "randrw-jobs#2"}, 89890816, assay.Bytes},
		{"3.33-randrw-jobs.json", "storage.write.ios", []string{"job", "randrw-jobs#2"}, 21946, assay.One},
		{"3.33-randrw-jobs.json", "storage.write.latency.mean", []string{"job", "randrw-jobs#2"}, 227053.542969 / 1e9, assay.Seconds},
		{"3.33-randrw-jobs.json", "storage.write.latency.stddev", []string{"job", "randrw-jobs#2"}, 114463.064976 / 1e9, assay.Seconds},
		{"3.33-randrw-jobs.json", "storage.write.latency.min", []string{"job", "randrw-jobs#2"}, 32779 / 1e9, assay.Seconds},
		{"3.33-randrw-jobs.json", "storage.write.latency.max", []string{"job", "randrw-jobs#2"}, 4041405 / 1e9, assay.Seconds},
		{"3.33-randrw-jobs.json", "storage.write.latency.p50", []string{"job", "randrw-jobs#2"}, 218112 / 1e9, assay.Seconds},
		{"3.33-randrw-jobs.json", "storage.write.latency.p99_99", []string{"job", "randrw-jobs#2"}, 4014080 / 1e9, assay.Seconds},
		{"3.33-randrw-jobs.json", "storage.write.latency.total.mean", []string{"job", "randrw-jobs#2"}, 232484.200173 / 1e9, assay.Seconds},
		{"3.33-randrw-jobs.json", "tool.duration", []string{"job", "randrw-jobs#2"}, 2001 / 1e3, assay.Seconds},
		{"3.33-normal-and-json.txt", "storage.write.iops", nil, 35627.372627, assay.PerSecond},
		{"3.33-normal-and-json.txt", "storage.write.bandwidth", nil, 145929718, assay.BytesPerSecond},
		{"3.33-normal-and-json.txt", "storage.write.bytes", nil, 146075648, assay.Bytes},
		{"3.33-normal-and-json.txt", "storage.write.ios", nil, 35663, assay.One},
		{"3.33-normal-and-json.txt", "storage.write.latency.mean", nil, 103855.47217 / 1e9, assay.Seconds},
		{"3.33-normal-and-json.txt", "storage.write.latency.stddev", nil, 52189.621254 / 1e9, assay.Seconds},
		{"3.33-normal-and-json.txt", "storage.write.latency.min", nil, 681 / 1e9, assay.Seconds},
		{"3.33-normal-and-json.txt", "storage.write.latency.max", nil, 2974035 / 1e9, assay.Seconds},
		{"3.33-normal-and-json.txt", "storage.write.latency.p50", nil, 97792 / 1e9, assay.Seconds},
		{"3.33-normal-and-json.txt", "storage.write.latency.p99_99", nil, 2932736 / 1e9, assay.Seconds},
		{"3.33-normal-and-json.txt", "storage.write.latency.total.mean", nil, 111784.009674 / 1e9, assay.Seconds},
		{"3.33-normal-and-json.txt", "tool.duration", nil, 1001 / 1e3, assay.Seconds},
		{"3.33-client-server.json", "storage.read.iops", nil, 23876.247505, assay.PerSecond},
		{"3.33-client-server.json", "storage.read.bandwidth", nil, 97797109, assay.BytesPerSecond},
		{"3.33-client-server.json", "storage.read.bytes", nil, 97992704, assay.Bytes},
		{"3.33-client-server.json", "storage.read.ios", nil, 23924, assay.One},
		{"3.33-client-server.json", "storage.read.latency.mean", nil, 82930.700803 / 1e9, assay.Seconds},
		{"3.33-client-server.json", "storage.read.latency.stddev", nil, 49026.541681 / 1e9, assay.Seconds},
		{"3.33-client-server.json", "storage.read.latency.min", nil, 25658 / 1e9, assay.Seconds},
		{"3.33-client-server.json", "storage.read.latency.max", nil, 3674834 / 1e9, assay.Seconds},
		{"3.33-client-server.json", "storage.read.latency.p50", nil, 79360 / 1e9, assay.Seconds},
		{"3.33-client-server.json", "storage.read.latency.p99_99", nil, 1499136 / 1e9, assay.Seconds},
		{"3.33-client-server.json", "storage.read.latency.total.mean", nil, 83002.565624 / 1e9, assay.Seconds},
		{"3.33-client-server.json", "tool.duration", nil, 1002 / 1e3, assay.Seconds},
		// Version 2: KiB, µs, and no options printed. 37,500,272 x 1024.
		{"handmade-2.2.10-randwrite.json", "storage.write.iops", nil, 15624.70, assay.PerSecond},
		{"handmade-2.2.10-randwrite.json", "storage.write.bandwidth", nil, 63998976, assay.BytesPerSecond},
		{"handmade-2.2.10-randwrite.json", "storage.write.bytes", nil, 38400278528, assay.Bytes},
		{"handmade-2.2.10-randwrite.json", "storage.write.ios", nil, 9374944, assay.One},
		{"handmade-2.2.10-randwrite.json", "storage.write.latency.mean", nil, .00815119, assay.Seconds},
		{"handmade-2.2.10-randwrite.json", "storage.write.latency.total.mean", nil, .00818226, assay.Seconds},
		{"handmade-2.2.10-randwrite.json", "storage.write.latency.submission.mean", nil, .00003218, assay.Seconds},
		{"handmade-2.2.10-randwrite.json", "storage.write.latency.p99_99", nil, .150528, assay.Seconds},
		{"handmade-2.2.10-randwrite.json", "storage.iodepth.share", []string{"level", "32"}, 1.1016, assay.One},
		{"handmade-2.2.10-randwrite.json", "tool.duration", nil, 600.008, assay.Seconds},
	}
	for _, tt := range tests {
		m := figure(t, parsed(t, tt.file), tt.metric, tt.labels...)
		if !near(m.Value, tt.want) || m.Unit != tt.unit {
			t.Errorf("%s: %s = %v %s, want %v %s", tt.file, tt.metric, m.Value, m.Unit, tt.want, tt.unit)
		}
	}
}

// Every measurement from Parse is in the vocabulary, in its unit, finite, and
// on the line that it names.
func TestParseSpeaksTheVocabulary(t *testing.T) {
	for _, file := range []string{
		"3.33-randread-uring.json", "3.33-randwrite-psync.json", "3.33-read-libaio.json", "3.33-randrw-jobs.json",
		"3.33-normal-and-json.txt", "3.33-client-server.json", "handmade-2.2.10-randwrite.json",
	} {
		lines := strings.Split(captured.Text(t, file), "\n")
		ms := parsed(t, file)
		t.Run(file, func(t *testing.T) { probetest.CheckFigures(t, ms, len(lines)) })
		for _, m := range ms {
			if m.Value == 0 && m.Metric != "storage.errors" && !strings.Contains(m.Metric, ".device.") {
				t.Errorf("%s: %s is a silent zero", file, m.Metric)
			}
			if strings.HasSuffix(m.Metric, ".iops") && !strings.Contains(lines[m.Line-1], `"iops" :`) {
				t.Errorf("%s: line %d is %q, not IOPS", file, m.Line, lines[m.Line-1])
			}
		}
	}
}

func TestParseLabels(t *testing.T) {
	tests := []struct {
		file, metric string
		job          string
		want         map[string]string
	}{
		{"3.33-randread-uring.json", "storage.read.iops", "randread-uring", map[string]string{
			"tool": "fio", "version": "3.33", "engine": "io_uring", "bs": "4k", "iodepth": "32", "requested_iodepth": "",
			"jobs": "1", "direct": "1", "sync": "0", "pattern": "randread"}},
		{"3.33-randwrite-psync.json", "storage.write.iops", "randwrite-psync", map[string]string{
			"engine": "psync", "iodepth": "1", "requested_iodepth": "16", "sync": "1", "pattern": "randwrite"}},
		{"3.33-read-libaio.json", "storage.read.bandwidth", "read-libaio", map[string]string{
			"engine": "libaio", "bs": "1m", "iodepth": "4", "jobs": "2", "pattern": "read"}},
		{"3.33-randrw-jobs.json", "storage.write.iops", "randrw-jobs#2", map[string]string{
			"engine": "libaio", "iodepth": "8", "jobs": "1", "pattern": "randrw"}},
		{"3.33-client-server.json", "storage.read.iops", "one", map[string]string{
			"engine": "psync", "host": "127.0.0.1", "bs": "4k", "jobs": "2"}},
		{"handmade-2.2.10-randwrite.json", "storage.write.iops", "test", map[string]string{
			"version": "2.2.10", "engine": "", "iodepth": "", "direct": "", "sync": "", "bs": ""}},
	}
	for _, tt := range tests {
		m := figure(t, parsed(t, tt.file), tt.metric, "job", tt.job)
		for k, want := range tt.want {
			if m.Labels[k] != want {
				t.Errorf("%s: label %s is %q, want %q", tt.file, k, m.Labels[k], want)
			}
		}
	}
}

// fio's default engine on Windows is asynchronous: a job that names none and had many
// operations in flight ran there, not under psync.
func TestDefaultEngineOfDeepQueues(t *testing.T) {
	whole := captured.Text(t, "3.33-randread-uring.json")
	const option = "\"ioengine\" : \"io_uring\","
	if !strings.Contains(whole, option) {
		t.Fatal("the file names no engine")
	}
	ms, err := New().Parse(measured([]byte(strings.ReplaceAll(whole, option, ""))))
	if err != nil {
		t.Fatal(err)
	}
	m := figure(t, ms, "storage.read.iops")
	for k, want := range map[string]string{"engine": "", "iodepth": "32", "requested_iodepth": "", "direct": "1"} {
		if m.Labels[k] != want {
			t.Errorf("label %s is %q, want %q", k, m.Labels[k], want)
		}
	}
}

// What fio did not print comes from the command line that actually ran.
func TestParseLabelsFromArgv(t *testing.T) {
	tr := measured(captured.Bytes(t, "handmade-2.2.10-randwrite.json"))
	tr.Steps[0].Argv = []string{"/usr/bin/fio", "-filename=/x", "--blocksize=4k", "--iodepth=16", "--ioengine=sync", "--direct=1", "--fdatasync=1"}
	ms, err := New().Parse(tr)
	if err != nil {
		t.Fatal(err)
	}
	m := figure(t, ms, "storage.write.iops")
	for k, want := range map[string]string{
		"engine": "sync", "bs": "4k", "iodepth": "1", "requested_iodepth": "16", "direct": "1", "sync": "0", "fdatasync": "1",
	} {
		if m.Labels[k] != want {
			t.Errorf("label %s is %q, want %q", k, m.Labels[k], want)
		}
	}
}

// Sections that were not reached have no figure; they take none from those that were.
func TestJobsThatDidNothing(t *testing.T) {
	for _, file := range []string{"3.33-stonewall-stopped.json", "text/3.33-terse-stopped.txt"} {
		out := captured.Text(t, file)
		ms, err := New().Parse(measured([]byte(out)))
		if err != nil || len(ms) == 0 {
			t.Errorf("%s: %d figures, %v", file, len(ms), err)
		}
		for _, m := range ms {
			if m.Labels["job"] != "first" {
				t.Errorf("%s: %s of job %q", file, m.Metric, m.Labels["job"])
			}
		}
		probetest.CheckParsed(t, ms, nil, out)
	}
	failed := strings.Replace(captured.Text(t, "3.33-stonewall-stopped.json"), `"jobname" : "third",
      "groupid" : 2,
      "error" : 0,`, `"jobname" : "third",
      "groupid" : 2,
      "error" : 5,`, 1)
	if _, err := New().Parse(measured([]byte(failed))); err == nil || !strings.Contains(err.Error(), "third") {
		t.Errorf("a job that failed: %v", err)
	}
}

func TestParseErrors(t *testing.T) {
	step := func(out, err string, exit int) assay.Transcript {
		tr := measured([]byte(out))
		tr.Steps[0].Output.Stderr, tr.Steps[0].Output.Exit = []byte(err), exit
		return tr
	}
	ended := func(stem string) assay.Transcript {
		return step(captured.Text(t, stem+".json"), captured.Text(t, stem+".err"), 1)
	}
	whole := captured.Text(t, "handmade-2.2.10-randwrite.json")
	tests := []struct {
		name string
		tr   assay.Transcript
		is   error
		says string
		hint bool
	}{
		{"full device", ended("3.33-full"), assay.ErrNoSpace, "No space left on device", true},
		{"full device, exit lost", step(captured.Text(t, "3.33-full.json"), "", 0), assay.ErrNoSpace, "error 28", true},
		{"no such file", ended("3.33-nonexistent"), assay.ErrNotFound, "fio: file creation disallowed", true},
		{"no such file, exit lost", step(captured.Text(t, "3.33-nonexistent.json"), "", 0), assay.ErrNoOutput, "completed no operation", false},
		{"cut off", measured(captured.Bytes(t, "3.33-cut.json")), assay.ErrNoOutput, "truncated", true},
		{"nothing", measured(nil), assay.ErrNoOutput, "no JSON document", true},
		{"head of a report", measured([]byte("a: (g=0): rw=read\nfio-3.33\n")), assay.ErrNoOutput, "line 1: fio's output ends before its results", true},
		{"no step", assay.Transcript{}, assay.ErrNoOutput, "measure", false},
		{"no job", measured([]byte(`{"fio version" : "fio-3.33", "jobs" : []}`)), assay.ErrNoOutput, "contains no job", false},
		{"reads and writes as one", measured(captured.Bytes(t, "handmade-2.6-mixed.json")), nil, "cannot be separated", true},
		{"negative", measured([]byte(strings.Replace(whole, "15624.70", "-1", 1))), nil, "line 30: iops is -1, which is impossible", false},
		{"zero IOPS", measured([]byte(strings.Replace(whole, "15624.70", "0.00", 1))), nil, "iops is 0", false},
		{"nan IOPS", measured([]byte(strings.Replace(whole, "15624.70", "nan", 1))), assay.ErrNoOutput, "line 30: iops is missing, fio printed nan", false},
		{"out of range", measured([]byte(strings.Replace(whole, "15624.70", "1e999", 1))), nil, "out of range", true},
		{"min above max", measured([]byte(strings.Replace(whole, `"min" : 964`, `"min" : 18446744073709551615`, 1))), nil, "above max", false},
		{"engine", step("fio: engine nosuch not loadable\nfio: failed to load engine\n",
			"fio: file:ioengines.c:134, func=dlopen, error=nosuch: cannot open shared object file\n", 1), nil, "fio failed (exit 1)", true},
		{"killed", step("", "", 137), nil, "exit 137", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ms, err := New().Parse(tt.tr)
			if err == nil {
				t.Fatalf("no error but %d measurements", len(ms))
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("%v is not %v", err, tt.is)
			}
			if !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%q does not say %q", err, tt.says)
			}
			if (assay.Hint(err) != "") != tt.hint {
				t.Errorf("hint of %q is %q", err, assay.Hint(err))
			}
		})
	}
}

func TestParseSamples(t *testing.T) {
	ms := parsed(t, "3.33-randread-uring.json")
	m := figure(t, ms, "storage.read.iops")
	ios := figure(t, ms, "storage.read.ios")
	if len(m.Samples) != 3 {
		t.Fatalf("%d samples of 3 s, want 3", len(m.Samples))
	}
	last, sum := 0.0, 0.0
	for _, s := range m.Samples {
		sum += s.Value * (s.At - last)
		last = s.At
	}
	// The remainder of the run after the third status is too short for a sample.
	if sum > ios.Value || sum < .9*ios.Value {
		t.Errorf("the samples add up to %v operations of %v", sum, ios.Value)
	}
	bw := figure(t, ms, "storage.read.bandwidth")
	for i, s := range m.Samples {
		// A status counts operations in flight, but not yet their bytes.
		if got := bw.Samples[i].Value; math.Abs(got/(s.Value*4096)-1) > .01 {
			t.Errorf("sample %d: %v B/s at %v IOPS of 4 KiB", i, bw.Samples[i].Value, s.Value)
		}
	}
	if got := figure(t, parsed(t, "3.33-client-server.json"), "storage.read.iops").Samples; got != nil {
		t.Errorf("one document gives samples: %v", got)
	}
}

func TestParseHistogram(t *testing.T) {
	ms := parsed(t, "3.33-randread-uring.json")
	m := figure(t, ms, "storage.read.latency.mean")
	var n int64
	sum, last := 0.0, 0.0
	for _, b := range m.Histogram {
		if b.Upper <= last {
			t.Fatalf("bin %v after %v", b.Upper, last)
		}
		last = b.Upper
		n += b.Count
		sum += b.Upper * float64(b.Count)
	}
	if ios := figure(t, ms, "storage.read.ios").Value; float64(n) != ios {
		t.Errorf("%d operations in the bins of %v", n, ios)
	}
	// Upper bounds are at most 1/64 above their values.
	if mean := sum / float64(n); mean < m.Value || mean > m.Value*(1+1.0/64) {
		t.Errorf("mean of the upper bounds %v, mean %v", mean, m.Value)
	}
	if top := figure(t, ms, "storage.read.latency.max").Value; last < top || last > top*(1+1.0/64) {
		t.Errorf("last bin ends at %v, greatest latency %v", last, top)
	}

	old := figure(t, parsed(t, "handmade-2.2.10-randwrite.json"), "storage.write.latency.mean").Histogram
	// Index 100 is 100 µs; 128 is the first of the bins that are 2 µs wide; 200
	// is in the next group, 4 µs wide: 256 + 8 x 4 up to 292.
	want := []assay.Bin{{Upper: 100e-6, Count: 3}, {Upper: 130e-6, Count: 5}, {Upper: 292e-6, Count: 7}}
	if len(old) != len(want) {
		t.Fatalf("%v, want %v", old, want)
	}
	for i := range want {
		if !near(old[i].Upper, want[i].Upper) || old[i].Count != want[i].Count {
			t.Errorf("bin %v, want %v", old[i], want[i])
		}
	}
}

// A status document that cannot be parsed costs a sample, not the figure, and is
// noted.
func TestParsePassesOverABrokenStatus(t *testing.T) {
	good := captured.Bytes(t, "3.33-client-server.json")
	broken := append([]byte("{\n  \"fio version\" : \"fio-3.33\",\n  \"jobs\" : [ fio: oops\n"), good...)
	tr := measured(broken)
	if _, err := New().Parse(tr); err != nil {
		t.Fatal(err)
	}
	if ids := noteIDs(tr); ids != "fio-status-unreadable" {
		t.Errorf("notes %q", ids)
	}
}

func TestNotes(t *testing.T) {
	if ids := noteIDs(measured(captured.Bytes(t, "3.33-randwrite-psync.json"))); ids != "fio-depth-capped" {
		t.Errorf("notes %q", ids)
	}
	if ids := noteIDs(measured(captured.Bytes(t, "3.33-normal-and-json.txt"))); ids != "" {
		t.Errorf("the human-readable report is taken for notes: %q", ids)
	}
	// Text that differs between repeats would be noted once for each of them.
	long := "fio: " + strings.Repeat("long ", 100)
	notes := (&Probe{}).Notes(measured([]byte("fio: pid=7, err=0\nfio: x\nfio: x\n" + long + "\n")))
	if len(notes) != 2 || notes[0] != (assay.Note{ID: "fio-said", Text: "fio: x"}) || len(notes[1].Text) > 200 {
		t.Errorf("notes %q", notes)
	}
	stopped := assay.Transcript{Steps: []assay.Step{{Name: stepMeasure, Output: assay.Output{Stderr: []byte("fio: terminating on signal 2\n")}}}}
	if notes := (&Probe{}).Notes(stopped); len(notes) > 0 {
		t.Errorf("a repeat that was stopped once it was steady: %+v", notes)
	}
}

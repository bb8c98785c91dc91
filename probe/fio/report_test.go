package fio

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
	"assay/probe/probetest"
)

const kib = 1024.0

// Parse returns what a human reads in each report, in base units.
func TestReportFigures(t *testing.T) {
	type want struct {
		metric string
		labels []string
		v      float64
		line   int
	}
	tests := []struct {
		file string
		want []want
	}{
		{"1.x-randread", []want{
			{"storage.read.iops", []string{"engine", "libaio", "bs", "4k"}, 1438, 5},
			{"storage.read.ios", nil, 256, 12},
			{"storage.latency_bucket.share", []string{"upper", "0.00025"}, .6094, 13},
		}},
		{"2.0.8-slow", []want{
			{"storage.read.bandwidth", []string{"version", "2.0.8"}, 718776, 6},
			{"tool.duration", nil, 30.003, 6},
		}},
		{"2.0.15-rw", []want{
			{"storage.read.iops", []string{"bs", "16k", "pattern", "rw", "jobs", "1", "version", "2.0.15"}, 484, 6},
			{"storage.read.bandwidth", nil, 7753.7 * kib, 6},
			{"storage.read.bytes", nil, 77552 * kib, 6},
			{"storage.read.latency.min", nil, 560e-6, 7},
			{"storage.write.latency.max", nil, 6044e-6, 17},
			{"storage.write.latency.p99_99", nil, 6048e-6, 24},
			{"storage.write.ios", nil, 4803, 32},
			{"storage.write.bandwidth.stddev", []string{"samples", ""}, 1831.72 * kib, 25},
			{"storage.iodepth.share", []string{"level", "1"}, 1.1, 29},
			{"storage.latency_bucket.share", []string{"upper", "0.01"}, .0003, 27},
			{"storage.write.device.merges", []string{"device", "xvda1"}, 10, 39},
		}},
		{"2.1.11-randrw", []want{
			{"storage.read.iops", []string{"iodepth", "64", "requested_iodepth", "", "rounding", "1"}, 18618, 7},
			{"storage.write.bandwidth", nil, 24836 * kib, 8},
			{"storage.iodepth.share", []string{"level", ">=64"}, 1, 10},
			{"storage.write.device.ios", []string{"device", "vda"}, 262053, 21},
			{"tool.duration", nil, 42.234, 7},
		}},
		{"2.2.10-randread", []want{
			{"storage.read.iops", []string{"jobs", "10", "engine", "libaio"}, 49170, 7},
			{"storage.read.bandwidth", nil, 196683 * kib, 7},
			{"storage.read.latency.total.mean", nil, 200.48e-6, 10},
			{"storage.read.latency.submission.mean", nil, 7.64e-6, 8},
			{"storage.read.latency.p50", nil, 175e-6, 13},
			{"storage.read.device.ios", []string{"device", "sdt"}, 2618552, 32},
		}},
		{"2.2.10-rbd", []want{
			{"storage.write.iops", []string{"engine", "rbd", "bs", "256k"}, 101, 7},
			{"storage.write.latency.mean", nil, 9.76e-3, 9},
			{"storage.write.latency.p1", nil, 7712e-6, 12}, // in a different unit from the mean
			{"storage.write.device.ios", []string{"device", "dm-0"}, 464, 30},
		}},
		{"2.17-sixteen-disks", []want{
			{"storage.read.iops", []string{"bs", "4k", "jobs", "1024", "rounding", "500", "version", "2.17-17-g9cf1"}, 1859e3, 7},
			{"storage.read.bandwidth", nil, 7262 * kib * kib, 7},
		}},
		{"3.1-unified-oneway", []want{
			{"storage.write.iops", []string{"job", "4k_randwrite", "jobs", "4"}, 165e3, 9},
			{"storage.read.iops", []string{"job", "4k_randread"}, 452e3, 27},
			{"storage.write.latency.p99_999", nil, 6915e-6, 15},
			{"storage.write.ios", nil, 296139504, 24},
		}},
		{"3.33-randrw-jobs", []want{
			{"storage.read.iops", []string{"job", "mix#1", "bs", "8k", "jobs", "1"}, 14.6e3, 7},
			{"storage.write.iops", []string{"job", "mix#1", "bs", "16k"}, 6494, 19},
			{"storage.write.bandwidth", []string{"job", "mix#1"}, 101 * kib * kib, 19},
		}},
		{"3.33-two-jobs", []want{
			{"storage.read.bandwidth", []string{"job", "first", "bs", "1m", "iodepth", "4"}, 857 * kib * kib, 7},
			{"storage.write.ios", []string{"job", "second", "pattern", "randwrite", "iodepth", "8"}, 12784, 53},
			{"storage.write.latency.p99_99", []string{"job", "second"}, 1549e-6, 36}, // not that of the flushes
		}},
		{"3.33-posixaio-grouped", []want{
			{"storage.read.iops", []string{"jobs", "3", "bs", "512"}, 103e3, 7},
			{"storage.read.latency.max", nil, 2352.2e-6, 9},
			{"storage.read.latency.p50", nil, 39e-6, 13}, // not that of the total latency
		}},
		{"3.33-status", []want{
			{"storage.read.ios", nil, 60219, 105},
			{"storage.read.device.ios", nil, 58071, 112},
			{"storage.read.iops.stddev", []string{"samples", "5"}, 628.22, 97},
		}},
		{"3.33-client", []want{
			{"storage.read.iops", []string{"job", "All clients", "host", ""}, 8724, 57},
			{"storage.read.bandwidth", []string{"job", "All clients"}, 34.1 * kib * kib, 57},
			{"storage.write.iops", []string{"job", "two", "host", "vm", "engine", "libaio", "version", "3.33"}, 29.1e3, 28},
		}},
		{"3.20-cut-among-shares", []want{
			{"storage.read.iops", []string{"engine", "psync", "bs", "4k", "jobs", "1", "version", "3.20"}, 64, 10},
			{"storage.read.latency.p99", nil, 85e-3, 17},
			{"storage.read.bandwidth.stddev", []string{"samples", "983"}, 153.63 * kib, 19},
		}},
		{"3.32-bsrange", []want{
			{"storage.read.iops", []string{"bs", "512-1m", "pattern", "rw", "engine", "psync"}, 106, 7},
			{"storage.read.bandwidth", nil, 53.1 * kib * kib, 7},
			{"storage.read.latency.p99_99", nil, 367002e-6, 15},
			{"storage.write.bandwidth", nil, 53.1 * kib * kib, 18},
		}},
		{"3.36-nvme-headless", []want{
			{"storage.write.iops", []string{"engine", "", "bs", "", "iodepth", "", "jobs", "16", "direct", ""}, 634, 2},
			{"storage.write.latency.submission.mean", nil, 1807.76e-6, 3},
			{"storage.write.bytes", nil, 187 * kib * kib * kib, 2},
			{"storage.latency_bucket.share", []string{"upper", "inf"}, .2861, 15},
			{"storage.write.device.bytes", []string{"device", "nvme0n1"}, 395259600 * 512, 27},
		}},
		{"3.38-windowsaio", []want{
			{"storage.read.iops", []string{"engine", "windowsaio", "iodepth", "32", "version", "3.38"}, 509, 6},
			{"storage.read.latency.p50", nil, 29230e-6, 12},
		}},
		{"3.7-fsync-etcd", []want{
			{"storage.write.latency.mean", nil, 61.61e-6, 4},
			{"storage.sync.latency.mean", nil, 1174.03e-6, 17},
			{"storage.sync.latency.max", nil, 2808e-6, 17},
			{"storage.sync.latency.p99", nil, 1467e-6, 22},
			{"storage.sync.latency.p99_99", nil, 2540e-6, 23},
		}},
		{"3.39-linstor-sync", []want{
			{"storage.write.iops", []string{"sync", "", "direct", "", "size", "", "layout", "allocated"}, 137, 7},
			{"storage.write.bandwidth", nil, 552 * kib, 7},
			{"storage.write.bytes", nil, 32.3 * kib * kib, 7},
			{"storage.write.latency.max", nil, .277, 8},
			{"storage.write.latency.p99_99", nil, .279, 15},
			{"storage.write.iops.stddev", []string{"samples", "119"}, 23.78, 17},
			{"storage.write.bandwidth.stddev", []string{"samples", "119"}, 95.14 * kib, 16},
			{"storage.write.device.bytes", []string{"device", "dm-1"}, 430144 * 512, 30},
			{"storage.write.device.ios", nil, 50255, 30},
			{"tool.duration", nil, 60.005, 7},
		}},
		{"3.39-linstor-async", []want{
			{"storage.write.latency.total.mean", []string{"engine", "psync", "iodepth", "1", "requested_iodepth", "16"}, 1753.14e-6, 9},
		}},
		{"3.39-disabled-sync", []want{{"storage.write.ios", nil, 91681, 23}, {"storage.write.latency.p40", nil, 660e-6, 11}}},
		{"3.39-disabled-async", []want{{"storage.write.iops", []string{"version", "3.39", "layout", ""}, 4169, 7}}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			ms := parsed(t, "text/"+tt.file+".txt")
			for _, w := range tt.want {
				m := figure(t, ms, w.metric, w.labels...)
				if !near(m.Value, w.v) || m.Line != w.line {
					t.Errorf("%s %v = %v on line %d, want %v on line %d", w.metric, w.labels, m.Value, m.Line, w.v, w.line)
				}
			}
		})
	}
}

// A report and the JSON of the same run agree, except for rounding.
func TestReportAgreesWithJSON(t *testing.T) {
	out := captured.Bytes(t, "3.33-normal-and-json.txt")
	ms := parsed(t, "3.33-normal-and-json.txt")
	open, end := bytes.Index(out, []byte("\n{")), bytes.Index(out, []byte("\n}"))
	report := append(bytes.Clone(out[:open+1]), out[end+3:]...)
	texts, err := New().Parse(measured(report))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if text.Labels["level"] != "" || text.Labels["upper"] != "" {
			continue
		}
		m := figure(t, ms, text.Metric)
		if d := text.Value/m.Value - 1; m.Value != 0 && (d > .02 || d < -.02) {
			t.Errorf("%s is %v in the report and %v in JSON", text.Metric, text.Value, m.Value)
		}
	}
	for _, m := range ms {
		if m.Labels["level"] == "" && m.Labels["upper"] == "" {
			figure(t, texts, m.Metric, "bs", m.Labels["bs"], "engine", m.Labels["engine"])
		}
	}
}

// With the command line, the labels equal those of JSON.
func TestReportLabelsFromCommand(t *testing.T) {
	tr := measured(captured.Bytes(t, "text/3.39-linstor-sync.txt"))
	tr.Steps[0].Argv = strings.Fields("fio --name=sync-write --filename=/mnt/fio/testfile --size=1G --bs=4k --rw=write " +
		"--iodepth=1 --direct=1 --sync=1 --runtime=60 --time_based --group_reporting --zero_buffers")
	ms, err := New().Parse(tr)
	if err != nil {
		t.Fatal(err)
	}
	m := figure(t, ms, "storage.write.iops")
	for k, want := range map[string]string{
		"direct": "1", "sync": "1", "size": "1073741824", "file": "/mnt/fio/testfile", "runtime": "60",
		"source": "zero", "iodepth": "1", "engine": "psync", "jobs": "1",
	} {
		if m.Labels[k] != want {
			t.Errorf("label %s is %q, want %q", k, m.Labels[k], want)
		}
	}
}

// However much is cut off the end of a report, the figures left are those of
// the whole report.
func TestReportCutAnywhere(t *testing.T) {
	for _, file := range []string{"2.0.15-rw", "2.1.11-randrw", "2.2.10-rbd", "3.39-linstor-sync", "3.36-nvme-headless", "3.33-randread-libaio"} {
		whole := captured.Bytes(t, "text/"+file+".txt")
		ms, err := New().Parse(measured(whole))
		if err != nil {
			t.Fatal(err)
		}
		said := map[string]bool{}
		key := func(m assay.Measurement) string {
			return m.Metric + " " + m.Labels["level"] + m.Labels["upper"] + " " + trimmed(m.Value)
		}
		for _, m := range ms {
			said[key(m)] = true
		}
		some := 0
		for n := range whole {
			left, err := New().Parse(measured(whole[:n]))
			if err != nil {
				if errors.Is(err, assay.ErrNoOutput) {
					continue
				}
				t.Fatalf("%s cut at %d: %v", file, n, err)
			}
			some++
			for _, m := range left {
				if !said[key(m)] {
					t.Fatalf("%s cut at %d: %s = %v, which the whole does not say", file, n, m.Metric, m.Value)
				}
			}
		}
		if some == 0 {
			t.Errorf("%s: no part of it has figures", file)
		}
	}
}

// A missing head costs the labels, not the figures.
func TestReportWithoutHead(t *testing.T) {
	whole := captured.Bytes(t, "text/3.39-linstor-sync.txt")
	from := bytes.Index(whole, []byte("  write: IOPS"))
	ms, err := New().Parse(measured(whole[from:]))
	if err != nil {
		t.Fatal(err)
	}
	m := figure(t, ms, "storage.write.iops", "job", "", "engine", "")
	if m.Value != 137 || m.Line != 1 {
		t.Errorf("%v on line %d", m.Value, m.Line)
	}
	for _, m := range ms {
		if m.Metric == "storage.errors" {
			t.Error("nobody said whether there were errors")
		}
	}
	// Only fio's totals at the end.
	from = bytes.Index(whole, []byte("Run status group"))
	if ms, err = New().Parse(measured(whole[from:])); err != nil {
		t.Fatal(err)
	}
	if m := figure(t, ms, "storage.write.bandwidth"); m.Value != 552*kib || m.Line != 2 {
		t.Errorf("%v on line %d", m.Value, m.Line)
	}
	figure(t, ms, "tool.duration")
}

// If the jobs are lost, their group still shows how far apart they were.
func TestSlowestAndFastestOfAGroupAlone(t *testing.T) {
	ms, err := New().Parse(measured([]byte("Run status group 0 (all jobs):\n   READ: bw=87.0MiB/s (91.2MB/s), 239B/s-14.2MiB/s (239B/s-14.9MB/s), io=1479MiB (1551MB), run=17001-17001msec\n")))
	if err != nil {
		t.Fatal(err)
	}
	if m := figure(t, ms, "storage.read.bandwidth"); m.Labels["least_share"] != "239" || m.Labels["most_share"] != "1.48898e+07" {
		t.Errorf("%v", m.Labels)
	}
}

// Windows line ends, prose and lines of other tools before, between and after.
func TestReportAmidNoise(t *testing.T) {
	whole := captured.Text(t, "text/3.39-linstor-sync.txt")
	want := len(parsed(t, "text/3.39-linstor-sync.txt"))
	noisy := "Here is what it said: read\nwrite: nothing\n" +
		strings.ReplaceAll(strings.Replace(whole, "  cpu ", "lat\n(usec)\n | 99.00th=[\nbw (\nclat (usec)\nissued\n: (g=\n  cpu ", 1), "\n", "\r\n") +
		"\r\n[  5]   0.00-1.00   sec  1.09 GBytes\r\nThose speeds are slow: ios=, merge=\r\n"
	ms, err := New().Parse(measured([]byte(noisy)))
	if err != nil {
		t.Fatal(err)
	}
	if len(ms) != want {
		t.Errorf("%d measurements, %d without the noise", len(ms), want)
	}
	if m := figure(t, ms, "storage.write.iops"); m.Line != 9 {
		t.Errorf("on line %d", m.Line)
	}
}

// A figure without a unit, or with another, is not guessed at.
func TestReportHandWritten(t *testing.T) {
	ms, err := New().Parse(measured([]byte("  read: IOPS=45.2k, BW=176MiB/s (185MB/s)\n    clat (usec): min=45, max=12345, avg=705.32, stdev=234.56\n")))
	if err != nil {
		t.Fatal(err)
	}
	if len(ms) != 6 || figure(t, ms, "storage.read.iops").Value != 45200 {
		t.Errorf("%v", ms)
	}
	for _, text := range []string{"  read: IOPS=45.2k\n", "  read: IOPS=x, BW=y (z)\n", "  read: IOPS=, BW=176\n", "  write: io=1, bw=3 apples/s, iops=none, runt=\n"} {
		if ms, err := New().Parse(measured([]byte(text))); err == nil {
			t.Errorf("%q gives %v", text, ms)
		}
	}
	// Of the two, the one with more digits.
	ms, err = New().Parse(measured([]byte("  read: IOPS=999, BW=3.90MiB/s (4092kB/s)(234MiB/60001msec)\n")))
	if err != nil || figure(t, ms, "storage.read.bandwidth").Value != 4092e3 {
		t.Errorf("%v, %v", ms, err)
	}
}

// People add thousands separators: a bandwidth of 586,774 KB/s must not be parsed
// as 586 B/s.
func TestReportWithThousands(t *testing.T) {
	ms, err := New().Parse(measured([]byte("  write: io=1,234,567KB, bw=41,152KB/s, iops=10,288, runt= 30000msec\n")))
	if err != nil || figure(t, ms, "storage.write.bandwidth").Value != 41152<<10 || figure(t, ms, "storage.write.iops").Value != 10288 ||
		figure(t, ms, "storage.write.bytes").Value != 1234567<<10 {
		t.Errorf("%v, %v", ms, err)
	}
}

func TestReportErrors(t *testing.T) {
	tests := []struct {
		file, says string
		is         error
	}{
		{"3.33-full", "No space left on device", assay.ErrNoSpace},
		{"3.33-engine", "fio: engine nosuch not loadable", nil},
		{"3.33-unified", "reads and writes are reported as one total", nil},
		{"3.27-one-failed", "job Fio: error 5: file:io_u.c:1841, func=io_u error, error=Input/output error", nil},
	}
	for _, tt := range tests {
		ms, err := New().Parse(measured(captured.Bytes(t, "text/"+tt.file+".txt")))
		if err == nil || !strings.Contains(err.Error(), tt.says) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: %d measurements and %v", tt.file, len(ms), err)
		}
	}
	lost := "{ is gone\n\"fio version\" : \"fio-3.33\",\n\"jobs\" : [\n"
	if _, err := New().Parse(measured([]byte(lost))); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("JSON without its beginning: %v", err)
	}
}

// reports returns the captured text reports.
func reports(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/text/*.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d reports, %v", len(files), err)
	}
	return files
}

// Every capture is recognized by its first line or two, and each of its
// measurements is in the vocabulary and on a line.
func TestReportsSpeakTheVocabulary(t *testing.T) {
	for _, file := range reports(t) {
		out, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		ms, err := New().Parse(measured(out))
		if err != nil {
			continue // covered by TestReportErrors
		}
		t.Run(file, func(t *testing.T) { probetest.CheckParsed(t, ms, nil, string(out)) })
	}
}

// A report cut within its latency shares may lack some of them, so none is
// returned.
func TestReportCutAmongItsShares(t *testing.T) {
	const head = "a: (groupid=0, jobs=1): err= 0: pid=1: Wed Jun 30 22:19:46 2021\n" +
		"  read: IOPS=64, BW=259KiB/s (266kB/s)(128MiB/505352msec)\n" +
		"  lat (msec)   : 2=0.27%, 4=22.05%, 10=38.07%, 20=13.59%, 50=19.86%\n" +
		"  lat (msec)   : 100=5.75%,"
	for text, want := range map[string]int{
		head: 0,
		head + " 250=0.41%\n  cpu          : usr=0.02%, sys=0.10%, ctx=32775, majf=0, minf=15\n": 7,
	} {
		all, err := New().Parse(measured([]byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, m := range all {
			if m.Metric == "storage.latency_bucket.share" {
				got++
			}
		}
		if got != want {
			t.Errorf("%d shares, want %d, of\n%s", got, want, text)
		}
	}
}

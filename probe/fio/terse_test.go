package fio

import (
	"math"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
	"assay/probe/probetest"
)

// What a person reads in a terse line, by the fields in fio's HOWTO: the report
// that fio printed beside two of them agrees.
func TestTerse(t *testing.T) {
	type want struct {
		metric string
		v      float64
		labels []string
	}
	for file, wants := range map[string][]want{
		"3.33-terse-randrw": {
			{"storage.read.iops", 1945, []string{"version", "3.33", "job", "seqr"}},
			{"storage.read.bandwidth", 124520 * kib, nil},
			{"storage.read.latency.mean", 434.194084e-6, nil},
			{"storage.read.latency.p99_9", 27656e-6, nil},
			{"storage.write.iops", 1994, nil},
			{"storage.write.bytes", 255936 * kib, nil},
			{"storage.write.latency.max", 5478e-6, nil},
			{"storage.write.bandwidth.stddev", 27211.605655 * kib, []string{"mean", "1.31286357332992e+08"}},
			{"storage.write.device.ios", 1791, []string{"device", "vda"}},
			{"tool.duration", 2.005, nil},
		},
		"3.33-terse4": {{"storage.read.iops", 2205, nil}, {"storage.write.iops", 2307, nil}},
		"3.33-terse5": {
			{"storage.read.iops", 1116, nil},
			{"storage.read.iops.stddev", 51.618795, []string{"samples", "2"}},
			{"storage.write.latency.p95", 26e-6, nil},
			{"storage.write.device.ios", 461, []string{"device", "vda"}},
		},
		"3.32-terse-write": {
			{"storage.write.iops", 3350, []string{"engine", "psync", "pattern", "write", "bs", "4k", "iodepth", "1"}},
			{"storage.write.latency.mean", 297.476504e-6, nil},
			{"storage.write.latency.p99", 5079e-6, nil},
			{"storage.write.bytes", 134036 * kib, nil},
		},
		"3.1-terse-grouped": {
			{"storage.read.iops", 3697, []string{"pattern", "randread", "engine", "libaio", "jobs", "2"}},
			{"storage.read.latency.submission.mean", 8.432369e-6, nil},
			{"storage.read.latency.total.mean", 534.512884e-6, nil},
			{"storage.read.latency.max", 35648e-6, nil},
			{"tool.duration", 141.787, nil},
		},
	} {
		ms, err := New().Parse(measured(captured.Bytes(t, "text/"+file+".txt")))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		t.Run(file, func(t *testing.T) { probetest.CheckParsed(t, ms, nil, captured.Text(t, "text/"+file+".txt")) })
		for _, w := range wants {
			m := find(ms, w.metric)
			if m == nil || math.Abs(m.Value-w.v) > 1e-9*w.v {
				t.Errorf("%s: %s is %+v, want %v", file, w.metric, m, w.v)
				continue
			}
			for i := 0; i+1 < len(w.labels); i += 2 {
				if m.Labels[w.labels[i]] != w.labels[i+1] {
					t.Errorf("%s: %s: label %s is %q, want %q", file, w.metric, w.labels[i], m.Labels[w.labels[i]], w.labels[i+1])
				}
			}
		}
	}
}

func find(ms []assay.Measurement, metric string) *assay.Measurement {
	for i := range ms {
		if ms[i].Metric == metric {
			return &ms[i]
		}
	}
	return nil
}

// Of a status every second, the last one counts; another run of the same name is a
// separate result, as in files that scripts append to.
func TestTerseStatusAndRuns(t *testing.T) {
	line := strings.TrimSpace(captured.Text(t, "text/3.33-terse-randrw.txt"))
	later := strings.NewReplacer(";249664;124520;1945;2005;", ";349664;124520;1945;3005;", ";255936;127648;1994;2005;", ";355936;127648;1994;3005;").Replace(line)
	count := func(text string) (n int, duration float64) {
		ms, err := New().Parse(measured([]byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ms {
			if m.Metric == "tool.duration" {
				n, duration = n+1, m.Value
			}
		}
		return n, duration
	}
	if n, duration := count(line + "\n" + later + "\n"); n != 1 || duration != 3.005 {
		t.Errorf("a later status: %d results, %v s", n, duration)
	}
	if n, _ := count(line + "\n" + line + "\n"); n != 2 {
		t.Errorf("two runs: %d results", n)
	}
	if n, _ := count(later + "\n" + line + "\n"); n != 2 {
		t.Errorf("two runs, the shorter one last: %d results", n)
	}
}

// A truncated line gives the complete directions; with none, it is an error.
func TestTerseTruncated(t *testing.T) {
	line := captured.Text(t, "text/3.33-terse-randrw.txt")
	ms, err := New().Parse(measured([]byte(line[:600])))
	if err != nil || find(ms, "storage.read.iops") == nil || find(ms, "storage.write.iops") != nil {
		t.Errorf("cut in the writes: %d measurements, %v", len(ms), err)
	}
	if ms, err := New().Parse(measured([]byte(line[:200]))); err == nil || !strings.Contains(err.Error(), "line 1: fio's terse output (--minimal) is truncated") {
		t.Errorf("cut in the reads: %d measurements, %v", len(ms), err)
	}
}

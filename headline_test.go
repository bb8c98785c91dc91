package assay

import (
	"fmt"
	"testing"
)

func TestHeadlines(t *testing.T) {
	for _, tt := range []struct {
		bs      string
		metrics []string
		want    string
	}{
		{"4k", []string{"storage.read.bandwidth", "storage.read.iops", "storage.read.iops.stddev", "storage.read.latency.mean"}, "[storage.read.iops]"},
		{"1m", []string{"storage.read.bandwidth", "storage.read.iops"}, "[storage.read.bandwidth]"},
		{"64KiB", []string{"storage.read.bandwidth", "storage.read.iops"}, "[storage.read.bandwidth]"},
		{"65535", []string{"storage.read.bandwidth", "storage.read.iops"}, "[storage.read.iops]"},
		{"", []string{"storage.write.bandwidth"}, "[storage.write.bandwidth]"},
		{"4k", []string{"storage.write.bandwidth"}, "[storage.write.bandwidth]"}, // nothing else was counted
		{"8k", []string{"storage.read.iops", "storage.write.iops"}, "[storage.read.iops storage.write.iops]"},
		{"", []string{"cpu.events_per_second", "cpu.latency.mean"}, "[cpu.events_per_second]"},
		{"", []string{"smart.temperature"}, "[]"},
	} {
		r := Result{Trial: Trial{Settings: map[string]string{"bs": tt.bs}}, Repeats: []Repeat{{N: 0, Outcome: Done}, {N: 1, Outcome: Broke}, {N: 2, Outcome: Done}}}
		for _, m := range tt.metrics {
			r.Repeats[2].Measurements = append(r.Repeats[2].Measurements, Measurement{Metric: m, Value: 1})
		}
		if got := fmt.Sprint(r.Headlines()); got != tt.want {
			t.Errorf("bs %q, %v: %s, want %s", tt.bs, tt.metrics, got, tt.want)
		}
	}
}

func TestBinarySize(t *testing.T) {
	for word, want := range map[string]int64{"4096": 4096, "4k": 4096, "4KiB": 4096, "1M": 1 << 20, "2g": 2 << 30, "0": 0, "": 0, "4kk": 0, "-4k": 0, "999999999999999t": 0} {
		if got, ok := binarySize(word); got != want || ok != (want > 0) {
			t.Errorf("%q: %d, %v", word, got, ok)
		}
	}
}

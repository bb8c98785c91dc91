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
		{"1m", []string{"storage.write.iops"}, "[storage.write.iops]"},
		{"64k", []string{"pool.write.bandwidth", "pool.write.iops"}, "[pool.write.bandwidth]"},
		{"4k", []string{"pool.write.bandwidth", "pool.write.iops"}, "[pool.write.iops]"},
		{"8k", []string{"storage.read.iops", "storage.write.iops"}, "[storage.read.iops storage.write.iops]"},
		{"", []string{"cpu.events_per_second", "cpu.latency.mean"}, "[cpu.events_per_second]"},
		{"", []string{"smart.temperature"}, "[]"},
		{"4k", []string{"object.put.throughput", "object.put.ops"}, "[object.put.ops]"},
		{"1m", []string{"object.get.throughput", "object.get.ops", "object.get.latency.p99"}, "[object.get.throughput]"},
		{"", []string{"object.get.throughput"}, "[object.get.throughput]"},
		{"1m", []string{"object.delete.ops"}, "[object.delete.ops]"},
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

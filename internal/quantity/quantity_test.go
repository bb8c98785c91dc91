package quantity

import "testing"

func TestQuantity(t *testing.T) {
	for _, c := range []struct {
		metric string
		value  float64
		want   string
	}{
		{"storage.read.iops", 58912, "58.9k IOPS"},
		{"storage.read.iops", 999.6, "1.00k IOPS"},
		{"storage.read.iops", 137.97, "138 IOPS"},
		{"storage.read.bandwidth", 1.234e9, "1.23 GB/s"},
		{"storage.read.latency.p99_9", 412e-6, "412 µs"},
		{"storage.read.latency.mean", .00724, "7.24 ms"},
		{"storage.read.latency.mean", 650e-9, "650 ns"},
		{"smart.power_on_hours", 42270 * 3600, "42,270 h"},
		{"smart.available_spare", .96, "96 %"},
		{"smart.media_errors", 519, "519"},
		{"smart.passed", 0, "FAILED"},
		{"thermal.rise", 26, "26.0 °C"},
		{"thermal.clock.load", 2.596e9, "2.60 GHz"},
		{"cpu.events_per_second", 11552, "11.6k events/s"},
	} {
		if got := Of(c.metric, c.value); got != c.want {
			t.Errorf("Quantity(%s, %v) = %q, want %q", c.metric, c.value, got, c.want)
		}
	}
}

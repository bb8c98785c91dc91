package quantity

import (
	"testing"
	"time"
)

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

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		5 * time.Minute: "5m", 90 * time.Second: "1m30s", 2 * time.Hour: "2h", 2*time.Hour + time.Minute: "2h1m",
		20 * time.Second: "20s", 10 * time.Minute: "10m", 250 * time.Millisecond: "250ms", 0: "0s", time.Hour + 5*time.Second: "1h0m5s",
	} {
		if got := Span(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

package analysis

import "testing"

func TestLayers(t *testing.T) {
	for metric, want := range map[string]string{
		"storage.read.iops": "Storage", "cpu.events_per_second": "CPU", "net.tcp.throughput": "Network",
		"object.get.throughput": "Object storage", "tool.duration": "Other", "": "Other",
	} {
		if got := Layer(metric); got != want {
			t.Errorf("%s: %s, want %s", metric, got, want)
		}
	}
}

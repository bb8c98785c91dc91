package audit

import (
	"testing"

	"assay"
)

// onReplicated moves the world's storage onto replicated storage.
func onReplicated(s assay.StackFacts, rtt float64) func(*world) {
	return func(w *world) { w.facts.Stack, w.facts.RTT = &s, rtt }
}

// The world's synchronous write takes 80 µs on average and 73.6 µs in the
// median.
func TestReplication(t *testing.T) {
	two := assay.StackFacts{Kind: "drbd", Copies: 2, Remote: 1}
	local := assay.StackFacts{Kind: "drbd", Copies: 2, Remote: 1, Local: 300e-6}
	check(t, []one{
		{"drbd-floor", "faster than the round trip", both(only("syncwrite"), onReplicated(two, 200e-6)), "E", "µs against a round trip of 200 µs: 0.3"},
		{"drbd-floor", "faster than the drive", both(only("syncwrite"), onReplicated(local, 50e-6)), "E", "µs against the drive alone with 300 µs: 0.2"},
		{"drbd-floor", "the mean alone", both(only("syncwrite"), drop("syncwrite", "storage.write.latency.p50"), onReplicated(two, 200e-6)), "E", "0.4"},
		{"drbd-floor", "copies alone are enough", both(only("syncwrite"), onReplicated(assay.StackFacts{Kind: "drbd", Copies: 3}, 200e-6)), "E", "200 µs"},
		{"drbd-floor", "direct, without a flush", both(only("seqwrite"), set("seqwrite", "storage.write.latency.mean", 150e-6), onReplicated(two, 200e-6)), "E", "150 µs"},
		{"drbd-floor", "longhorn", both(only("syncwrite"), onReplicated(assay.StackFacts{Kind: "longhorn", Copies: 3, Remote: 2}, 200e-6)), "E", "200 µs"},
		{"drbd-floor", "dd, block by block", both(only("dd-write"), label("dd-write", "sync", "dsync"), onReplicated(assay.StackFacts{Kind: "drbd", Remote: 1}, 4e-3)), "E", "ms against a round trip of 4.00 ms"},

		{"drbd-floor", "slower than both", both(only("syncwrite"), onReplicated(assay.StackFacts{Kind: "drbd", Copies: 2, Remote: 1, Local: 30e-6}, 50e-6)), "", ""},
		{"drbd-floor", "about as fast as the round trip", both(only("syncwrite"), onReplicated(two, 76e-6)), "", ""},
		{"drbd-floor", "a direct write does not wait for the drive's flush", both(only("seqwrite"), onReplicated(assay.StackFacts{Kind: "drbd", Remote: 1, Local: 1}, 50e-6)), "", ""},
		{"drbd-floor", "a smaller block than the drive was measured with", both(only("syncwrite"), label("syncwrite", "bs", "512"), onReplicated(local, 50e-6)), "", ""},
		{"drbd-floor", "protocol A", both(only("syncwrite"), onReplicated(assay.StackFacts{Kind: "drbd", Copies: 2, Remote: 1, Protocol: "A"}, 200e-6)), "", ""},
		{"drbd-floor", "buffered", both(only("dd-write"), onReplicated(two, 1)), "", ""},
		{"drbd-floor", "a read", both(only("randread"), onReplicated(two, 1)), "", ""},
		{"drbd-floor", "one copy", both(only("syncwrite"), onReplicated(assay.StackFacts{Kind: "drbd", Copies: 1}, 200e-6)), "", ""},
		{"drbd-floor", "ceph", both(only("syncwrite"), onReplicated(assay.StackFacts{Kind: "ceph", Copies: 3, Remote: 2}, 200e-6)), "", ""},
		{"drbd-floor", "no replicated storage", func(*world) {}, "", ""},

		{"drbd-floor", "no round trip", both(only("syncwrite"), onReplicated(two, 0)), "-", "round trip to the replica"},
		{"drbd-floor", "no peers", both(only("syncwrite"), onReplicated(assay.StackFacts{Kind: "drbd"}, 200e-6)), "-", "replicas on other nodes"},
		{"drbd-floor", "no latency", both(only("syncwrite"), drop("syncwrite", "storage.write.latency.p50", "storage.write.latency.mean"), onReplicated(two, 200e-6)), "-", "latency of the writes"},
	})
}

func TestClocks(t *testing.T) {
	check(t, []one{
		{"clock-skew", "clocks far apart", label("thermal", "clock_offset", "0.0001"), "", ""}, // no duration among its figures
		{"clock-skew", "a tenth of the latency", both(only("syncwrite"), label("syncwrite", "clock_offset", "-0.0004")), "W", "clocks 400 µs apart against a tenth of"},
		{"clock-skew", "clocks close together", both(only("randread"), label("randread", "clock_offset", "0.000001")), "", ""},
		{"clock-skew", "no number", both(only("randread"), label("randread", "clock_offset", "unknown")), "", ""},
		{"clock-skew", "the end before the start", both(only("syncwrite"), label("syncwrite", "started", "2026-03-01T12:00:10Z"), label("syncwrite", "ended", "2026-03-01T12:00:07Z")), "E", "ended 2026-03-01T12:00:07Z, 3.00 s before it started at 2026-03-01T12:00:10Z"},
		{"clock-skew", "in two time zones", both(only("syncwrite"), label("syncwrite", "started", "2026-03-01T12:00:10+01:00"), label("syncwrite", "ended", "2026-03-01T11:00:40Z")), "", ""},
		{"clock-skew", "a start alone", both(only("syncwrite"), label("syncwrite", "started", "2026-03-01T12:00:10Z")), "", ""},
		{"clock-skew", "a jitter longer than the test", both(datagrams(28.487952, .1)), "E", "jitter 28.5 s in a test of 100 ms"},
		{"clock-skew", "a jitter that can be", both(datagrams(.5, 10)), "", ""},
		{"clock-skew", "a jitter of a test of unknown length", both(datagrams(28, 0)), "", ""},
		{"clock-skew", "a log that goes backwards", both(migrated(nil), label("migration", "clock", "backwards"), label("migration", "clock_step", "-42")), "E", "the log's times go backwards by 42.0 s"},
		{"clock-skew", "a log that does not say by how much", both(migrated(nil), label("migration", "clock", "backwards")), "E", "the log's times go backwards"},
		{"clock-skew", "a well-run machine", func(*world) {}, "", ""},
	})
}

// migrated is a world with one migration, that of a guest of 12.6 GiB as
// published, with the given figures replaced; 0 removes one.
func migrated(instead map[string]float64) func(*world) {
	return func(w *world) {
		figures := map[string]float64{
			"migration.throughput": 806.6 * (1 << 20), "migration.transferred": 11.7 * (1 << 30), "migration.memory": 12.6 * (1 << 30), "migration.transfer_time": 16,
			"migration.duration": 20, "migration.downtime": .059, "migration.downtime.limit": .1,
		}
		for metric, v := range instead {
			figures[metric] = v
		}
		w.results = nil
		w.add("migration", assay.Subject{ID: "h/guest/guest", Kind: "guest", Host: "h", Name: "guest"}, func(int) []assay.Measurement {
			var all []assay.Measurement
			for metric, v := range figures {
				if v > 0 {
					all = append(all, assay.Measurement{Metric: metric, Value: v, Labels: map[string]string{"tool": "migrate", "guest": "20057", "to": "dalia"}})
				}
			}
			return all
		}, func(int) *assay.Watch { return nil })
		w.keep("migration", 1)
	}
}

func TestMigration(t *testing.T) {
	const miB, giB = 1 << 20, 1 << 30
	check(t, []one{
		{"migration-average", "as published", migrated(nil), "W",
			"806.6 MiB/s reported against 11.7 GiB / 16.0 s = 748.8 MiB/s: +7.72 %; it is 12.6 GiB / 16.0 s"},
		{"migration-average", "more was sent than the guest has", migrated(map[string]float64{"migration.transferred": 25 * giB}), "W", "-49.6 %; it is 12.6 GiB / 16.0 s"},
		{"migration-average", "the log is a second off", migrated(map[string]float64{"migration.transferred": 6 * giB, "migration.transfer_time": 17}), "W", "it is 12.6 GiB / 16.0 s"},
		{"migration-average", "of nothing that is known", migrated(map[string]float64{"migration.throughput": 2000 * miB}), "W", "2,000.0 MiB/s reported against"},
		{"migration-average", "hardly different", migrated(map[string]float64{"migration.transferred": 12.3 * giB}), "", ""},
		{"migration-average", "what was sent over the time", migrated(map[string]float64{"migration.throughput": 748.8 * miB}), "", ""},
		{"migration-average", "right, and rounded to seconds", migrated(map[string]float64{"migration.throughput": 11.7 * giB / 15.1}), "", ""},
		{"migration-average", "right, and two seconds long", migrated(map[string]float64{
			"migration.throughput": .5 * giB, "migration.transferred": giB, "migration.memory": .5 * giB, "migration.transfer_time": 2}), "", ""},
		{"migration-average", "a small guest, printed to a tenth", migrated(map[string]float64{
			"migration.throughput": 1.06 * giB / 4, "migration.transferred": 1 * giB, "migration.memory": 1.1 * giB, "migration.transfer_time": 4}), "", ""},
		{"migration-average", "of libvirt, whose time has its own preparation in it", both(migrated(nil), label("migration", "tool", "virsh")), "", ""},
		{"migration-average", "of libvirt, and too slow", both(migrated(map[string]float64{"migration.throughput": 600 * miB, "migration.transferred": 12 * giB, "migration.memory": 0}), label("migration", "tool", "virsh")), "W", "600.0 MiB/s reported against 12.0 GiB / 16.0 s"},
		{"migration-average", "an older log", migrated(map[string]float64{"migration.transferred": 0}), "-", "amount of memory sent"},
		{"migration-average", "no times", migrated(map[string]float64{"migration.transfer_time": 0}), "-", "time spent sending"},
		{"migration-average", "offline", migrated(map[string]float64{"migration.throughput": 0, "migration.downtime": 0}), "", ""},
		{"migration-average", "no migration", func(*world) {}, "", ""},

		{"migration-average", "longer than allowed", migrated(map[string]float64{"migration.throughput": 748.8 * miB, "migration.downtime": .412}), "W", "412 ms against a limit of 100 ms: 4.12 x"},
		{"migration-average", "no limit", migrated(map[string]float64{"migration.throughput": 748.8 * miB, "migration.downtime": .412, "migration.downtime.limit": 0}), "", ""},
		{"migration-average", "pinged once a second", both(migrated(map[string]float64{"migration.throughput": 748.8 * miB}), label("migration", "probe_interval", "1")), "W", "a probe every 1.00 s against 59.0 ms / 5 = 11.8 ms"},
		{"migration-average", "pinged often", both(migrated(map[string]float64{"migration.throughput": 748.8 * miB}), label("migration", "probe_interval", "10ms")), "", ""},
	})
}

// datagrams leaves one UDP result, with that jitter and length in seconds.
func datagrams(jitter, ran float64) func(*world) {
	return func(w *world) {
		wire(1e6, "protocol", "udp")(w)
		all := &w.results[0].Repeats[0].Measurements
		*all = append((*all)[:1], assay.Measurement{Metric: "net.udp.jitter", Value: jitter, Unit: assay.Seconds, Labels: (*all)[0].Labels})
		if ran > 0 {
			*all = append(*all, assay.Measurement{Metric: "tool.duration", Value: ran, Unit: assay.Seconds, Labels: (*all)[0].Labels})
		}
	}
}

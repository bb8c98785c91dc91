package reporttest

import (
	"assay"
	"assay/report"
)

// Reading returns a report on what others ran: one output that is rejected, one
// that is fine and one that could not be read. Every call returns the same.
func Reading() report.Reading {
	figure := func(metric string, v float64, unit assay.Unit, labels map[string]string, line int) assay.Measurement {
		return assay.Measurement{Metric: metric, Value: v, Unit: unit, Labels: labels, Line: line}
	}
	fio := map[string]string{
		"tool": "fio", "version": "3.39", "job": "async-write", "engine": "psync", "pattern": "write", "bs": "4k",
		"iodepth": "1", "requested_iodepth": "16", "jobs": "1", "direct": "1", "sync": "0",
	}
	net := map[string]string{"tool": "iperf3", "version": "3.12", "streams": "1", "from": "10.0.0.2", "to": "10.0.0.1", "direction": "forward"}
	results := []assay.Result{
		{
			Trial: assay.Trial{ID: "blog.md:41 fio async-write", Probe: "fio", Case: "async-write", Title: "fio async-write", From: "blog.md:41",
				Subject: assay.Subject{Host: "guinea-pig", Kind: assay.KindDirectory, Name: "given"}},
			Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
				figure("storage.write.iops", 569, assay.PerSecond, fio, 47), figure("storage.write.bandwidth", 2334e3, assay.BytesPerSecond, fio, 47),
				figure("storage.write.latency.mean", 1752.9e-6, assay.Seconds, fio, 48), figure("storage.write.latency.p1", 1156e-6, assay.Seconds, fio, 51),
				figure("storage.write.latency.p99", 3589e-6, assay.Seconds, fio, 54), figure("storage.write.latency.p99_99", 15664e-6, assay.Seconds, fio, 55),
				figure("storage.write.bytes", 140e6, assay.Bytes, fio, 47), figure("tool.duration", 60.002, assay.Seconds, fio, 47),
			}}},
		},
		{
			Trial: assay.Trial{ID: "blog.md:164 iperf3", Probe: "iperf3", Title: "iperf3", From: "blog.md:164", Subject: assay.Subject{Kind: assay.KindNetwork, Name: "network"}},
			Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
				figure("net.tcp.throughput", 9.39e9/8, assay.BytesPerSecond, net, 180), figure("net.tcp.retransmits", 0, assay.One, net, 179),
				figure("tool.duration", 10, assay.Seconds, net, 180),
			}}},
		},
	}
	findings := []assay.Finding{
		{Rule: "qd-capped", Severity: assay.Rejects, Subject: "blog.md:41 fio async-write", Metrics: []string{"storage.write.iops", "storage.write.bandwidth"},
			Arithmetic: "iodepth=16 under psync: 1 in flight", Message: "the figure is for queue depth 1, not for the depth requested",
			Advice: "use an asynchronous engine with direct I/O: fio --name=again --filename=FILE --rw=write --bs=4k --ioengine=libaio --iodepth=16 --numjobs=1 --direct=1 --size=1G --overwrite=1 --runtime=60 --time_based --group_reporting"},
		{Rule: "pct-support", Severity: assay.Warns, Subject: "blog.md:41 fio async-write", Metrics: []string{"storage.write.latency.p99_99"},
			Arithmetic: "p99.99 needs 29,956 operations; a repeat had 8,280", Message: "this percentile is little more than the slowest operation of the repeat"},
		{Rule: "pairs-missing", Severity: assay.Warns, Subject: "blog.md: links", Arithmetic: "3 of 6 directed pairs of 3 hosts", Message: "nobody measured the way back"},
		{Rule: "nic-ceiling", Severity: assay.NotChecked, Subject: "blog.md:164 iperf3", Message: "not checked", Missing: "which interface carried it", Advice: "give it: --fact nic=10G,mtu=1500"},
		{Rule: "nic-underuse", Severity: assay.NotChecked, Subject: "blog.md:164 iperf3", Message: "not checked", Missing: "which interface carried it", Advice: "give it: --fact nic=10G,mtu=1500"},
		{Rule: "noisy-neighbour", Severity: assay.NotChecked, Subject: "all of it", Message: "not checked", Missing: "what else the machine did meanwhile", Advice: "assay run measures again"},
	}
	return report.BuildReading(report.Read{
		Results: results, Findings: findings,
		Unread: []report.Unread{{File: "blog.md", Line: 300, Why: "fio's document is cut off before its end", Hint: "keep fio's whole output"}},
		Known: map[string]assay.Facts{"guinea-pig": {Host: "guinea-pig", Memory: assay.MemoryFacts{Total: 16 << 30},
			Stack: &assay.StackFacts{Kind: "drbd", Nodes: 3, Copies: 2, Protocol: "C"}}},
	})
}

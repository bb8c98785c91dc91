package audit

import (
	"testing"

	"assay"
)

func TestCutOffRuns(t *testing.T) {
	job := func(seconds float64, labels ...string) Evidence {
		return told(assay.Facts{}, fioRun("write", 1000, 1e-3, seconds, append([]string{"bs", "4k", "iodepth", "1"}, labels...)...))
	}
	stopped := []string{"interrupted", "terminated on signal 2"}
	net := func(seconds float64, labels ...string) Evidence {
		return told(assay.Facts{}, printout{kind: assay.KindLink, labels: with(map[string]string{"tool": "iperf3", "version": "3.12", "streams": "4"}, labels...),
			figures: map[string]float64{"net.tcp.throughput": 5e9, "tool.duration": seconds}})
	}
	checkForeign(t, []fires{
		{"interrupted", "19 s of fio", job(19, append(stopped, "done", "0.089")...), "E", "ran 19.0 s, 8.90 % of the work: terminated on signal 2"},
		{"interrupted", "15 minutes of an hour", job(900, append(stopped, "runtime", "3600")...), "W", "ran 900 s of 3,600 s"},
		{"interrupted", "at its end", job(59, append(stopped, "runtime", "60")...), "", ""},
		{"interrupted", "not at all", job(19), "", ""},
		{"interrupted", "one second of ten of iperf3", net(1, "interrupted", "unable to receive results", "asked", "10"), "E", "ran 1.00 s of 10.0 s: unable to receive results"},
		{"interrupted", "six of ten", net(6, "interrupted", "the client has terminated", "asked", "10"), "W", "of 10.0 s"},

		{"tool-bug", "a lost carry", job(60, "bug", "fio-num2str"), "I", "fio 3.36 (known of 3.0 to 3.25)"},
		{"tool-bug", "a bug that nobody knows", job(60, "bug", "x"), "", ""},
		{"tool-bug", "four streams in one thread", net(10), "W", "iperf3 3.12"},
		{"tool-bug", "in four", net(10, "version", "3.16"), "", ""},
		{"tool-bug", "one stream", net(10, "streams", "1"), "", ""},
	})
}

func TestSpreadOfGroupsAndOfLongRuns(t *testing.T) {
	spread := func(samples, mean string, deviation float64, seconds float64, labels ...string) Evidence {
		p := fioRun("write", 1000, 1e-3, seconds, append([]string{"bs", "4k", "iodepth", "1"}, labels...)...)
		p.more[0] = assay.Measurement{Metric: "storage.write.iops.stddev", Value: deviation, Labels: map[string]string{"samples": samples, "mean": mean}}
		return told(assay.Facts{}, p)
	}
	checkForeign(t, []fires{
		{"cov", "a day of seconds", spread("86000", "1000", 400, 86000), "I", "40.0 % over 86000 samples"},
		{"cov", "twenty minutes", spread("2400", "1000", 600, 1200), "W", "60.0 %"},
		{"cov", "a minute", spread("120", "1000", 600, 60), "E", "60.0 %"},
		{"cov", "by the samples' own mean", spread("120", "800", 300, 60), "E", "300 / 800 = 37.5 %"},
		{"cov", "a deviation of one job of four, whose means were added up", spread("480", "1000", 60, 60, "jobs", "4"), "W", "60.0 / 250 of one job / sqrt(4 jobs) = 12.0 %"},
		{"cov", "and whose means were not", spread("480", "250", 60, 60, "jobs", "4"), "W", "= 12.0 %"},
		{"cov", "steady in sum", spread("480", "1000", 40, 60, "jobs", "4"), "", ""},
	})
}

// Every known bug cites its source.
func TestKnownBugsHaveSources(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range knownBugs {
		if b.id == "" || b.tool == "" || b.versions == "" || b.what == "" || b.source == "" || seen[b.id] {
			t.Errorf("%+v lacks a part, or is there twice", b)
		}
		seen[b.id] = true
	}
}

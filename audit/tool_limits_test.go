package audit

import (
	"testing"

	"assay"
)

func printedBy(tool string, metrics ...string) Evidence {
	var e Evidence
	for _, metric := range metrics {
		described, _ := assay.Describe(metric)
		e.Results = append(e.Results, assay.Result{
			Trial: assay.Trial{ID: "f:1 " + tool + " " + metric, Probe: tool, From: "f:1"},
			Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
				{Metric: metric, Value: 1e6, Unit: described.Unit, Labels: map[string]string{"tool": tool}, Line: 1},
			}}},
		})
	}
	return e
}

// since is a report of zpool iostat that covers what observed says.
func since(observed string) Evidence {
	e := printedBy("zpool-iostat", "storage.read.iops")
	e.Results[0].Repeats[0].Measurements[0].Labels["observed"] = observed
	return e
}

func TestToolLimits(t *testing.T) {
	checkForeign(t, []fires{
		{"tool-limits", "the page cache", printedBy("hdparm", "memory.read.bandwidth"), "W", "hdparm -T reads the page cache"},
		{"tool-limits", "the beginning of a drive", printedBy("hdparm", "storage.read.bandwidth"), "I", "hdparm -t reads the beginning"},
		{"tool-limits", "flushes", printedBy("pveperf", "storage.sync.iops"), "I", "FSYNCS/SECOND"},
		{"tool-limits", "half reads, half writes", printedBy("yabs", "storage.write.iops"), "I", "2 GiB"},
		{"tool-limits", "an SLC cache", printedBy("crystaldiskmark", "storage.write.bandwidth"), "I", "SLC cache"},
		{"tool-limits", "the page cache, one at a time", printedBy("bonnie++", "storage.read.bandwidth"), "I", "twice the RAM"},
		{"tool-limits", "one flow", printedBy("netperf", "net.tcp.throughput"), "I", "one TCP or UDP flow"},
		{"tool-limits", "a mean since import", since("since import"), "I", "idle hours included"},
		{"tool-limits", "an interval", since("2 intervals"), "I", "in that time"},
		{"tool-limits", "a tool that needs no footnote", printedBy("fio", "storage.read.iops"), "", ""},
		{"tool-limits", "nothing but a duration", printedBy("hdparm", "tool.duration"), "", ""},
		{"tool-limits", "no tool", printedBy("", "storage.read.iops"), "", ""},
	})
}

// Each limit of a tool is reported once per output.
func TestToolLimitsAreSaidOnce(t *testing.T) {
	found := toolLimitsRule.Check(printedBy("pveperf", "storage.read.bandwidth", "storage.sync.iops", "storage.read.bandwidth", "storage.sync.iops"))
	if len(found) != 2 {
		t.Errorf("%d findings: %+v", len(found), found)
	}
}

package assay

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	for name, unit := range map[string]Unit{
		"storage.read.iops": PerSecond, "storage.write.latency.p99_9": Seconds, "storage.trim.latency.p50": Seconds,
		"memory.read.bandwidth": BytesPerSecond, "smart.power_on_hours": Seconds,
	} {
		if m, ok := Describe(name); !ok || m.Unit != unit || m.Name != name {
			t.Errorf("Describe(%s) = %+v, %v; want unit %s", name, m, ok, unit)
		}
	}
	for _, name := range []string{"", "storage.read", "storage.read.latency.p101", "storage.read.latency.pfast", "cpu.latency.p99x", "disk.latency.p50"} {
		if m, ok := Describe(name); ok {
			t.Errorf("%q is known as %+v", name, m)
		}
	}
}

func TestPercentileNames(t *testing.T) {
	for p, name := range map[float64]string{50: "x.latency.p50", 99.9: "x.latency.p99_9", 99.99: "x.latency.p99_99"} {
		if got := PercentileMetric("x.", p); got != name {
			t.Errorf("PercentileMetric(%v) = %s, want %s", p, got, name)
		}
		if got, ok := Percentile(name); !ok || got != p {
			t.Errorf("Percentile(%s) = %v, %v", name, got, ok)
		}
	}
}

// doc/metrics.md is the vocabulary for people; this keeps it true.
func TestMetricsAreDocumented(t *testing.T) {
	b, err := os.ReadFile("doc/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		b = withTables(b)
		if err := os.WriteFile("doc/metrics.md", b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range Metrics {
		better := map[Better]string{Higher: "higher", Lower: "lower", Neither: ""}[m.Better]
		line := fmt.Sprintf("| `%s` | %s | %s | %s |", m.Name, m.Unit, better, m.Help)
		if !strings.Contains(string(b), line) {
			t.Errorf("doc/metrics.md lacks the line\n%s", line)
		}
	}
	if rows := strings.Count(string(b), "\n| `"); rows != len(Metrics) {
		t.Errorf("doc/metrics.md has %d metrics, the vocabulary %d", rows, len(Metrics))
	}
}

var update = flag.Bool("update", false, "write the tables of doc/metrics.md")

// withTables replaces the rows of the two tables: figures, then support.
func withTables(doc []byte) []byte {
	var rows [2]strings.Builder
	for _, m := range Metrics {
		i := 0
		if m.Support {
			i = 1
		}
		fmt.Fprintf(&rows[i], "| `%s` | %s | %s | %s |\n", m.Name, m.Unit, map[Better]string{Higher: "higher", Lower: "lower", Neither: ""}[m.Better], m.Help)
	}
	var out strings.Builder
	table := -1
	for line := range strings.Lines(string(doc)) {
		switch {
		case strings.HasPrefix(line, "| ---"):
			out.WriteString(line)
			if table++; table < len(rows) {
				out.WriteString(rows[table].String())
			}
		case table >= len(rows) || !strings.HasPrefix(line, "| `"):
			out.WriteString(line)
		}
	}
	return []byte(out.String())
}

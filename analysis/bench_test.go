package analysis_test

import (
	"syscall"
	"testing"
	"time"

	"assay/analysis"
	"assay/lab/bench/workload"
)

// BenchmarkClusterOf64 analyses 64 hosts and 4,032 links, each with a path MTU, round
// trips and a throughput of three repeats. It reports the CPU time of all threads, which
// depends less on other load than wall-clock time does.
func BenchmarkClusterOf64(b *testing.B) {
	const hosts = 64
	run := workload.Cluster(hosts)
	b.ReportAllocs()
	before := cpuTime(b)
	for b.Loop() {
		found := analysis.Of(run)
		if len(found.Side.Networks) != 4 || len(found.Side.Networks[0].Hosts) != hosts || len(found.Outliers) != 2 {
			b.Fatalf("%d matrices, outliers %+v", len(found.Side.Networks), found.Outliers)
		}
	}
	b.ReportMetric(float64((cpuTime(b)-before).Milliseconds())/float64(b.N), "cpu-ms/op")
}

// cpuTime returns the CPU time used by this process.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

package analysis_test

import (
	"testing"

	"assay/analysis"
	"assay/lab/bench/workload"
)

// BenchmarkClusterOf64 is the analysis of 64 hosts and 4,032 links, each with a path
// MTU, round trips and a throughput of three repeats.
func BenchmarkClusterOf64(b *testing.B) {
	const hosts = 64
	run := workload.Cluster(hosts)
	b.ReportAllocs()
	for b.Loop() {
		found := analysis.Of(run)
		if len(found.Side.Networks) != 4 || len(found.Side.Networks[0].Hosts) != hosts || len(found.Outliers) != 2 {
			b.Fatalf("%d matrices, outliers %+v", len(found.Side.Networks), found.Outliers)
		}
	}
}

package report_test

import (
	"testing"

	"assay/lab/bench/workload"
	"assay/report"
)

func BenchmarkBuildThousandMeasurements(b *testing.B) { build(b, workload.ThousandMeasurements) }

func BenchmarkBuildHundredThousandSamples(b *testing.B) { build(b, workload.HundredThousandSamples) }

func build(b *testing.B, z workload.Size) {
	run := workload.Run("r", 0, z)
	b.ReportAllocs()
	for b.Loop() {
		d := report.Build(run)
		points := 0
		for _, s := range d.Plots.Timeline {
			points += len(s.Points)
		}
		if want := z.Trials * z.Repeats * z.Samples; len(d.Sections) != 1 || len(d.Sections[0].Rows) != z.Trials || points != want {
			b.Fatalf("%d sections, %d points of %d", len(d.Sections), points, want)
		}
	}
}

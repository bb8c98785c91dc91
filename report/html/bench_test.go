package html

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"assay"
	"assay/report"
)

func BenchmarkThousandMeasurements(b *testing.B) {
	d := report.Document{Sections: []report.Section{{Title: "Storage"}}}
	for i := range 200 {
		d.Sections[0].Rows = append(d.Sections[0].Rows, report.Row{
			Trial: fmt.Sprint(i), Title: fmt.Sprintf("trial %d", i), Figures: storage("read", 1e4+float64(i), 4096, 1e-4, 2e-4, 3e-4, .01),
		})
	}
	benchmark(b, d)
}

func BenchmarkHundredThousandSamples(b *testing.B) {
	s := report.Series{Trial: "write", Title: "bandwidth", Unit: assay.BytesPerSecond}
	for i := range 100_000 {
		s.Points = append(s.Points, [2]float64{float64(i) / 10, 1e9 + 1e8*math.Sin(float64(i)/40)})
	}
	benchmark(b, report.Document{Sections: []report.Section{{Rows: []report.Row{{Trial: "write"}}}}, Plots: report.Plots{Timeline: []report.Series{s}}})
}

func benchmark(b *testing.B, d report.Document) {
	b.ReportAllocs()
	for b.Loop() {
		var out bytes.Buffer
		if err := Render(&out, report.Blocks(d)); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(out.Len())/1e3, "kB")
	}
}

package reporttest

import (
	"math"
	"strconv"

	"assay"
	"assay/report"
)

func plots() report.Plots {
	read, write := "fio/seqread-1m@"+dir, "fio/seqwrite-1m@"+dir
	spans := []report.Span{{From: 100, To: 105, Title: "warm-up", Warmup: true}, {From: 105, To: 135, Title: "repeats 1 to 6"}}
	clock := series("CPU clock", assay.Hertz, func(t float64) float64 { return 1.2e9 + 2.39e9*busy(t) })
	load := series("busy share of all CPUs", assay.One, busy)
	return report.Plots{
		Latency: []report.Curve{{Title: "4 KiB random read", Trial: "fio/randread-4k@" + dir, Count: 7290000,
			Points: [][2]float64{{50, 127e-6}, {90, 178e-6}, {99, 262e-6}, {99.9, 1.21e-3}, {99.99, 3.4e-3}}}},
		Timeline: []report.Series{
			{Title: "1 MiB sequential read", Trial: read, Unit: assay.BytesPerSecond, Spans: spans,
				Points: points(100, 135, func(t float64) float64 { return 3.2e9 + 4e7*math.Sin(t) })},
			{Title: "1 MiB sequential write", Trial: write, Unit: assay.BytesPerSecond, Spans: spans,
				Points: points(100, 135, func(t float64) float64 {
					if t < 122 {
						return 9.1e9 - 2e8*math.Cos(t)
					}
					return 2.9e9 + 3e8*math.Sin(t)
				})},
		},
		Heat: report.Heat{
			Temps: []report.Series{
				series("coretemp/Package id 0", assay.Celsius, func(t float64) float64 { return 49 + 26*busy(t) }),
				series("nvme/Composite", assay.Celsius, func(t float64) float64 { return 41 + 9*math.Sin(t/300) }),
			},
			Clock: &clock, Load: &load,
			Spans: []report.Span{{From: 0, To: 500, Title: "Storage"}, {From: 500, To: 700, Title: "CPU"}, {From: 700, To: 872, Title: "Memory"}},
		},
		Ceilings: []report.Bar{
			{Title: "1 MiB sequential read", Value: 3078 * (1 << 20), Unit: assay.BytesPerSecond,
				Ceiling: report.Ceiling{Name: "PCIe Gen3 x4", Value: 3.938e9, Share: .8196}},
			{Title: "1 MiB sequential write", Value: 7658 * (1 << 20), Unit: assay.BytesPerSecond, Rejected: true,
				Ceiling: report.Ceiling{Name: "PCIe Gen3 x4", Value: 3.938e9, Share: 2.039}},
		},
	}
}

// busy returns the share of busy CPU t seconds into the run.
func busy(t float64) float64 {
	switch {
	case t < 500:
		return .12 + .03*math.Sin(t/20)
	case t < 700:
		return .98
	default:
		return .4
	}
}

func series(title string, u assay.Unit, at func(float64) float64) report.Series {
	return report.Series{Title: title, Unit: u, Points: points(0, 872, at), Spans: []report.Span{}}
}

// points samples at forty times between two moments.
func points(from, to float64, at func(float64) float64) [][2]float64 {
	var out [][2]float64
	for i := range 40 {
		t := from + (to-from)*float64(i)/39
		out = append(out, [2]float64{math.Round(t*10) / 10, tidy(at(t))})
	}
	return out
}

// tidy rounds to five significant digits: a golden file must not depend on the
// last bit of a sine.
func tidy(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'e', 4, 64), 64)
	return v
}

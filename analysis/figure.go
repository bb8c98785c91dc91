package analysis

import (
	"fmt"
	"math"
	"strings"

	"assay"
	"assay/internal/quantity"
)

// Section is one table: storage, CPU, memory, health, temperature.
type Section struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Note  string `json:"note,omitempty"` // how it was measured, in one sentence
	Rows  []Row  `json:"rows"`
}

// Row is one trial, with its figures or with the reason why there are none.
type Row struct {
	Trial    string         `json:"trial"`
	Title    string         `json:"title"`
	Subject  string         `json:"subject"`
	Settings string         `json:"settings"` // as it happened: "io_uring, depth 32, 1 job, direct"
	Figures  []Figure       `json:"figures"`
	Absent   *assay.Absence `json:"absent,omitempty"`
	// Fewer says why not all repeats count: "3 of 6 repeats: pve3 went away", or
	// that one failed. "" where all do, or the time was too short for more.
	Fewer string `json:"fewer,omitempty"`
	Quick bool   `json:"quick,omitempty"` // a quick look: too short to settle an argument
}

// Figure is one number with its unit, its n and its spread.
type Figure struct {
	Metric  string     `json:"metric"`
	Label   string     `json:"label"` // column heading: IOPS, bandwidth, p99
	Value   float64    `json:"value"` // median over the repeats
	Low     float64    `json:"low"`   // interval of the median; equal to Value where N = 1
	High    float64    `json:"high"`
	Level   float64    `json:"level"` // confidence of the interval, .95; 0 where there is none
	N       int        `json:"n"`     // counted repeats
	Seconds float64    `json:"seconds"`
	Unit    assay.Unit `json:"unit"`
	Better  string     `json:"better"`            // higher, lower or ""
	Repeats []float64  `json:"repeats,omitempty"` // in the order of measurement
	// Footnotes are numbers of findings about this figure.
	Footnotes []int    `json:"footnotes,omitempty"`
	Rejected  bool     `json:"rejected,omitempty"` // a finding says it cannot be true
	Ceiling   *Ceiling `json:"ceiling,omitempty"`
}

// Ceiling is what physics allows.
type Ceiling struct {
	Name  string  `json:"name"`  // "PCIe Gen3 x4"
	Value float64 `json:"value"` // same unit as the figure
	Share float64 `json:"share"` // figure / ceiling
}

// Footnote is a finding with the number under which it is cited.
type Footnote struct {
	Number int `json:"number"`
	assay.Finding
}

// Count prints what a figure rests on: "n=6 × 5 s".
func Count(f Figure) string {
	if f.Seconds == 0 {
		return fmt.Sprintf("n=%d", f.N)
	}
	return fmt.Sprintf("n=%d × %s", f.N, quantity.Duration(f.Seconds))
}

// Spread prints the half-width of the interval as a share: "± 1.2 %", "" where
// there is no interval.
func Spread(f Figure) string {
	if f.Level == 0 || f.N < 2 || f.Value == 0 {
		return ""
	}
	half := math.Max(f.High-f.Value, f.Value-f.Low) / math.Abs(f.Value)
	if half > 1 {
		return "± > 100 %" // Interval says where from and where to
	}
	return "± " + quantity.Two(100*half) + " %"
}

// Believed gives a row's first figure whose metric ends so, unless the audit
// rejected it.
func Believed(r Row, suffix string) *Figure {
	for i, f := range r.Figures {
		if strings.HasSuffix(f.Metric, suffix) && !f.Rejected && r.Absent == nil {
			return &r.Figures[i]
		}
	}
	return nil
}

// Number prints a figure with its spread and n, as every number is.
func Number(f Figure) string {
	words := quantity.Of(f.Metric, f.Value)
	if s := Spread(f); s != "" {
		words += " " + s
	}
	return fmt.Sprintf("%s (n=%d)", words, f.N)
}

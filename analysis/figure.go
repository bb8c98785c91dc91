package analysis

import "assay"

// Section is one table: storage, CPU, memory, health, temperature.
type Section struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Note  string `json:"note,omitempty"` // how it was measured, in one sentence
	Rows  []Row  `json:"rows"`
}

// Row is one trial, with its figures or the reason why it has none.
type Row struct {
	Trial    string         `json:"trial"`
	Title    string         `json:"title"`
	Subject  string         `json:"subject"`
	Settings string         `json:"settings"` // as it happened: "io_uring, depth 32, 1 job, direct"
	Figures  []Figure       `json:"figures"`
	Absent   *assay.Absence `json:"absent,omitempty"`
	// Fewer is why not all repeats count: "3 of 6 repeats: pve3 went away", or
	// that one failed. It is "" if all count, or if there was no time for more. A
	// report words it from a Shortfall.
	Fewer string `json:"fewer,omitempty"`
	Quick bool   `json:"quick,omitempty"` // a quick look: too short to settle an argument
}

// RowID identifies a row of a run: a trial has two rows if data flowed both ways.
type RowID struct{ Trial, Title string }

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
	Scattered bool     `json:"-"`                  // it is rejected only because its repeats or seconds differ
	TooHot    bool     `json:"-"`                  // a drive's own verdict, against which only its temperature speaks
	Ceiling   *Ceiling `json:"ceiling,omitempty"`
}

// Ceiling is what physics allows.
type Ceiling struct {
	Name  string  `json:"name"`  // "PCIe Gen3 x4"
	Value float64 `json:"value"` // same unit as the figure
	Share float64 `json:"share"` // figure / ceiling
}

// Footnote is a finding with its citation number. Equal findings about one case on several
// hosts share a number.
type Footnote struct {
	Number int `json:"number"`
	assay.Finding
}

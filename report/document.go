package report

import (
	"fmt"
	"strings"
	"time"

	"assay"
	"assay/analysis"
)

// Schema names the version of Document's JSON form; schema.json describes it.
const Schema = "assay.report.v2"

// Document is the content of a report. All numbers are in base units; the
// voices choose prefixes.
type Document struct {
	Schema    string      `json:"schema"`
	Run       Header      `json:"run"`
	Verdict   []Sentence  `json:"verdict"`         // a few, the most important first
	Diagnoses []Diagnosis `json:"diagnoses"`       // what is at fault, of several hosts; the gravest first
	Fits      []Fit       `json:"fits,omitempty"`  // what the storage is good for
	Waits     []Wait      `json:"waits,omitempty"` // what uses wait for when they write; only where logs were measured
	// Waterfalls show where the time goes; JSON has them as blocks.
	Waterfalls []analysis.Waterfall `json:"-"`
	// Drives compares the overwritten drives; JSON has them as blocks.
	Drives   *analysis.Drives    `json:"-"`
	Purges   []analysis.Purge    `json:"-"`                 // what was done to them before; JSON has that as blocks, too
	Courses  []analysis.Course   `json:"-"`                 // what happened when; JSON has that as blocks, too
	Further  []Sentence          `json:"further,omitempty"` // what the verdict has no room for
	Away     []analysis.Away     `json:"away"`              // hosts that could not be queried, or were lost during the run
	Side     *Side               `json:"side,omitempty"`    // only where more than one host has figures
	Tiers    *Tiers              `json:"tiers,omitempty"`   // only where tiers of storage were measured
	Scaling  []Scaling           `json:"scaling,omitempty"` // only where several hosts measured at the same moment
	Known    *analysis.Known     `json:"known,omitempty"`   // only where a precision was wanted
	Sections []Section           `json:"sections"`
	Among    []Among             `json:"among"`    // headline figures among published ones; none where nothing was measured alike
	Findings []Footnote          `json:"findings"` // E before W before I; numbered from 1, what is found of several hosts alike with one number
	Open     []assay.Finding     `json:"open"`     // rules that lacked a fact
	Facts    []FactGroup         `json:"facts"`
	Missing  []assay.MissingFact `json:"missing"`
	Plots    Plots               `json:"plots"`
}

// Header identifies the run.
type Header struct {
	ID      string          `json:"id"`
	Suite   string          `json:"suite"`
	Hosts   []string        `json:"hosts"` // that were measured
	Started time.Time       `json:"started"`
	Elapsed float64         `json:"elapsed"` // s
	Budget  float64         `json:"budget"`  // s
	Status  assay.RunStatus `json:"status"`
	Seed    int64           `json:"seed"`
	Version string          `json:"version"` // of assay
	Notes   []assay.Note    `json:"notes"`
	// Labels are the labels that the user gave the run, Remarks what was
	// written about it.
	Labels  []Fact         `json:"labels,omitempty"` // by their names
	Remarks []assay.Remark `json:"remarks,omitempty"`
}

// On names the measured hosts, or the first few of many: "pve1, pve2".
func (h Header) On() string {
	const most = 8
	if len(h.Hosts) <= most {
		return strings.Join(h.Hosts, ", ")
	}
	return fmt.Sprintf("%s and %d more hosts", strings.Join(h.Hosts[:most-1], ", "), len(h.Hosts)-most+1)
}

// Sentence is one plain sentence of the verdict.
type Sentence struct {
	Kind string `json:"kind"` // good, bad, limit, doubt, note, next
	Text string `json:"text"`
}

// FactGroup is a few facts under one heading.
type FactGroup struct {
	Title string `json:"title"`
	Rows  []Fact `json:"rows"`
}

// Fact is one line about the machine.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Plots holds the data of the plots.
type Plots struct {
	Latency  []Curve  `json:"latency"`
	Timeline []Series `json:"timeline"`
	Heat     Heat     `json:"heat"`
	Ceilings []Bar    `json:"ceilings"`
}

// Curve is latency by percentile over all counted repeats.
type Curve struct {
	Title  string       `json:"title"`
	Trial  string       `json:"trial"`
	Points [][2]float64 `json:"points"` // percentile 0..100, s; rising
	Count  int64        `json:"count"`  // operations in it
}

// Series is one quantity over time.
type Series struct {
	Title  string       `json:"title"`
	Trial  string       `json:"trial,omitempty"`
	Unit   assay.Unit   `json:"unit"`
	Points [][2]float64 `json:"points"` // s since the run began, value
	Spans  []Span       `json:"spans"`  // the repeats it was measured in
}

// Span is a stretch of time.
type Span struct {
	From   float64 `json:"from"` // s since the run began
	To     float64 `json:"to"`
	Title  string  `json:"title,omitempty"`
	Warmup bool    `json:"warmup,omitempty"` // not counted
}

// Heat is what the watch recorded throughout the run.
type Heat struct {
	Temps []Series `json:"temps"`
	Clock *Series  `json:"clock,omitempty"`
	Load  *Series  `json:"load,omitempty"` // busy share of all CPUs, 0..1
	Spans []Span   `json:"spans"`          // which trial ran when
}

// Bar is a figure beside its physical ceiling.
type Bar struct {
	Title    string     `json:"title"`
	Value    float64    `json:"value"`
	Unit     assay.Unit `json:"unit"`
	Ceiling  Ceiling    `json:"ceiling"`
	Rejected bool       `json:"rejected,omitempty"`
}

// sumsUp reports whether a section covers so many links that its rows read
// better as matrices; the voices for people then summarise them.
func (d Document) sumsUp(s Section) bool {
	return s.ID == "network" && d.Side != nil && len(d.Side.Networks) > 0 && len(s.Rows) > analysis.ReadSingly
}

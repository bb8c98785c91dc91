package compare

import (
	"assay"
)

// Schema names the version of Comparison's JSON form.
const Schema = "assay.compare.v1"

// Column is one side of a comparison: the results that make it up.
type Column struct {
	Name  string // as given by user
	Picks []Pick
	// Metric selects the metrics to compare; nil for the headline ones.
	Metric func(name string) bool
}

// Pick is one result with its run.
type Pick struct {
	Run    *assay.Run
	Result *assay.Result
}

// Options select what is compared.
type Options struct {
	All    bool // every figure with a better and a worse, not only headlines
	Unlike bool // also compare results with other settings
}

// Comparison is the full comparison of some columns. All numbers are in base
// units.
type Comparison struct {
	Schema  string   `json:"schema"`
	Columns []Head   `json:"columns"` // the first is the base
	Rows    []Row    `json:"rows"`
	Refused []Row    `json:"refused"` // unlike settings: shown with what differs, never judged
	Lone    []Lone   `json:"lone"`    // what has no partner
	Notes   []string `json:"notes"`
	Order   []Order  `json:"order"` // of each column but the base
	Tests   int      `json:"tests"` // how many p values were corrected together
}

// Head describes a column.
type Head struct {
	Name  string   `json:"name"`
	Runs  []string `json:"runs"`  // ids, in the order of their time
	Hosts []string `json:"hosts"` // that have a result in it
}

// Row is one figure across all columns.
type Row struct {
	Probe     string            `json:"probe"`
	Case      string            `json:"case"`
	Title     string            `json:"title"`
	Kind      assay.SubjectKind `json:"kind"`
	Subject   string            `json:"subject,omitempty"`   // where several of the kind are compared: which
	Told      bool              `json:"-"`                   // Title names the subject
	Direction string            `json:"direction,omitempty"` // reverse, of a link on which data flowed both ways
	Metric    string            `json:"metric"`
	Unit      assay.Unit        `json:"unit"`
	Better    string            `json:"better"` // higher, lower or ""
	Cells     []*Cell           `json:"cells"`  // one for each column; null where it has none
	// Settings are differences in how it was measured, Facts in what it was
	// measured on.
	Settings []Difference `json:"settings"`
	Facts    []Difference `json:"facts"`
}

// Cell is a figure in one column.
type Cell struct {
	Trials  []string  `json:"trials"` // their ids, each once
	Runs    []string  `json:"runs"`
	Median  float64   `json:"median"`
	Low     float64   `json:"low"` // interval of the median; equal to it where there is none
	High    float64   `json:"high"`
	Level   float64   `json:"level"` // confidence of the interval; 0 where there is none
	N       int       `json:"n"`
	Unit    string    `json:"of"` // what is counted: repeats, or runs
	Values  []float64 `json:"values"`
	Seconds float64   `json:"seconds"`           // length of a repeat, 0 unknown
	Against *Against  `json:"against,omitempty"` // the base; not there in the base itself
}

// Against relates a figure to the base's.
type Against struct {
	Verdict Verdict `json:"verdict"`
	Ratio   float64 `json:"ratio"` // to the base; 0 where there is none
	Low     float64 `json:"low"`   // interval of the ratio
	High    float64 `json:"high"`
	Level   float64 `json:"level"` // confidence of the interval; 0 where there is none
	P       float64 `json:"p"`     // of there being no difference
	Holm    float64 `json:"p_holm"`
	// More is roughly how many further repeats on each side would decide it; 0
	// if it is decided or cannot be estimated.
	More int `json:"more,omitempty"`
	// Likely reports whether the verdict rests on a model of how repeats spread:
	// see stats.LikelyAlpha. Holm is then the model's p, and Ratio has its
	// interval.
	Likely bool `json:"likely,omitempty"`
	// Why is the reason if undetermined.
	Why string `json:"why,omitempty"`
	// Difference replaces the ratio if a value is not above 0.
	Difference *Interval `json:"difference,omitempty"`
}

// Interval is an estimate in its figure's unit, with the range of the true
// value.
type Interval struct {
	Center float64 `json:"center"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Level  float64 `json:"level"` // 0: too few values for an interval
}

// Verdict is the outcome of a comparison.
type Verdict string

// The verdicts. Speeds are faster or slower, other figures better or worse, and
// those without a better direction higher or lower.
const (
	Faster       Verdict = "faster"
	Slower       Verdict = "slower"
	IsBetter     Verdict = "better"
	IsWorse      Verdict = "worse"
	IsHigher     Verdict = "higher"
	IsLower      Verdict = "lower"
	Equivalent   Verdict = "equivalent"
	Undetermined Verdict = "undetermined"
)

// Difference is something that differs between columns.
type Difference struct {
	Name   string   `json:"name"`
	Values []string `json:"values"` // one for each column; "" where it has no cell or says nothing
}

// Lone is a figure, or a whole trial, without a partner.
type Lone struct {
	Column int    `json:"column"` // from 0
	Trial  string `json:"trial"`
	Title  string `json:"title"`
	Metric string `json:"metric,omitempty"` // "": all of the trial
	Why    string `json:"why"`
	// Rejected is set if the audit rejected this very figure.
	Rejected bool `json:"rejected,omitempty"`
	// Run is the id of the run with the rejected figure.
	Run string `json:"-"`
}

// verdictOf names a difference; up means that the figure is greater than the
// base's.
func verdictOf(m assay.Metric, up bool) Verdict {
	words := [2]Verdict{IsLower, IsHigher}
	switch m.Unit {
	case assay.PerSecond, assay.BytesPerSecond, assay.BitsPerSecond, assay.Seconds, assay.Hertz:
		if m.Better != assay.Neither {
			words = [2]Verdict{Slower, Faster}
		}
	default:
		if m.Better != assay.Neither {
			words = [2]Verdict{IsWorse, IsBetter}
		}
	}
	if up == (m.Better != assay.Lower) {
		return words[1]
	}
	return words[0]
}

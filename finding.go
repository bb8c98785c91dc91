package assay

// Severity is the effect of a finding on a number.
type Severity string

// The severities, and the marker for a rule that could not be applied.
const (
	Rejects    Severity = "E" // the number cannot be what it claims to be
	Warns      Severity = "W" // the number needs its footnote
	Informs    Severity = "I" // good to know
	NotChecked Severity = "-" // a fact is missing; never a silent pass
)

// Finding is what one rule says about one subject's numbers.
type Finding struct {
	Rule       string   `json:"rule"`
	Severity   Severity `json:"severity"`
	Subject    string   `json:"subject"`           // a trial's id, or a host's name
	Metrics    []string `json:"metrics,omitempty"` // which figures of the trial it is about; none: all
	Arithmetic string   `json:"arithmetic"`        // with the numbers in it
	Message    string   `json:"message"`           // what it means
	Advice     string   `json:"advice,omitempty"`  // what to do next, with the command where there is one
	Missing    string   `json:"missing,omitempty"` // for NotChecked: the fact that would decide it
}

// ScatterRules are the audit rules that reject a figure for scatter: its repeats or
// seconds differ, but it can be true.
var ScatterRules = []string{"cov", "steady-state", "too-short"}

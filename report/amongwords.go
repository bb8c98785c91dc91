package report

import (
	"assay"
	"assay/analysis"
	"assay/internal/prose"
	"assay/internal/quantity"
	"assay/reference"
)

// Among ranks a figure among published ones.
type Among struct {
	Trial  string     `json:"trial"` // the first of those that the line is about
	Title  string     `json:"title"`
	Metric string     `json:"metric"`
	Low    float64    `json:"low"` // the least median that the line is about; equal to High for one figure
	High   float64    `json:"high"`
	Unit   assay.Unit `json:"unit"`
	N      int        `json:"n"` // figures that the line is about: as many hosts or links
	// Text says so, the figure first: "1.18k IOPS ± 3 % (n=6), like a consumer SSD …".
	Text string `json:"text"`
	// Apart says how the published ones were measured differently; "" if they were
	// not.
	Apart   string      `json:"apart,omitempty"`
	Nearest []Published `json:"nearest"` // what Text names, the lower one first
}

// Published is every figure published for one kind of thing.
type Published struct {
	Name    string   `json:"name"`
	Low     float64  `json:"low"`
	High    float64  `json:"high"`
	N       int      `json:"n"`               // figures
	Rated   bool     `json:"rated,omitempty"` // promised by vendors, not measured
	Sources []string `json:"sources"`         // titles; doc/reference.md has more
}

func amongOf(found []analysis.Among) []Among {
	var lines []Among
	for _, a := range found {
		say := func(v float64) string { return quantity.Of(a.Figure.Metric, v) }
		figure := Number(a.Figure)
		if a.N > 1 {
			figure = reference.Span(a.Low, a.High, say) + " on " + whereMeasured(a)
		}
		line := Among{
			Trial: a.Trial.ID, Title: a.Title, Metric: a.Figure.Metric, Low: a.Low, High: a.High, Unit: a.Figure.Unit, N: a.N,
			Text: figure + ", " + a.Place.Words(say), Apart: a.Place.Difference(),
		}
		for _, c := range a.Place.Nearest() {
			line.Nearest = append(line.Nearest, Published{Name: c.Name, Low: c.Low, High: c.High, N: c.N, Rated: c.Rated, Sources: c.Titles})
		}
		lines = append(lines, line)
	}
	return lines
}

// whereMeasured names the hosts of figures, or counts their links or subjects.
func whereMeasured(a analysis.Among) string {
	switch {
	case a.Trial.Subject.Kind == assay.KindLink:
		return prose.Plural(a.N, "link")
	case len(a.Hosts) == 0:
		return prose.Plural(a.N, "subject")
	}
	return prose.Few(a.Hosts)
}

package laptop

import (
	"strings"

	"assay/analysis"
	"assay/report"
)

// Measured reports whether a row has real figures, each from at least one
// repeat. It ignores scatter, which hosts that share a CPU have.
func Measured(r report.Row) bool {
	for _, f := range r.Figures {
		if f.N < 1 || f.Value < 0 {
			return false
		}
	}
	return len(r.Figures) > 0 && r.Figures[0].Value > 0
}

// RowsOf returns the rows of a case on a host, or of all cases for "".
func RowsOf(d report.Document, name, host string) []report.Row {
	var found []report.Row
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			if strings.Contains(r.Trial, "@"+host+"/") && (name == "" || strings.Contains(r.Trial, "/"+name+"@")) {
				found = append(found, r)
			}
		}
	}
	return found
}

// FiguresOf returns the figures, by metric, of the trials whose id ends in
// trial.
func FiguresOf(d report.Document, trial string) map[string]analysis.Figure {
	all := map[string]analysis.Figure{}
	for _, s := range d.Sections {
		for _, row := range s.Rows {
			if strings.HasSuffix(row.Trial, "@"+trial) {
				for _, f := range row.Figures {
					all[f.Metric] = f
				}
			}
		}
	}
	return all
}

// InShort returns a report in short: its notes, the caller's extra lines, and its
// rows.
func InShort(d report.Document, more string) string {
	var b strings.Builder
	for _, n := range d.Run.Notes {
		b.WriteString("note " + n.Text + "\n")
	}
	b.WriteString(more)
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			b.WriteString(r.Trial + " ")
			switch {
			case r.Absent != nil:
				b.WriteString(string(r.Absent.Word) + ": " + r.Absent.Why)
			case Measured(r):
				b.WriteString("measured")
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Holds reports whether a text contains all words.
func Holds(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

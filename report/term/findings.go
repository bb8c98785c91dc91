package term

import (
	"io"

	"assay/report"
)

// WriteFindings prints only what the audit said of a run. The error is w's.
func WriteFindings(w io.Writer, d report.Document, o Options) error {
	p := newPage(o)
	p.head(d.Run)
	p.footnotes(d)
	if len(d.Findings) == 0 {
		p.put()
		p.say("No rule found anything to say.", "", green)
	}
	p.unchecked(d)
	_, err := w.Write(p.Bytes())
	return err
}

// Wrap breaks a text into lines of at most that many columns.
func Wrap(s string, columns int) []string { return wrap(clean(s), columns) }

package faults

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"assay/report"
)

// The exit statuses that faults have.
const (
	fine        = 0
	failed      = 1
	usage       = 2
	partial     = 5
	interrupted = 130
)

func (o outcome) expectExit(want int) {
	o.t.Helper()
	if o.exit != want {
		o.t.Errorf("exit status %d after %s, want %d; assay said\n%s\nrows:\n%s", o.exit, o.took, want, brief(o.said), rows(o.doc))
	}
}

// brief cuts what assay said into lines that can be read.
func brief(said string) string {
	const most = 300
	var b strings.Builder
	for l := range strings.Lines(said) {
		if len(l) > most {
			l = l[:most] + "…\n"
		}
		b.WriteString(l)
	}
	return b.String()
}

// rows is a report in short.
func rows(d report.Document) string {
	var b strings.Builder
	for _, n := range d.Run.Notes {
		b.WriteString("note " + n.Text + "\n")
	}
	for _, f := range d.Findings {
		if f.Severity == "E" {
			b.WriteString("rejected " + f.Rule + " " + f.Arithmetic + "\n")
		}
	}
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			b.WriteString(r.Trial + " ")
			switch {
			case r.Absent != nil:
				b.WriteString(string(r.Absent.Word) + ": " + r.Absent.Why)
			case measured(r):
				b.WriteString("measured")
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// measured says whether a row has real figures, each of at least one repeat.
// That hosts which share a CPU scatter is another matter.
func measured(r report.Row) bool {
	for _, f := range r.Figures {
		if f.N < 1 || f.Value < 0 {
			return false
		}
	}
	return len(r.Figures) > 0 && r.Figures[0].Value > 0
}

// rowsOf gives the rows of the trial on a host of a case, or of all cases for "".
func rowsOf(d report.Document, name, at string) []report.Row {
	var found []report.Row
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			if strings.Contains(r.Trial, "@"+at+"/") && (name == "" || strings.Contains(r.Trial, "/"+name+"@")) {
				found = append(found, r)
			}
		}
	}
	return found
}

// expectFigures fails where not all rows of hosts have figures.
func (o outcome) expectFigures(at ...string) {
	o.t.Helper()
	for _, host := range at {
		expectFigures(o.t, o.doc, rowsOf(o.doc, "", host), host)
	}
}

func expectFigures(t *testing.T, d report.Document, found []report.Row, what string) {
	t.Helper()
	if len(found) == 0 {
		t.Errorf("no row of %s among\n%s", what, rows(d))
	}
	for _, r := range found {
		if !measured(r) {
			t.Errorf("%s has no figure: absent %+v, figures %+v", r.Trial, r.Absent, r.Figures)
		}
	}
}

// linkRows gives the rows of one direction of the storage network.
func linkRows(d report.Document, from, to string) []report.Row {
	var found []report.Row
	for _, r := range rowsOf(d, "", from) {
		if strings.HasSuffix(r.Trial, "/storage:"+to) {
			found = append(found, r)
		}
	}
	return found
}

// expectLink fails where one direction of a link has no figure.
func (o outcome) expectLink(from, to string) {
	o.t.Helper()
	expectFigures(o.t, o.doc, linkRows(o.doc, from, to), from+" to "+to)
}

// expectSaid fails where the report does not say in one statement about a host,
// in JSON and as text, why something is missing.
func (o outcome) expectSaid(host string, words ...string) {
	o.t.Helper()
	words = append([]string{host}, words...)
	said := false
	all := o.statements()
	for _, s := range all {
		said = said || holds(s, words)
	}
	if !said {
		o.t.Errorf("nowhere in JSON does it say %q:\n%s", words, strings.Join(all, "\n"))
	}
	if !holds(o.text, words) {
		o.t.Errorf("the text does not say %q:\n%s", words, o.text)
	}
}

func holds(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// statements are what the report says of what is missing or odd: each note, and
// whatever has a reason why it is absent, with all words that go along with it.
func (o outcome) statements() []string {
	var all []string
	for _, n := range o.doc.Run.Notes {
		all = append(all, n.Text)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if v["absent"] != nil || v["fewer"] != nil {
				all = append(all, strings.Join(words(v), "; "))
				return
			}
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(v[k])
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(read[map[string]any](o.t, o.result))
	return all
}

// words are all words in a JSON value.
func words(v any) []string {
	var all []string
	switch v := v.(type) {
	case string:
		all = append(all, v)
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			all = append(all, words(v[k])...)
		}
	case []any:
		for _, x := range v {
			all = append(all, words(x)...)
		}
	}
	return all
}

// figure gives a figure of the only trial of a host.
func (o outcome) figure(host, metric string) float64 {
	for _, r := range rowsOf(o.doc, "", host) {
		for _, f := range r.Figures {
			if f.Metric == metric {
				return f.Value
			}
		}
	}
	return 0
}

// expectLikeEachOther fails where one of two hosts that are alike has more than
// twice the other's figure.
func (o outcome) expectLikeEachOther(metric, one, other string) {
	o.t.Helper()
	a, b := o.figure(one, metric), o.figure(other, metric)
	if !(a > 0 && b > 0 && a < 2*b && b < 2*a) {
		o.t.Errorf("%s: %g on %s and %g on %s", metric, a, one, b, other)
	}
}

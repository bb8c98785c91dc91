package faults

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"assay/lab/internal/laptop"
	"assay/report"
)

// Exit statuses of runs with faults.
const (
	fine        = 0
	rejected    = 3
	failed      = 1
	usage       = 2
	partial     = 5
	interrupted = 130
)

func (o outcome) expectExit(want int) {
	o.t.Helper()
	if o.Exit != want {
		o.t.Errorf("exit status %d after %s, want %d; assay said\n%s\nrows:\n%s", o.Exit, o.Took, want, laptop.Brief(o.Said), rows(o.doc))
	}
}

// expectMeasured expects a run that ended well. On a busy machine the audit may
// rightly reject a figure; that is not the fault under test.
func (o outcome) expectMeasured() {
	o.t.Helper()
	if o.Exit != rejected {
		o.expectExit(fine)
	}
}

// rows summarises a report.
func rows(d report.Document) string {
	var b strings.Builder
	for _, f := range d.Findings {
		if f.Severity == "E" {
			b.WriteString("rejected " + f.Rule + " " + f.Arithmetic + "\n")
		}
	}
	return laptop.InShort(d, b.String())
}

// expectFigures fails unless all rows of these hosts have figures.
func (o outcome) expectFigures(at ...string) {
	o.t.Helper()
	for _, host := range at {
		expectFigures(o.t, o.doc, laptop.RowsOf(o.doc, "", host), host)
	}
}

func expectFigures(t testing.TB, d report.Document, found []report.Row, what string) {
	t.Helper()
	if len(found) == 0 {
		t.Errorf("no row of %s among\n%s", what, rows(d))
	}
	for _, r := range found {
		if !laptop.Measured(r) {
			t.Errorf("%s has no figure: absent %+v, figures %+v", r.Trial, r.Absent, r.Figures)
		}
	}
}

// linkRows returns the rows of one direction of the storage network.
func linkRows(d report.Document, from, to string) []report.Row {
	var found []report.Row
	for _, r := range laptop.RowsOf(d, "", from) {
		if strings.HasSuffix(r.Trial, "/storage:"+to) {
			found = append(found, r)
		}
	}
	return found
}

// expectLink fails if one direction of a link has no figure.
func (o outcome) expectLink(from, to string) {
	o.t.Helper()
	expectFigures(o.t, o.doc, linkRows(o.doc, from, to), from+" to "+to)
}

// expectSaid fails unless a single statement about a host says why something is
// missing, both in JSON and as text.
func (o outcome) expectSaid(host string, words ...string) {
	o.t.Helper()
	words = append([]string{host}, words...)
	said := false
	all := o.statements()
	for _, s := range all {
		said = said || laptop.Holds(s, words)
	}
	if !said {
		o.t.Errorf("nowhere in JSON does it say %q:\n%s", words, strings.Join(all, "\n"))
	}
	if !laptop.Holds(o.text, words) {
		o.t.Errorf("the text does not say %q:\n%s", words, o.text)
	}
}

// statements returns what the report says about missing or odd results: each
// note, and everything absent with its reason and all related text.
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
	walk(laptop.Read[map[string]any](o.t, o.Result))
	return all
}

// words returns all words in a JSON value.
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

// figure returns a figure of a host's only trial.
func (o outcome) figure(host, metric string) float64 {
	for _, r := range laptop.RowsOf(o.doc, "", host) {
		for _, f := range r.Figures {
			if f.Metric == metric {
				return f.Value
			}
		}
	}
	return 0
}

// expectLikeEachOther fails if one of two identical hosts has more than twice
// the other's figure.
func (o outcome) expectLikeEachOther(metric, one, other string) {
	o.t.Helper()
	a, b := o.figure(one, metric), o.figure(other, metric)
	if !(a > 0 && b > 0 && a < 2*b && b < 2*a) {
		o.t.Errorf("%s: %g on %s and %g on %s", metric, a, one, b, other)
	}
}

package doc_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/incident"
	"assay/incident/alike"
	"assay/report/incidentview"
)

// learned are the files of incidents that assay diagnose compares texts with.
var learned = []string{"incidents/corpus.yaml", "incidents/learned.yaml"}

// ownNumber matches an index's own number for a text. Nobody else can look it up.
var ownNumber = regexp.MustCompile(` \(id \d+\)$`)

// TestKnownIncidents compares the incidents that assay knows with their source files.
func TestKnownIncidents(t *testing.T) {
	const file = "../incident/alike/known.json.gz"
	var all []alike.Termed
	seen := map[string]bool{}
	for _, name := range learned {
		for _, c := range incidents(t, name, seen) {
			all = append(all, alike.Termed{Incident: alike.Incident{ID: c.ID, Source: ownNumber.ReplaceAllString(c.Source, ""), Layers: c.Layers, Cause: c.Cause}, Terms: alike.Terms(c.log(t))})
		}
	}
	want, err := alike.Pack(all)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	is, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	known, err := alike.Unpack(is)
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := alike.Unpack(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, known); diff != "" {
		t.Errorf("%s is out of date: go test ./doc -run KnownIncidents -update\n%.2000s", file, diff)
	}
}

// shown counts how often known incidents are shown, and how often they had the right
// layer.
type shown struct{ texts, first, any int }

// nearest holds these counts by corpus: for all texts, and for those for which no rule
// names a cause.
type nearest map[string]*[2]shown

func (n nearest) count(corpus string, c incidentCase, o outcome, t *testing.T) {
	if n[corpus] == nil {
		n[corpus] = &[2]shown{}
	}
	near := incidentview.Known(alike.Known().Without(c.ID).Compare(c.log(t)).Nearest)
	if len(near) == 0 {
		return
	}
	same := func(m alike.Match) bool {
		return slices.ContainsFunc(m.Layers, func(l incident.Layer) bool { return slices.Contains(c.Layers, l) })
	}
	for i := range n[corpus] {
		if i == 1 && (o == right || o == wrong) {
			continue
		}
		s := &n[corpus][i]
		s.texts++
		if same(near[0]) {
			s.first++
		}
		if slices.ContainsFunc(near, same) {
			s.any++
		}
	}
}

func (n nearest) write(b *bytes.Buffer) {
	b.WriteString("\n| known incidents | shown for | the nearest had the layer to blame | one of three had | shown where rules name no cause | the nearest had it | one of three had |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, corpus := range corpora {
		all, open := n[corpus.name][0], n[corpus.name][1]
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d |\n", corpus.name, all.texts, all.first, all.any, open.texts, open.first, open.any)
	}
}

package incidents_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/incident"
	"assay/lab/incidents"
)

func TestJudge(t *testing.T) {
	drive := incidents.Kind{Name: "drive", Layers: []incident.Layer{incident.Drive}}
	open := incidents.Kind{Name: "open", Layers: []incident.Layer{incident.Drive, incident.Controller}}
	nothing := incidents.Kind{Name: "nothing"}
	cause := func(layer, host string) string {
		return `{"verdict": {"cause": {"layer": "` + layer + `", "host": "` + host + `", "says": "x"}}}`
	}
	const both = `{"verdict": {"between": [{"layer": "drive", "host": "a"}, {"layer": "controller or PCIe", "host": "a"}]}}`
	for _, c := range []struct {
		name    string
		kind    incidents.Kind
		printed string
		want    incidents.Outcome
	}{
		{"its layer", drive, cause("drive", "a"), incidents.Right},
		{"without a host", drive, cause("drive", ""), incidents.Right},
		{"on the other host", drive, cause("drive", "b"), incidents.Wrong},
		{"another layer", drive, cause("clock", "a"), incidents.Wrong},
		{"it and another", drive, both, incidents.Undecided},
		{"just those that are open", open, both, incidents.Right},
		{"one of those that are open", open, cause("controller or PCIe", "a"), incidents.Right},
		{"nothing", drive, `{"verdict": {}}`, incidents.Silent},
		{"nothing of nothing", nothing, `{"verdict": {}}`, incidents.Right},
		{"something of nothing", nothing, cause("drive", "a"), incidents.Wrong},
		{"perhaps something of nothing", nothing, both, incidents.Undecided},
	} {
		if got, said, err := incidents.Judge(c.kind, []byte(c.printed)); got != c.want || err != nil {
			t.Errorf("%s: %s (%s), %v, want %s", c.name, got, said, err, c.want)
		}
	}
	for _, text := range []string{"", "{}", "no JSON"} {
		if got, _, err := incidents.Judge(drive, []byte(text)); err == nil {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// A draw has every kind once before any repeats, and is reproducible.
func TestDrawn(t *testing.T) {
	drawn := func(seed uint64) (names []string) {
		for k := range incidents.Drawn(seed) {
			if names = append(names, k.Name); len(names) == 2*len(incidents.Kinds()) {
				break
			}
		}
		return names
	}
	names := drawn(7)
	half := slices.Clone(names[:len(names)/2])
	slices.Sort(half)
	if got := len(slices.Compact(half)); got != len(incidents.Kinds()) {
		t.Errorf("%d of %d kinds: %q", got, len(incidents.Kinds()), names)
	}
	if !slices.Equal(names, drawn(7)) || slices.Equal(names, drawn(8)) {
		t.Error("the seed does not tell the draw")
	}
	if _, err := incidents.Chosen("no-such"); err == nil {
		t.Error("there is a fault no-such")
	}
}

func TestTable(t *testing.T) {
	kind := func(name string) incidents.Kind {
		k, err := incidents.Chosen(name)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	text := incidents.Table([]incidents.Round{
		{Kind: kind("clock"), Outcome: incidents.Right, Took: 10 * time.Second},
		{Kind: kind("clock"), Outcome: incidents.Undecided, Said: "a drive", Took: 20 * time.Second},
		{Kind: kind("nothing"), Outcome: incidents.Right, Took: 5 * time.Second},
	})
	for _, want := range []string{
		"| a clock is an hour ahead | clock | 2 | 1 | 1 | 0 | 0 | 20 s |\n",
		"| nothing is broken | none | 1 | 1 | 0 | 0 | 0 | 5 s |\n",
		"| all |  | 3 | 2 | 1 | 0 | 0 | 20 s |\n",
		"- clock: undecided: a drive\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

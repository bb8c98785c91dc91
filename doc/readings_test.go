package doc_test

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"go/format"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"assay/incident"
	"assay/incident/blame"
	"assay/internal/order"
)

// reading is the judgement of somebody who saw only an incident's lines, neither its thread
// nor the rules: the layer to bet on, and what to say if a wrong accusation is the worst
// outcome: one layer, several or none.
type reading struct {
	bet  incident.Layer
	said []incident.Layer
}

// alone reports whether only this layer was named.
func (r reading) alone(l incident.Layer) bool { return len(r.said) == 1 && r.said[0] == l }

// readings returns the readings of incidents/readings.tsv, by incident name.
func readings(t *testing.T) map[string]reading {
	t.Helper()
	text, err := os.ReadFile("incidents/readings.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := csv.NewReader(bytes.NewReader(text))
	lines.Comma = '\t'
	rows, err := lines.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]reading{}
	for _, row := range rows[1:] {
		r := reading{bet: incident.Layer(row[1])}
		if row[2] != "" {
			for _, l := range strings.Split(row[2], "|") {
				r.said = append(r.said, incident.Layer(l))
			}
		}
		for _, l := range append([]incident.Layer{r.bet}, r.said...) {
			if !slices.Contains(incident.Layers(), l) {
				t.Errorf("readings.tsv: %s: no layer %q", row[0], l)
			}
		}
		if _, twice := all[row[0]]; twice {
			t.Errorf("readings.tsv: %s is there twice", row[0])
		}
		all[row[0]] = r
	}
	return all
}

// byReaders counts the readers' judgements of texts that no rule was made from.
type byReaders struct {
	texts, bet  int             // texts, and bets on a layer that was to blame
	said        map[outcome]int // what they say
	alone, left map[outcome]int // rules' verdicts where readers named one layer, and where they did not
}

func (n *byReaders) count(c incidentCase, r reading, rules outcome) {
	if n.said == nil {
		n.said, n.alone, n.left = map[outcome]int{}, map[outcome]int{}, map[outcome]int{}
	}
	n.texts++
	if slices.Contains(c.Layers, r.bet) {
		n.bet++
	}
	switch {
	case len(r.said) == 0:
		n.said[silent]++
	case len(r.said) > 1:
		n.said[undecided]++
	case slices.Contains(c.Layers, r.said[0]):
		n.said[right]++
	default:
		n.said[wrong]++
	}
	if len(r.said) == 1 {
		n.alone[rules]++
	} else {
		n.left[rules]++
	}
}

func (n *byReaders) write(b *bytes.Buffer) {
	rules := map[outcome]int{}
	for _, o := range []outcome{right, undecided, wrong, silent} {
		rules[o] = n.alone[o] + n.left[o]
	}
	b.WriteString("\n| texts that no rule was made from | incidents | right | undecided | wrong | nothing said |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	for _, r := range []struct {
		name string
		n    map[outcome]int
	}{
		{"rules", rules}, {"readers, who may be undecided", n.said}, {"readers, who must bet", map[outcome]int{right: n.bet, wrong: n.texts - n.bet}},
		{"rules, where readers named one layer", n.alone}, {"rules, where they did not", n.left},
	} {
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |\n", r.name, r.n[right]+r.n[undecided]+r.n[wrong]+r.n[silent], r.n[right], r.n[undecided], r.n[wrong], r.n[silent])
	}
}

// finding is a layer that a rule blames, and the judgements of those who read the lines.
type finding struct {
	rule  string
	layer incident.Layer
	texts int
	alone int                    // named only this layer
	open  map[incident.Layer]int // named besides
}

// decides reports whether at least two of three readers named the layer alone. One more
// reader who did and one who didn't are added, so that a single text says little.
func (f finding) decides() bool { return 3*(f.alone+1) >= 2*(f.texts+2) }

// besides returns the two layers most often named besides, each by at least a quarter of
// the readers.
func (f finding) besides() []incident.Layer {
	all := slices.DeleteFunc(slices.Collect(maps.Keys(f.open)), func(l incident.Layer) bool { return 4*f.open[l] < f.texts })
	order.Stable(all, func(a, b incident.Layer) int { return cmp.Or(cmp.Compare(f.open[b], f.open[a]), cmp.Compare(a, b)) })
	return all[:min(len(all), 2)]
}

// TestReadings checks what incident/blame knows of readings against those of
// texts that rules are made from.
func TestReadings(t *testing.T) {
	read := readings(t)
	found := map[string]*finding{}
	seen := map[string]bool{}
	for _, file := range learned {
		for _, c := range incidents(t, file, seen) {
			cause := blame.Judge(c.log(t)).Cause
			r, ok := read[c.ID]
			if cause == nil || !ok {
				continue
			}
			key := cause.Rule + "\x00" + string(cause.Layer)
			if found[key] == nil {
				found[key] = &finding{rule: cause.Rule, layer: cause.Layer, open: map[incident.Layer]int{}}
			}
			f := found[key]
			f.texts++
			if r.alone(cause.Layer) {
				f.alone++
			}
			for i, l := range append(slices.Clone(r.said), r.bet) {
				if l != cause.Layer && !slices.Contains(r.said[:min(i, len(r.said))], l) {
					f.open[l]++
				}
			}
		}
	}
	var b bytes.Buffer
	b.WriteString("// Code generated by go test ./doc -run Readings -update, from doc/incidents/readings.tsv. DO NOT EDIT.\n\n" +
		"package blame\n\nimport (\n\"sync\"\n\n\"assay/incident\"\n)\n\n" +
		"// readings are what readers made of lines, by what a rule found in them.\nvar readings = sync.OnceValue(func() map[finding]reading {\nreturn map[finding]reading{\n")
	for _, key := range slices.Sorted(maps.Keys(found)) {
		f := found[key]
		var fields []string
		if f.decides() {
			fields = append(fields, "decides: true")
		}
		if open := f.besides(); len(open) > 0 {
			fields = append(fields, fmt.Sprintf("open: %#v", open))
		}
		fmt.Fprintf(&b, "{%q, %q}: {%s}, // %d of %d\n", f.rule, f.layer, strings.Join(fields, ", "), f.alone, f.texts)
	}
	b.WriteString("}\n})\n")
	want, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	const file = "../incident/blame/readings.go"
	is, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	switch {
	case bytes.Equal(is, want):
	case *update:
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is out of date: go test ./doc -run Readings -update", file)
	}
}

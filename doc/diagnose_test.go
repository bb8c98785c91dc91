package doc_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"assay/incident"
	"assay/incident/alike"
	"assay/incident/blame"
	"assay/incident/read"
)

var showUnseen = flag.Bool("unseen", false, "say how each incident that no rule was tuned on was judged")

// incidentCase is one incident of the corpus, judged by hand.
type incidentCase struct {
	ID     string           `yaml:"id"`
	Source string           `yaml:"source"`
	Added  string           `yaml:"added"` // the day, of those added since the others had been scored
	Layers []incident.Layer `yaml:"layers"`
	Cause  string           `yaml:"cause"`
	Lines  string           `yaml:"lines"`
}

// outcome is the verdict on an incident.
type outcome string

const (
	right     outcome = "right"
	undecided outcome = "undecided"
	wrong     outcome = "wrong"
	silent    outcome = "nothing said"
)

func (c incidentCase) log(t *testing.T) incident.Log {
	t.Helper()
	r := read.New()
	if err := r.Read(c.ID, "", strings.NewReader(c.Lines)); err != nil {
		t.Fatal(err)
	}
	return r.Log()
}

// judge returns the verdict on the incident, and whether it is only likely. The incident
// is not compared with itself.
func (c incidentCase) judge(t *testing.T) (outcome, string, bool) {
	t.Helper()
	log := c.log(t)
	v, _ := alike.Known().Without(c.ID).Weigh(blame.JudgePosted(log), log)
	switch {
	case v.Cause == nil && len(v.Between) == 0:
		return silent, "", false
	case v.Cause == nil:
		var words []string
		for _, b := range v.Between {
			words = append(words, string(b.Layer))
		}
		return undecided, strings.Join(words, " or "), false
	case slices.Contains(c.Layers, v.Cause.Layer):
		return right, string(v.Cause.Layer), v.Cause.How == blame.Likely
	default:
		return wrong, string(v.Cause.Layer), v.Cause.How == blame.Likely
	}
}

// corpora are the sets of incidents by how rules relate to them: rule authors looked at
// the tuned ones, but not at the unseen ones, where there are any.
var corpora = []struct{ name, file string }{{"tuned", "incidents/corpus.yaml"}, {"unseen", "incidents/unseen.yaml"}, {"second", "incidents/second.yaml"}, {"third", "incidents/third.yaml"}, {"fourth", "incidents/fourth.yaml"}, {"learned", "incidents/learned.yaml"}}

// incidents reads a file of incidents; seen holds the names of those already read.
func incidents(t *testing.T, file string, seen map[string]bool) []incidentCase {
	t.Helper()
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) && file != learned[0] {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var all []incidentCase
	if err := yaml.UnmarshalWithOptions(text, &all, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.ID == "" || seen[c.ID] || c.Source == "" || c.Cause == "" || c.Lines == "" || len(c.Layers) == 0 {
			t.Errorf("incident %q lacks something or is there twice", c.ID)
		}
		seen[c.ID] = true
		for _, l := range c.Layers {
			if !slices.Contains(incident.Layers(), l) {
				t.Errorf("%s: no layer %q", c.ID, l)
			}
		}
	}
	return all
}

// TestIncidents counts how often the verdict of assay diagnose is right, and
// checks doc/diagnose.md against it.
func TestIncidents(t *testing.T) {
	tally := map[string]map[outcome]int{}
	add := func(row string, o outcome) {
		if tally[row] == nil {
			tally[row] = map[outcome]int{}
		}
		tally[row][o]++
	}
	near, given, readers := nearest{}, readings(t), byReaders{}
	var misses []string
	seen := map[string]bool{}
	for _, corpus := range corpora {
		for _, c := range incidents(t, corpus.file, seen) {
			o, said, likely := c.judge(t)
			if o != right && (corpus.name == "tuned" || *showUnseen) {
				t.Logf("%s (%s): %s, %s; it was %v", c.ID, corpus.name, o, said, c.Layers)
			}
			add("texts "+corpus.name, o)
			if likely {
				add("likely "+corpus.name, o)
			}
			near.count(corpus.name, c, o, t)
			if r, ok := given[c.ID]; ok && !slices.Contains(learned, corpus.file) {
				readers.count(c, r, o)
			}
			add("layer "+string(c.Layers[0]), o)
			// Rule authors read the page, and must not learn about the other incidents from
			// it.
			if o == wrong && corpus.name == "tuned" {
				misses = append(misses, fmt.Sprintf("- %s: blames *%s*; it was *%s*: %s", c.ID, said, c.Layers[0], c.Cause))
			}
		}
	}
	var b bytes.Buffer
	row := func(name string, n map[outcome]int) {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", name, n[right]+n[undecided]+n[wrong]+n[silent], n[right], n[undecided], n[wrong], n[silent])
	}
	b.WriteString("| texts | incidents | right | undecided | wrong | nothing said |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	for _, corpus := range corpora {
		if n := tally["texts "+corpus.name]; n != nil {
			row(corpus.name, n)
		}
	}
	b.WriteString("\n")
	for _, corpus := range corpora {
		if n := tally["likely "+corpus.name]; n != nil {
			fmt.Fprintf(&b, "Of the verdicts on the %s texts, %d are no more than *likely*: %d right, %d wrong.\n", corpus.name, n[right]+n[wrong], n[right], n[wrong])
		}
	}
	near.write(&b)
	readers.write(&b)
	b.WriteString("\n| layer to blame | incidents | right | undecided | wrong | nothing said |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	for _, l := range incident.Layers() {
		if n := tally["layer "+string(l)]; n != nil {
			row(string(l), n)
		}
	}
	b.WriteString("\nWrong accusations of tuned texts:\n\n" + strings.Join(misses, "\n") + "\n")
	summary := map[outcome]int{}
	for _, how := range []blame.Sureness{blame.Likely, blame.VeryLikely} {
		var unseen blame.Record
		for _, corpus := range corpora {
			if slices.Contains(learned, corpus.file) {
				continue
			}
			n, all := tally["likely "+corpus.name], tally["texts "+corpus.name]
			if how == blame.Likely {
				unseen.Right, unseen.Wrong = unseen.Right+n[right], unseen.Wrong+n[wrong]
				continue
			}
			unseen.Right, unseen.Wrong = unseen.Right+all[right]-n[right], unseen.Wrong+all[wrong]-n[wrong]
			for o, texts := range all {
				summary[o] += texts
			}
		}
		if got := blame.Unseen(how); unseen != got {
			t.Errorf("blame.Unseen(%v) is %v, want %v: it is shown beside each verdict", how, got, unseen)
		}
	}
	holdPage(t, "diagnose.md", b.String())
	holdSummary(t, summary)
}

// holdSummary compares the page's introduction with the texts that no rule was made from.
func holdSummary(t *testing.T, n map[outcome]int) {
	t.Helper()
	page, err := os.ReadFile("diagnose.md")
	if err != nil {
		t.Fatal(err)
	}
	likely, surer := blame.Unseen(blame.Likely), blame.Unseen(blame.VeryLikely)
	share := func(r blame.Record) float64 { return 100 * float64(r.Right) / float64(r.Verdicts()) }
	words := strings.Join(strings.Fields(string(page)), " ")
	for _, want := range []string{
		fmt.Sprintf("names the right layer in %d of %d cases", n[right], n[right]+n[undecided]+n[wrong]+n[silent]),
		fmt.Sprintf("the wrong one in %d (", n[wrong]), fmt.Sprintf("stays undecided in %d and says nothing in %d.", n[undecided], n[silent]),
		fmt.Sprintf("is right in %.0f %% of cases, a *likely* one in %.0f %%.", share(surer), share(likely)),
	} {
		if !strings.Contains(words, want) {
			t.Errorf("diagnose.md should say %q", want)
		}
	}
}

// holdPage compares the text between two marks of a page, or writes it.
func holdPage(t *testing.T, file, want string) {
	t.Helper()
	const begin, end = "<!-- score: begin -->\n", "<!-- score: end -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	was, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no marks", file)
	}
	if was == want {
		return
	}
	if !*update {
		t.Errorf("%s is out of date: go test ./doc -update\n%s", file, want)
		return
	}
	if err := os.WriteFile(file, []byte(head+begin+want+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

package suite

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"assay"
)

//go:embed *.yaml
var files embed.FS

// Suite is a named list of cases with the time they are meant to take.
type Suite struct {
	Name  string `yaml:"name"`
	Title string `yaml:"title"`
	About string `yaml:"about"`
	Quick bool   `yaml:"quick"` // says of itself that it is a quick look
	// Tiers has it measure the tiers of a cluster.yaml, and nothing else of it.
	Tiers bool `yaml:"tiers"`
	// Cluster has it measure the hosts of a cluster.yaml and what is between them.
	Cluster bool `yaml:"cluster"`
	// Investigate has it measure what decides between causes, where its results leave
	// several open.
	Investigate bool          `yaml:"investigate"`
	Budget      time.Duration `yaml:"budget"`
	Repeats     int           `yaml:"repeats"`
	// Precision is how well figures are to be known, as a share of them; 0: there
	// are as many repeats as were planned.
	Precision float64      `yaml:"precision"`
	Cases     []assay.Case `yaml:"cases"`
}

// Names lists the suites.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the embedded directory cannot be missing
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	slices.Sort(names)
	return names
}

// All returns all suites, by name.
func All() (all []Suite, err error) {
	for _, name := range Names() {
		s, err := Load(name)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// Load returns the suite of that name. assay.ErrNotFound where there is none.
func Load(name string) (Suite, error) {
	if !slices.Contains(Names(), name) {
		return Suite{}, fmt.Errorf("suite %q: %w", name, assay.ErrNotFound)
	}
	b, err := files.ReadFile(path.Clean(name + ".yaml"))
	if err != nil {
		return Suite{}, err
	}
	return Parse(b, name+".yaml")
}

//go:embed extra/deciders.yaml
var deciders []byte

// Deciders are the cases that decide between causes: no run begins with them, and the
// clues of a hypothesis name them.
func Deciders() Suite {
	s, err := Parse(deciders, "deciders.yaml")
	if err != nil {
		panic(err) // what is embedded is tested
	}
	return s
}

// Parse reads a suite; name is for messages, which give line and column.
func Parse(b []byte, name string) (Suite, error) {
	var s Suite
	if err := yaml.UnmarshalWithOptions(b, &s, yaml.Strict()); err != nil {
		return Suite{}, fmt.Errorf("%s: %w", name, err)
	}
	seen := map[string]bool{}
	for i, c := range s.Cases {
		id := strings.Join(append([]string{c.Probe + "/" + c.Name}, c.Lend.Words()...), "+")
		switch {
		case c.Probe == "" || c.Name == "" || c.Title == "" || c.On == "":
			return Suite{}, fmt.Errorf("%s: case %d: probe, name, title and on are required", name, i+1)
		case seen[id]:
			return Suite{}, fmt.Errorf("%s: duplicate case %s", name, id)
		case c.Seconds < 0 || c.Shortest < 0 || c.Longest < 0 || c.Warmup < 0:
			return Suite{}, fmt.Errorf("%s: case %s: seconds cannot be negative", name, id)
		}
		seen[id] = true
	}
	if s.Precision < 0 || s.Precision >= 1 {
		return Suite{}, fmt.Errorf("%s: precision %v: use a fraction, as in 0.02", name, s.Precision)
	}
	if s.Name == "" || len(s.Cases) == 0 || s.Budget <= 0 || s.Repeats < 1 {
		return Suite{}, fmt.Errorf("%s: name, cases, budget and repeats are required", name)
	}
	return s, nil
}

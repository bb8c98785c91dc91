package suite

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"assay"
)

//go:embed *.yaml
var files embed.FS

// Suite is a named list of cases with the time they are meant to take.
type Suite struct {
	Name  string `json:"name" yaml:"name"`
	Title string `json:"title" yaml:"title"`
	About string `json:"about" yaml:"about"`
	Quick bool   `json:"quick" yaml:"quick"` // says of itself that it is a quick look
	// Tiers makes it measure the tiers of a cluster.yaml, and nothing else of
	// it.
	Tiers bool `json:"tiers" yaml:"tiers"`
	// Storage makes it measure the tiers of a cluster.yaml, or directories if there are
	// none.
	Storage bool `json:"storage" yaml:"storage"`
	// Cluster makes it measure the hosts of a cluster.yaml and what is between
	// them.
	Cluster bool `json:"cluster" yaml:"cluster"`
	// Investigate makes it measure what decides between causes if its results leave
	// several open.
	Investigate bool          `json:"investigate" yaml:"investigate"`
	Budget      time.Duration `json:"budget_ns" yaml:"budget"`
	Repeats     int           `json:"repeats" yaml:"repeats"`
	// Precision is the wanted precision of figures, as a share of them; 0: as
	// many repeats as planned.
	Precision float64      `json:"precision" yaml:"precision"`
	Cases     []assay.Case `json:"cases"`

	// where maps each case's words to its position: mine.yaml:12:5
	where map[string]string
}

// words identifies a case within a suite: a case may be lent its space in several ways.
func words(c assay.Case) string {
	return strings.Join(append([]string{c.Probe + "/" + c.Name}, c.Lend.Words()...), "+")
}

// Where returns the position of a case as FILE:LINE:COLUMN; "" if the suite was not
// read.
func (s Suite) Where(c assay.Case) string { return s.where[words(c)] }

// Names returns the names of the built-in suites.
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

// All returns the built-in suites, by name.
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

// Load returns the suite of that name, or assay.ErrNotFound.
func Load(name string) (Suite, error) {
	if !slices.Contains(Names(), name) {
		return Suite{}, fmt.Errorf("suite %q: %w", name, assay.ErrNotFound)
	}
	return new(reader).read(path.Clean(name + ".yaml"))
}

//go:embed extra/deciders.yaml
var deciders []byte

//go:embed extra/watch.yaml
var watch []byte

// Watch returns what assay watch measures in each round.
func Watch() Suite { return embedded(watch, "watch.yaml") }

// Deciders returns the cases that decide between causes: no run begins with them, and
// the clues of a hypothesis name them.
func Deciders() Suite { return embedded(deciders, "deciders.yaml") }

// embedded parses a suite that is part of the program and tested with it.
func embedded(text []byte, name string) Suite {
	s, err := Parse(text, name)
	if err != nil {
		panic(err) // a test parses all embedded files
	}
	return s
}

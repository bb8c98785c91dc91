package matrix

import (
	_ "embed" // the kinds
	"fmt"
	"regexp"
	"slices"

	"github.com/goccy/go-yaml"
)

// Way is the direction of a fault, as seen from its culprit.
type Way string

// The directions on a network and on a disk.
const (
	In    Way = "in"
	Out   Way = "out"
	Both  Way = "both"
	Read  Way = "read"
	Write Way = "write"
)

// Half says whether hypotheses may be tuned to a kind.
type Half string

// Kept kinds are not looked at while writing hypotheses.
const (
	Tuned Half = "tuned"
	Kept  Half = "kept"
)

// Kind is a kind of fault: what it does, and the right answers about it.
type Kind struct {
	Name    string   `yaml:"name"`
	Half    Half     `yaml:"-"`
	Says    string   `yaml:"says"`
	Layer   string   `yaml:"layer"`
	Planted bool     `yaml:"planted"` // a fact of it is made up
	OrPeer  bool     `yaml:"or-peer"` // its peer is as much to blame
	Of      string   `yaml:"of"`      // path, where it is of one way between two hosts
	Ways    []Way    `yaml:"way"`     // those it can have; none where it has no direction
	Causes  []string `yaml:"causes"`  // regular expressions: the words of a cause that is right

	// What it does, as sh scripts: see prelude.sh.
	Sends    string `yaml:"sends"`    // where packets of its way are sent, with DEV
	Receives string `yaml:"receives"` // where they arrive, with DEV
	Host     string `yaml:"host"`     // on the culprit
	Peer     string `yaml:"peer"`     // on another host, before
	Other    string `yaml:"other"`    // on all but the culprit
	Hot      bool   `yaml:"hot"`      // its sensor rises far under load
	Off      bool   `yaml:"off"`      // it is switched off

	// What is done to it from outside if it is a QEMU machine: see lab/faults/guests.
	Flaps bool `yaml:"flaps"` // its cable is pulled now and then
	IOPS  int  `yaml:"iops"`  // operations that its disk is allowed in a second
	Runs  int  `yaml:"runs"`  // the percentage of the time in which its processors run
}

// Is reports whether words name a right cause.
func (k Kind) Is(words string) bool {
	return slices.ContainsFunc(k.Causes, func(c string) bool { return regexp.MustCompile("(?i)" + c).MatchString(words) })
}

var (
	//go:embed tuned.yaml
	tuned []byte
	//go:embed kept.yaml
	kept []byte
)

// Kinds returns all kinds, in the order of their files.
func Kinds() ([]Kind, error) { return Parse(tuned, kept) }

// Parse reads the kinds of two files, the tuned and the kept half.
func Parse(tuned, kept []byte) ([]Kind, error) {
	var all []Kind
	for _, file := range []struct {
		half Half
		text []byte
	}{{Tuned, tuned}, {Kept, kept}} {
		some, err := read(file.half, file.text)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

func read(half Half, text []byte) (all []Kind, err error) {
	if err := yaml.UnmarshalWithOptions(text, &all, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%s.yaml: %w", half, err)
	}
	for i := range all {
		all[i].Half = half
	}
	return all, nil
}

// Named returns a kind by its name.
func Named(all []Kind, name string) (Kind, error) {
	i := slices.IndexFunc(all, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, fmt.Errorf("no kind of fault is called %q", name)
	}
	return all[i], nil
}

package zfs

import (
	"context"
	_ "embed" // the schema
	"errors"
	"fmt"
	"strings"

	"assay"
	"assay/internal/yamldoc"
	"assay/stacks/zfs"
	"assay/volume"
)

//go:embed schema.json
var schema string

// Describe returns the kind: a dataset or zvol, measured as root on its hosts.
func Describe() volume.Kind {
	return volume.Kind{
		Word: "zfs", Schema: schema,
		Where:  volume.Where{Hosts: true},
		New:    func() volume.Storage { return new(Storage) },
		Volume: func() assay.Volume { return New() },
	}
}

// Storage is a dataset as a tier configures it.
type Storage struct {
	Dataset       yamldoc.Label `yaml:"dataset"`
	Zvol          bool          `yaml:"zvol"`
	Existing      bool          `yaml:"existing"`
	Sync          yamldoc.Label `yaml:"sync"`
	Recordsize    yamldoc.Label `yaml:"recordsize"`
	Volblocksize  yamldoc.Label `yaml:"volblocksize"`
	Compression   yamldoc.Label `yaml:"compression"`
	Logbias       yamldoc.Label `yaml:"logbias"`
	Primarycache  yamldoc.Label `yaml:"primarycache"`
	DespiteHealth bool          `yaml:"despite_health"`
}

// set returns the settings that were asked for.
func (s *Storage) set() map[string]string {
	all := map[string]string{}
	for i, value := range []yamldoc.Label{s.Sync, s.Recordsize, s.Volblocksize, s.Compression, s.Logbias, s.Primarycache} {
		if value != "" {
			all[settings[i]] = string(value)
		}
	}
	return all
}

// Validate implements yamldoc.Validator.
func (s *Storage) Validate() error {
	switch {
	case s.Dataset == "":
		return errors.New("dataset: missing")
	case !zfs.ValidDataset(string(s.Dataset)):
		return errors.New("dataset: not a valid name of a pool or dataset")
	case s.Zvol && s.Existing:
		return errors.New("existing: an existing zvol is not overwritten; leave out existing or zvol")
	case s.Zvol && s.Recordsize != "":
		return errors.New("recordsize: a zvol has volblocksize")
	case !s.Zvol && s.Volblocksize != "":
		return errors.New("volblocksize: only a zvol has one; set zvol: true, or use recordsize")
	}
	for _, name := range settings {
		if value := s.set()[name]; value != "" {
			if _, err := canonical(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// Settings implements volume.Storage.
func (s *Storage) Settings() map[string]string {
	all := s.set()
	all["dataset"] = string(s.Dataset)
	if s.Zvol {
		all["zvol"] = "yes"
	}
	if s.Existing {
		all["existing"] = "yes"
	}
	return all
}

// Keys of a subject's Params; those of settings start with setPrefix.
const (
	paramDataset  = "dataset"
	paramZvol     = "zvol"
	paramExisting = "existing"
	paramDespite  = "despite_health"
	setPrefix     = "set."
)

// Path implements volume.Located: tiers that differ in a setting have different
// paths.
func (s *Storage) Path() string {
	words := []string{string(s.Dataset)}
	if s.Zvol {
		words = append(words, "zvol")
	}
	if s.Existing {
		words = append(words, "existing")
	}
	return strings.Join(append(words, assay.Way(s.set()).Words()...), " ")
}

// Subject implements volume.Storage.
func (s *Storage) Subject(volume.Client) (assay.Subject, error) {
	params := map[string]string{paramDataset: string(s.Dataset)}
	for key, on := range map[string]bool{paramZvol: s.Zvol, paramExisting: s.Existing, paramDespite: s.DespiteHealth} {
		if on {
			params[key] = "true"
		}
	}
	for name, value := range s.set() {
		params[setPrefix+name] = value
	}
	kind := assay.KindDirectory
	if s.Zvol {
		kind = assay.KindBlock
	}
	return assay.Subject{Kind: kind, Name: s.Path(), Params: params}, nil
}

// Check implements volume.Checker.
func (s *Storage) Check(_ context.Context, c volume.Clients) volume.Checkup {
	what := "health and free space of " + zfs.PoolOf(string(s.Dataset))
	if s.Existing && len(s.set()) > 0 {
		what += fmt.Sprintf(" (changes %s on %s for the run, then restores it)", strings.Join(assay.Way(s.set()).Words(), ", "), s.Dataset)
	}
	return volume.Checkup{Unasked: []string{what + ", asked from " + strings.Join(c.Hosts, ", ")}}
}

// Zvol returns a new zvol below a dataset, with the settings that it inherits.
func Zvol(dataset string) *Storage { return &Storage{Dataset: yamldoc.Label(dataset), Zvol: true} }

// ZvolSubject returns the subject of such a zvol on a host, for Reserve.
func ZvolSubject(dataset, host string) (assay.Subject, error) {
	s, err := Zvol(dataset).Subject(volume.Client{Host: host})
	s.ID, s.Host, s.Volume = host+"/"+string(s.Kind)+"/"+s.Name, host, Kind
	return s, err
}

package dir

import (
	"context"
	_ "embed" // the schema
	"strings"

	"assay"
	"assay/internal/yamldoc"
	"assay/volume"
)

//go:embed schema.json
var schema string

// Describe returns the kind: a directory of SSH hosts.
func Describe() volume.Kind {
	return volume.Kind{
		Word: "directory", Schema: schema,
		Where:  volume.Where{Hosts: true, Made: true},
		New:    func() volume.Storage { return new(Storage) },
		Volume: func() assay.Volume { return New() },
	}
}

// Storage is a directory as a tier names it.
type Storage struct{ Directory yamldoc.Path }

// ReadYAML reads a plain path.
func (s *Storage) ReadYAML(n yamldoc.Node) { s.Directory.ReadYAML(n) }

// Settings implements volume.Storage.
func (s *Storage) Settings() map[string]string {
	return map[string]string{"directory": s.Path()}
}

// Path implements volume.Located.
func (s *Storage) Path() string { return string(s.Directory) }

// Subject implements volume.Storage.
func (s *Storage) Subject(volume.Client) (assay.Subject, error) {
	return assay.Subject{Kind: assay.KindDirectory, Name: s.Path()}, nil
}

// Check implements volume.Checker: doctor checks hosts, not directories.
func (s *Storage) Check(_ context.Context, c volume.Clients) volume.Checkup {
	return volume.Checkup{Unasked: []string{s.Path() + " on " + strings.Join(c.Hosts, ", ")}}
}

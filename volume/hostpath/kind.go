package hostpath

import (
	"context"
	_ "embed" // the schema

	"assay"
	"assay/internal/yamldoc"
	"assay/stacks/kube"
	"assay/volume"
)

//go:embed schema.json
var schema string

// Describe returns the kind: a directory of a node.
func Describe() volume.Kind {
	return volume.Kind{
		Word: "hostpath", Schema: schema,
		Where:  volume.Where{Pods: true, Node: true},
		New:    func() volume.Storage { return new(Storage) },
		Volume: func() assay.Volume { return New() },
	}
}

// Storage is a directory of a node as a tier configures it.
type Storage struct{ Directory yamldoc.Path }

// ReadYAML reads a value that is only the path.
func (s *Storage) ReadYAML(n yamldoc.Node) { s.Directory.ReadYAML(n) }

// Settings implements volume.Storage.
func (s *Storage) Settings() map[string]string {
	return map[string]string{"directory": string(s.Directory)}
}

// Subject implements volume.Storage.
func (s *Storage) Subject(volume.Client) (assay.Subject, error) {
	return assay.Subject{Kind: assay.KindDirectory}, nil
}

// Attach implements kube.Attacher.
func (s *Storage) Attach(name, _ string) (kube.Attachment, error) {
	return Attach(Options{Path: string(s.Directory)}, name)
}

// Check implements volume.Checker: only a pod sees what its node has.
func (s *Storage) Check(context.Context, volume.Clients) volume.Checkup {
	return volume.Checkup{Unasked: []string{string(s.Directory)}}
}

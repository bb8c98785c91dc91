package ephemeral

import (
	_ "embed" // the schema

	"k8s.io/apimachinery/pkg/api/resource"

	"assay"
	"assay/stacks/kube"
	"assay/stacks/kube/words"
	"assay/volume"
)

//go:embed schema.json
var schema string

// Describe returns the kind: a volume that comes and goes with its pod.
func Describe() volume.Kind {
	return volume.Kind{
		Word: "ephemeral", Schema: schema,
		Where:  volume.Where{Pods: true},
		New:    func() volume.Storage { return new(Storage) },
		Volume: func() assay.Volume { return New() },
	}
}

// Storage is an ephemeral volume as a tier configures it.
type Storage struct {
	Size  words.Quantity `yaml:"size"`
	Class words.Name     `yaml:"class"` // "" is the node's own disk (emptyDir)
}

func (s *Storage) options() Options { return Options{Size: string(s.Size), Class: string(s.Class)} }

// Settings implements volume.Storage.
func (s *Storage) Settings() map[string]string {
	return map[string]string{"class": string(s.Class), "size": string(s.Size)}
}

// Bytes implements volume.Sized.
func (s *Storage) Bytes() (int64, bool) {
	q, err := resource.ParseQuantity(string(s.Size))
	return q.Value(), err == nil
}

// Subject implements volume.Storage.
func (s *Storage) Subject(volume.Client) (assay.Subject, error) {
	return assay.Subject{Kind: assay.KindDirectory, Params: s.options().Params()}, nil
}

// Attach implements kube.Attacher.
func (s *Storage) Attach(name, _ string) (kube.Attachment, error) { return Attach(s.options(), name) }

// Requires implements kube.Requirer.
func (s *Storage) Requires() kube.Needs {
	if s.Class == "" {
		return kube.Needs{}
	}
	return kube.Needs{Claims: true, Classes: []string{string(s.Class)}}
}

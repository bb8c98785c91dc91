package pvc

import (
	_ "embed" // the schema
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"assay"
	"assay/internal/yamldoc"
	"assay/stacks/kube"
	"assay/stacks/kube/words"
	"assay/volume"
)

//go:embed schema.json
var schema string

// Describe returns the kind: a claim that is made for the run.
func Describe() volume.Kind {
	return volume.Kind{
		Word: "pvc", Schema: schema,
		Where:  volume.Where{Pods: true},
		New:    func() volume.Storage { return new(Storage) },
		Volume: func() assay.Volume { return New() },
	}
}

// Storage is a claim as a tier configures it.
type Storage struct {
	Class  words.Name     `yaml:"class"` // "" is the cluster's default
	Size   words.Quantity `yaml:"size"`  // "" is what the tests need
	Access Access         `yaml:"access"`
	Mode   Mode           `yaml:"mode"`
}

// Access is an access mode; "" is ReadWriteOnce.
type Access string

// UnmarshalText implements encoding.TextUnmarshaler.
func (a *Access) UnmarshalText(text []byte) error {
	return yamldoc.OneOf(a, text, known[Access](accesses)...)
}

// Mode is a volume mode; "" is Filesystem.
type Mode string

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *Mode) UnmarshalText(text []byte) error { return yamldoc.OneOf(m, text, known[Mode](modes)...) }

func known[T, From ~string](all []From) []T {
	var to []T
	for _, a := range all {
		to = append(to, T(a))
	}
	return to
}

// leastClaim is the file that a claim without a size must hold, in bytes: twice
// the suite's.
const leastClaim = 512 << 20

// options returns what was asked for, with the size that the tests need if none was
// given.
func (s *Storage) options() Options {
	o := Options{Class: string(s.Class), Size: string(s.Size), Access: string(s.Access), Mode: string(s.Mode)}
	if o.Size == "" {
		o.Size = strconv.FormatInt(Size(leastClaim), 10)
	}
	return o
}

// Settings implements volume.Storage.
func (s *Storage) Settings() map[string]string {
	return map[string]string{"class": string(s.Class), "size": string(s.Size), "access": string(s.Access), "mode": string(s.Mode)}
}

// Bytes implements volume.Sized.
func (s *Storage) Bytes() (int64, bool) {
	q, err := resource.ParseQuantity(string(s.Size))
	return q.Value(), err == nil
}

// Subject implements volume.Storage.
func (s *Storage) Subject(volume.Client) (assay.Subject, error) {
	kind := assay.KindDirectory
	if s.Mode == Mode(corev1.PersistentVolumeBlock) {
		kind = assay.KindBlock
	}
	return assay.Subject{Kind: kind, Params: s.options().Params()}, nil
}

// Attach implements kube.Attacher.
func (s *Storage) Attach(name, _ string) (kube.Attachment, error) { return Attach(s.options(), name) }

// Requires implements kube.Requirer: "" is the default class.
func (s *Storage) Requires() kube.Needs {
	return kube.Needs{Claims: true, Classes: []string{string(s.Class)}}
}

package rbd

import (
	"context"
	_ "embed" // the schema
	"strings"

	"assay"
	"assay/ceph"
	"assay/volume"
)

//go:embed schema.json
var schema string

// Describe returns the kind: an image in a pool of a Ceph cluster, which hosts with a
// keyring measure.
func Describe() volume.Kind {
	return volume.Kind{
		Word: "rbd", Schema: schema,
		Where:  volume.Where{Hosts: true},
		New:    func() volume.Storage { return new(Storage) },
		Volume: func() assay.Volume { return New() },
	}
}

// Storage is an image as a tier asks for it.
type Storage ceph.Tier

func (s *Storage) tier() ceph.Tier { return ceph.Tier(*s) }

// access is how its hosts reach the pool.
func (s *Storage) access() ceph.Access {
	a := s.tier().Access()
	a.Images = string(s.Pool)
	return a
}

// Validate implements yamldoc.Validator.
func (s *Storage) Validate() error { return s.tier().Check() }

// Settings implements volume.Storage.
func (s *Storage) Settings() map[string]string {
	return map[string]string{"pool": string(s.Pool), "user": string(s.User)}
}

// Subject implements volume.Storage.
func (s *Storage) Subject(c volume.Client) (assay.Subject, error) {
	return assay.Subject{Kind: assay.KindImage, Name: c.Tier, Params: s.tier().Params()}, nil
}

// Insist implements volume.Insister.
func (s *Storage) Insist() { s.DespiteHealth = true }

// Learn implements volume.Learner.
func (s *Storage) Learn(ctx context.Context, at assay.Place, f *assay.Facts) ([]assay.Note, error) {
	return s.tier().Learn(ctx, at, f)
}

// Check implements volume.Checker: a key is tried where it lies, by the run. What it
// must allow is said, as the command that makes one.
func (s *Storage) Check(_ context.Context, c volume.Clients) volume.Checkup {
	return volume.Checkup{Unasked: []string{
		"health and keyring, asked from " + strings.Join(c.Hosts, ", "),
		"what the key allows; enough is: " + s.access().AuthCommand(),
	}}
}

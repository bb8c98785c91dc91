package cephpool

import (
	"context"
	_ "embed" // the schema
	"strings"

	"assay"
	"assay/stacks/ceph"
	"assay/volume"
)

//go:embed schema.json
var schema string

// Describe returns the kind: a pool of a Ceph cluster, which hosts with a keyring measure.
func Describe() volume.Kind {
	return volume.Kind{
		Word: "ceph", Schema: schema,
		Where:  volume.Where{Hosts: true},
		New:    func() volume.Storage { return &Storage{Made: assay.KindPool} },
		Volume: func() assay.Volume { return New() },
	}
}

// Storage is a Ceph cluster as a tier names it, with what is made there to be
// measured.
type Storage struct {
	ceph.Tier
	Made assay.SubjectKind // what the volume makes
	// Images and Spaces are set if it is made in the pool itself: an image, or a
	// RADOS namespace. The key must allow access there.
	Images, Spaces bool
}

// Validate implements yamldoc.Validator.
func (s *Storage) Validate() error { return s.Tier.Check() }

// Settings implements volume.Storage.
func (s *Storage) Settings() map[string]string {
	return map[string]string{"pool": string(s.Pool), "user": string(s.User)}
}

// Subject implements volume.Storage.
func (s *Storage) Subject(c volume.Client) (assay.Subject, error) {
	return assay.Subject{Kind: s.Made, Name: c.Tier, Params: s.Params()}, nil
}

// Insist implements volume.Insister.
func (s *Storage) Insist() { s.DespiteHealth = true }

// Check implements volume.Checker: the run tries the key on the host that has it.
// Check shows what the key must allow, as the command that makes one.
func (s *Storage) Check(_ context.Context, c volume.Clients) volume.Checkup {
	access := s.Access()
	if s.Images {
		access.Images = string(s.Pool)
	}
	if s.Spaces {
		access.Spaces = string(s.Pool)
	}
	return volume.Checkup{Unasked: []string{
		"health and keyring, asked from " + strings.Join(c.Hosts, ", "),
		"what the key allows; enough is: " + access.AuthCommand(),
	}}
}

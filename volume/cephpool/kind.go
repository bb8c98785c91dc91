package cephpool

import (
	"context"
	_ "embed" // the schema
	"errors"
	"maps"
	"strings"

	"assay"
	"assay/ceph"
	"assay/internal/lazyregexp"
	"assay/internal/yamldoc"
	"assay/volume"
)

//go:embed schema.json
var schema string

// Describe returns the kind: a pool of a Ceph cluster, which hosts with a keyring measure.
func Describe() volume.Kind {
	return volume.Kind{
		Word: "ceph", Schema: schema,
		Where:  volume.Where{Hosts: true},
		New:    func() volume.Storage { return new(Storage) },
		Volume: func() assay.Volume { return New() },
	}
}

// Storage is a pool as a tier names it.
type Storage struct {
	Pool          yamldoc.Label `yaml:"pool"`
	User          yamldoc.Label `yaml:"user"`
	Keyring       yamldoc.Path  `yaml:"keyring"`
	Conf          yamldoc.Path  `yaml:"conf"`
	DespiteHealth bool          `yaml:"despite_health"`
}

// poolName is what may be the name of a pool: it stands in command lines, where one
// that begins with a dash would be an option.
var poolName = lazyregexp.New(`^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,199}$`)

// Validate implements yamldoc.Validator.
func (s *Storage) Validate() error {
	switch {
	case s.Pool == "":
		return errors.New("pool: missing")
	case !poolName.MatchString(string(s.Pool)):
		return errors.New("pool: not a valid pool name")
	case strings.HasPrefix(string(s.User), "client."):
		return errors.New("user: leave out the client. in front")
	case s.User != "" && !poolName.MatchString(string(s.User)):
		return errors.New("user: not a valid user name")
	}
	return nil
}

// Settings implements volume.Storage.
func (s *Storage) Settings() map[string]string {
	return map[string]string{"pool": string(s.Pool), "user": string(s.User)}
}

// Keys of a subject's Params beside those of ceph.Access.
const (
	paramPool    = "pool"
	paramDespite = "despite_health"
)

// Subject implements volume.Storage.
func (s *Storage) Subject(c volume.Client) (assay.Subject, error) {
	params := map[string]string{paramPool: string(s.Pool)}
	maps.Copy(params, ceph.Access{User: string(s.User), Keyring: string(s.Keyring), Conf: string(s.Conf)}.Params())
	if s.DespiteHealth {
		params[paramDespite] = "true"
	}
	return assay.Subject{Kind: assay.KindPool, Name: c.Tier, Params: params}, nil
}

// Check implements volume.Checker: a key is tried where it lies, by the run. What it
// must allow is said, as the command that makes one.
func (s *Storage) Check(_ context.Context, c volume.Clients) volume.Checkup {
	return volume.Checkup{Unasked: []string{
		"health and keyring, asked from " + strings.Join(c.Hosts, ", "),
		"what the key allows; enough is: " + ceph.AuthCommand(string(s.User)),
	}}
}

package ceph

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/yamldoc"
)

// Tier is the Ceph part of a tier in cluster.yaml: the pool, and the user.
type Tier struct {
	Pool          yamldoc.Label `yaml:"pool"`
	User          yamldoc.Label `yaml:"user"`
	Keyring       yamldoc.Path  `yaml:"keyring"`
	Conf          yamldoc.Path  `yaml:"conf"`
	DespiteHealth bool          `yaml:"despite_health"`
}

// name matches valid names of a pool or a user: they appear in command lines, where a
// leading dash would make an option.
var name = lazyregexp.New(`^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,199}$`)

// IsName reports whether word is a valid name of a pool or a user.
func IsName(word string) bool { return name.MatchString(word) }

// Check returns what is wrong with the tier.
func (t Tier) Check() error {
	switch {
	case t.Pool == "":
		return errors.New("pool: missing")
	case !IsName(string(t.Pool)):
		return errors.New("pool: not a valid pool name")
	case strings.HasPrefix(string(t.User), "client."):
		return errors.New("user: leave out the client. in front")
	case t.User != "" && !IsName(string(t.User)):
		return errors.New("user: not a valid user name")
	}
	return nil
}

// Access returns how the tier's hosts reach the cluster.
func (t Tier) Access() Access {
	return Access{User: string(t.User), Keyring: string(t.Keyring), Conf: string(t.Conf)}
}

// Keys of a subject's Params besides those of Access.
const (
	ParamPool    = "pool"
	ParamDespite = "despite_health"
)

// Params returns the parameters of the tier's subjects.
func (t Tier) Params() map[string]string {
	params := t.Access().Params()
	params[ParamPool] = string(t.Pool)
	if t.DespiteHealth {
		params[ParamDespite] = "true"
	}
	return params
}

// Lent is how to reach the cluster and what is lent of it, as stored in a receipt.
type Lent struct {
	Access        Access `json:"access"`
	Model         string `json:"model"` // the pool that is meant
	DespiteHealth bool   `json:"despite_health,omitempty"`
}

// LentOf returns the Lent in a subject's parameters.
func LentOf(s assay.Subject) (Lent, error) {
	l := Lent{Access: Of(s.Params), Model: s.Params[ParamPool], DespiteHealth: s.Params[ParamDespite] == "true"}
	if !IsName(l.Model) {
		return Lent{}, errors.New(s.ID + ": no pool is named")
	}
	return l, nil
}

// Storage names the cluster that a subject is on, among those that one cluster.yaml names.
func Storage(s assay.Subject) string { return cmp.Or(Of(s.Params).Conf, "/etc/ceph/ceph.conf") }

// Learn asks a host for the cluster's version, health, OSDs and the pool's copies, and
// adds them to its facts; it notes what is odd about the setup. It changes nothing there.
func (t Tier) Learn(ctx context.Context, at assay.Place, f *assay.Facts) ([]assay.Note, error) {
	return learn(ctx, at, t.Access(), string(t.Pool), f)
}

// LearnHolder adds what a client has learnt of the cluster to the facts of a host with
// OSDs, and that host's interfaces on the cluster's networks. It needs no key there.
func (Tier) LearnHolder(ctx context.Context, at assay.Place, client assay.StackFacts, f *assay.Facts) {
	client.Outside = false
	client.PublicNIC, client.ClusterNIC = Own(interfaces(ctx, at), client.Disks)
	f.Stack = &client
}

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

// Tier is what a tier of cluster.yaml says of a Ceph: the pool, and who asks.
type Tier struct {
	Pool          yamldoc.Label `yaml:"pool"`
	User          yamldoc.Label `yaml:"user"`
	Keyring       yamldoc.Path  `yaml:"keyring"`
	Conf          yamldoc.Path  `yaml:"conf"`
	DespiteHealth bool          `yaml:"despite_health"`
}

// name is what may be the name of a pool or a user: it stands in command lines, where
// one that begins with a dash would be an option.
var name = lazyregexp.New(`^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,199}$`)

// IsName reports whether a pool or a user may be called that.
func IsName(word string) bool { return name.MatchString(word) }

// Check returns what is wrong with it.
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

// Access is how its hosts reach the cluster.
func (t Tier) Access() Access {
	return Access{User: string(t.User), Keyring: string(t.Keyring), Conf: string(t.Conf)}
}

// Keys of a subject's Params beside those of Access.
const (
	ParamPool    = "pool"
	ParamDespite = "despite_health"
)

// Params are those of its subjects.
func (t Tier) Params() map[string]string {
	params := t.Access().Params()
	params[ParamPool] = string(t.Pool)
	if t.DespiteHealth {
		params[ParamDespite] = "true"
	}
	return params
}

// Lent is how the cluster is reached and what is lent of it, as a receipt holds it.
type Lent struct {
	Access        Access `json:"access"`
	Model         string `json:"model"` // the pool that is meant
	DespiteHealth bool   `json:"despite_health,omitempty"`
}

// LentOf returns what the parameters of a subject say.
func LentOf(s assay.Subject) (Lent, error) {
	l := Lent{Access: Of(s.Params), Model: s.Params[ParamPool], DespiteHealth: s.Params[ParamDespite] == "true"}
	if !IsName(l.Model) {
		return Lent{}, errors.New(s.ID + ": no pool is named")
	}
	return l, nil
}

// Storage names the cluster that a subject lies on, among those that one cluster.yaml names.
func Storage(s assay.Subject) string { return cmp.Or(Of(s.Params).Conf, "/etc/ceph/ceph.conf") }

// Learn asks a host for the cluster's version, health, OSDs and the pool's copies, and
// adds that to its facts; what is odd about the setup is noted. It changes nothing there.
func (t Tier) Learn(ctx context.Context, at assay.Place, f *assay.Facts) ([]assay.Note, error) {
	return learn(ctx, at, t.Access(), string(t.Pool), f)
}

// LearnHolder adds to the facts of a host with OSDs what a client has learnt of the
// cluster, and by which interfaces that host is on its networks. No key is needed there.
func (Tier) LearnHolder(ctx context.Context, at assay.Place, client assay.StackFacts, f *assay.Facts) {
	client.Outside = false
	client.PublicNIC, client.ClusterNIC = Own(interfaces(ctx, at), client.Disks)
	f.Stack = &client
}

package ceph

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Access is how a host's clients of Ceph find the cluster and say who they are. What
// is "" is left to ceph.conf on that host.
type Access struct {
	User    string // without "client."; "" is admin
	Keyring string // absolute path on the host
	Conf    string // absolute path on the host
	// Images is the pool in which images are wanted, and Spaces the one in which RADOS
	// namespaces are; both "" where pools of its own are.
	Images string `json:",omitempty"`
	Spaces string `json:",omitempty"`
}

// Keys of a subject's Params.
const (
	ParamUser    = "user"
	ParamKeyring = "keyring"
	ParamConf    = "conf"
)

// Of returns the access that the parameters of a subject say.
func Of(params map[string]string) Access {
	return Access{User: params[ParamUser], Keyring: params[ParamKeyring], Conf: params[ParamConf]}
}

// Params is the inverse of Of; what is "" is left out.
func (a Access) Params() map[string]string {
	all := map[string]string{ParamUser: a.User, ParamKeyring: a.Keyring, ParamConf: a.Conf}
	maps.DeleteFunc(all, func(_, v string) bool { return v == "" })
	return all
}

// Argv is a command of Ceph's client program such as ceph or rados. Secrets are never
// in it: a key is named by its file.
func (a Access) Argv(program string, words ...string) []string {
	argv := []string{program}
	for _, option := range []struct{ name, value string }{{"--conf", a.Conf}, {"--id", a.User}, {"--keyring", a.Keyring}} {
		if option.value != "" {
			argv = append(argv, option.name, option.value)
		}
	}
	return append(argv, words...)
}

// Prefix begins the names of assay's pools, and Application is the tag that they bear.
// By these a key can be kept from all others.
const (
	Prefix      = "assay-"
	Application = "assay"
	// AllowDelete is the option of the monitors without which no pool is removed.
	AllowDelete = "mon_allow_pool_delete"
)

// Capabilities are the least that a key needs for a run: pairs of daemon and what is
// allowed there.
func Capabilities() []string {
	mon := []string{"allow r"}
	for _, command := range []string{"osd pool create", "osd pool set", "osd pool application enable", "osd pool rm"} {
		mon = append(mon, `allow command "`+command+`" with pool prefix `+Prefix)
	}
	for _, command := range []string{"config set", "config rm"} {
		mon = append(mon, `allow command "`+command+`" with name=`+AllowDelete)
	}
	return []string{"mon", strings.Join(mon, ", "), "mgr", "allow r", "osd", "allow rwx tag " + Application + " *=*"}
}

// ImageCapabilities are the least that a key needs for images in a pool.
func ImageCapabilities(pool string) []string {
	return []string{"mon", "allow r, profile rbd", "mgr", "allow r", "osd", "profile rbd pool=" + pool}
}

// SpaceCapabilities are the least that a key needs for assay's RADOS namespaces in a pool.
func SpaceCapabilities(pool string) []string {
	return []string{"mon", "allow r", "mgr", "allow r", "osd", "allow rwx pool=" + pool + " namespace=" + Prefix + "*"}
}

// AuthCommand is the command that gives the user a key that can do what is wanted, as it
// is typed.
func (a Access) AuthCommand() string {
	capabilities := Capabilities()
	switch {
	case a.Images != "":
		capabilities = ImageCapabilities(a.Images)
	case a.Spaces != "":
		capabilities = SpaceCapabilities(a.Spaces)
	}
	user := cmp.Or(a.User, Application)
	if user == "admin" {
		user = Application // who is refused as admin has a broken keyring; a narrow key is better anyway
	}
	words := []string{"ceph auth get-or-create client." + user}
	for pair := range slices.Chunk(capabilities, 2) {
		words = append(words, pair[0]+" '"+pair[1]+"'")
	}
	return strings.Join(words, " ") + " -o /etc/ceph/ceph.client." + user + ".keyring"
}

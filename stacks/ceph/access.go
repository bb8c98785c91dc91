package ceph

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Access is how a host's Ceph clients find the cluster and authenticate. Fields that
// are "" are left to ceph.conf on that host.
type Access struct {
	User    string // without "client."; "" is admin
	Keyring string // absolute path on the host
	Conf    string // absolute path on the host
	// Images is the pool for images, and Spaces the one for RADOS namespaces; both are
	// "" for pools of its own.
	Images string `json:",omitempty"`
	Spaces string `json:",omitempty"`
}

// Keys of a subject's Params.
const (
	ParamUser    = "user"
	ParamKeyring = "keyring"
	ParamConf    = "conf"
)

// Of returns the access in a subject's parameters.
func Of(params map[string]string) Access {
	return Access{User: params[ParamUser], Keyring: params[ParamKeyring], Conf: params[ParamConf]}
}

// Params is the inverse of Of; fields that are "" are omitted.
func (a Access) Params() map[string]string {
	all := map[string]string{ParamUser: a.User, ParamKeyring: a.Keyring, ParamConf: a.Conf}
	maps.DeleteFunc(all, func(_, v string) bool { return v == "" })
	return all
}

// Argv returns a command of a Ceph client program such as ceph or rados. It never
// contains secrets: a key is named by its file.
func (a Access) Argv(program string, words ...string) []string {
	argv := []string{program}
	for _, option := range []struct{ name, value string }{{"--conf", a.Conf}, {"--id", a.User}, {"--keyring", a.Keyring}} {
		if option.value != "" {
			argv = append(argv, option.name, option.value)
		}
	}
	return append(argv, words...)
}

// Prefix starts the names of assay's pools, and Application is their tag. Both serve
// to keep a key out of all other pools.
const (
	Prefix      = "assay-"
	Application = "assay"
	// AllowDelete is the monitor option required for removing pools.
	AllowDelete = "mon_allow_pool_delete"
)

// Capabilities returns the minimum that a key needs for a run: pairs of daemon and
// permissions.
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

// ImageCapabilities returns the minimum that a key needs for images in a pool.
func ImageCapabilities(pool string) []string {
	return []string{"mon", "allow r, profile rbd", "mgr", "allow r", "osd", "profile rbd pool=" + pool}
}

// SpaceCapabilities returns the minimum that a key needs for assay's RADOS namespaces in a
// pool.
func SpaceCapabilities(pool string) []string {
	return []string{"mon", "allow r", "mgr", "allow r", "osd", "allow rwx pool=" + pool + " namespace=" + Prefix + "*"}
}

// AuthCommand returns the shell command that gives the user a key with the required
// capabilities.
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
		user = Application // if admin is refused, its keyring is broken; a narrow key is better anyway
	}
	words := []string{"ceph auth get-or-create client." + user}
	for pair := range slices.Chunk(capabilities, 2) {
		words = append(words, pair[0]+" '"+pair[1]+"'")
	}
	return strings.Join(words, " ") + " -o /etc/ceph/ceph.client." + user + ".keyring"
}

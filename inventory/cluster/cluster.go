package cluster

import (
	"net/netip"
	"path/filepath"
	"strings"

	"assay/stacks/failover"
	"assay/volume/device"
)

// Cluster is what a cluster.yaml says, its defaults already put into each host.
// Hosts, networks, groups and resources keep the order of the file.
type Cluster struct {
	File      string     `json:"file"` // as it was named to Read
	Hosts     []Host     `json:"hosts"`
	Networks  []Network  `json:"networks,omitempty"`
	Groups    []Group    `json:"groups,omitempty"`
	Resources []Resource `json:"resources,omitempty"`
	// Kubernetes is nil where the file names none.
	Kubernetes *Kubernetes `json:"kubernetes,omitempty"`
	Tiers      []Tier      `json:"tiers,omitempty"`
	// Failover is what may be stopped, by the suite failover alone.
	Failover []failover.Entry `json:"failover,omitempty"`
}

// Host is a machine and the way to it.
type Host struct {
	Name string `json:"name"`
	// Address is what ssh is told: an address, a name, or an alias of the user's
	// ssh configuration; the host's name where the file gives none.
	Address string            `json:"address"`
	User    string            `json:"user,omitempty"` // "" leaves it to ssh
	Port    int               `json:"port,omitempty"` // 0 leaves it to ssh
	Sudo    bool              `json:"sudo,omitempty"` // commands run under sudo -n
	Labels  map[string]string `json:"labels,omitempty"`
	Measure Measure           `json:"measure,omitzero"`
	SSH     SSH               `json:"ssh,omitzero"`
	// Guest is nil for a machine that is no virtual machine, as far as the file says.
	Guest *Guest `json:"guest,omitempty"`
}

// Measure is what storage of a host is measured. Directories and Devices are absolute
// paths.
type Measure struct {
	Directories []string        `json:"directories,omitempty"`
	Devices     []string        `json:"devices,omitempty"`   // below /dev; they are only read
	Overwrite   []device.Device `json:"overwrite,omitempty"` // what is on them is destroyed
}

// SSH is how ssh is called for a host.
type SSH struct {
	Config string `json:"config,omitempty"` // ssh -F; see Cluster.ConfigFile
}

// NetworkKind says who can reach whom directly on a network.
type NetworkKind string

// The kinds of network.
const (
	// Switch joins each host with each.
	Switch NetworkKind = "switch"
	// Ring joins each host with the next in the file's order, and the last with
	// the first; what goes further passes through a host.
	Ring NetworkKind = "ring"
	// PointToPoint is one link between two hosts.
	PointToPoint NetworkKind = "point-to-point"
)

var networkKinds = []NetworkKind{Switch, Ring, PointToPoint}

// Network joins hosts, each by an address of its own.
type Network struct {
	Name   string       `json:"name"`
	Kind   NetworkKind  `json:"kind"`            // Switch where the file does not say
	Rate   float64      `json:"rate,omitempty"`  // bit/s of each link; 0 not known
	MTU    int          `json:"mtu,omitempty"`   // B; 0 not known
	Subnet netip.Prefix `json:"subnet,omitzero"` // invalid where not known
	Hosts  []End        `json:"hosts"`
}

// End is a host's place on a network.
type End struct {
	Host    string     `json:"host"`
	Address netip.Addr `json:"address"`
}

// Group is a name for several hosts.
type Group struct {
	Name  string   `json:"name"`
	Hosts []string `json:"hosts"`
}

// Resource is something shared: two trials that use it disturb each other, as
// on a switch's uplink, a pool or a power circuit.
type Resource struct {
	Name     string   `json:"name"`
	Networks []string `json:"networks,omitempty"` // all traffic on these uses it
	// Hosts use it with all that they do; with Directories, by these alone.
	Hosts []string `json:"hosts,omitempty"`
	// Directories use it, and what is below them: on Hosts, or where there are
	// none, on every host. At least one host measures each.
	Directories []string `json:"directories,omitempty"`
}

// Host returns the host of that name, or nil.
func (c Cluster) Host(name string) *Host {
	for i := range c.Hosts {
		if c.Hosts[i].Name == name {
			return &c.Hosts[i]
		}
	}
	return nil
}

// Address returns a host's address on the network; it is not valid where the host
// is not on it.
func (n Network) Address(host string) netip.Addr {
	for _, e := range n.Hosts {
		if e.Host == host {
			return e.Address
		}
	}
	return netip.Addr{}
}

// ConfigFile returns the file for ssh -F, or "" where ssh finds its own.
func (c Cluster) ConfigFile(h Host, home string) string { return c.Path(h.SSH.Config, home) }

// Path is where a file is that the cluster.yaml names: ~/ is in the directory
// home; a relative name is beside the cluster.yaml. "" stays what it is.
func (c Cluster) Path(file, home string) string {
	switch rest, inHome := strings.CutPrefix(file, "~/"); {
	case file == "" || filepath.IsAbs(file):
		return file
	case inHome:
		return filepath.Join(home, rest)
	default:
		return filepath.Join(filepath.Dir(c.File), file)
	}
}

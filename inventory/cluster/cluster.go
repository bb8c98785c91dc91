package cluster

import (
	"net/netip"
	"path/filepath"
	"strings"

	"assay/stacks/failover"
	"assay/volume/device"
)

// Cluster is the content of a cluster.yaml, with its defaults applied to each
// host. Hosts, networks, groups and resources keep the order of the file.
type Cluster struct {
	File      string     `json:"file"` // as it was named to Read
	Hosts     []Host     `json:"hosts"`
	Networks  []Network  `json:"networks,omitempty"`
	Groups    []Group    `json:"groups,omitempty"`
	Resources []Resource `json:"resources,omitempty"`
	// Kubernetes is nil if the file has none.
	Kubernetes *Kubernetes `json:"kubernetes,omitempty"`
	Tiers      []Tier      `json:"tiers,omitempty"`
	// Failover lists what may be stopped, only by the suite failover.
	Failover []failover.Entry `json:"failover,omitempty"`
}

// Host is a machine and how it is reached.
type Host struct {
	Name string `json:"name"`
	// Address is passed to ssh: an address, a name, or an alias from the user's
	// ssh configuration; the host's name if the file gives none.
	Address string            `json:"address"`
	User    string            `json:"user,omitempty"` // "" leaves it to ssh
	Port    int               `json:"port,omitempty"` // 0 leaves it to ssh
	Sudo    bool              `json:"sudo,omitempty"` // commands run under sudo -n
	Labels  map[string]string `json:"labels,omitempty"`
	Measure Measure           `json:"measure,omitzero"`
	SSH     SSH               `json:"ssh,omitzero"`
	// Guest is nil unless the file says that the host is a virtual machine.
	Guest *Guest `json:"guest,omitempty"`
}

// Measure is the storage of a host to measure. Directories and Devices are absolute
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

// NetworkKind says which hosts reach each other directly on a network.
type NetworkKind string

// The kinds of network.
const (
	// Switch connects all hosts with each other.
	Switch NetworkKind = "switch"
	// Ring connects each host with the next in file order, and the last with
	// the first; traffic further on passes through hosts.
	Ring NetworkKind = "ring"
	// PointToPoint is one link between two hosts.
	PointToPoint NetworkKind = "point-to-point"
)

var networkKinds = []NetworkKind{Switch, Ring, PointToPoint}

// Network connects hosts, each with an address on it.
type Network struct {
	Name   string       `json:"name"`
	Kind   NetworkKind  `json:"kind"`            // Switch where the file does not say
	Rate   float64      `json:"rate,omitempty"`  // bit/s of each link; 0 not known
	MTU    int          `json:"mtu,omitempty"`   // B; 0 not known
	Subnet netip.Prefix `json:"subnet,omitzero"` // invalid where not known
	Hosts  []End        `json:"hosts"`
}

// End is a host's address on a network.
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
	// Hosts use it with everything they do; if there are Directories, only with
	// those.
	Hosts []string `json:"hosts,omitempty"`
	// Directories use it, and whatever is below them: on Hosts, or on every
	// host if there are none. Each is measured by at least one host.
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

// Address returns a host's address on the network; it is invalid if the host is
// not on it.
func (n Network) Address(host string) netip.Addr {
	for _, e := range n.Hosts {
		if e.Host == host {
			return e.Address
		}
	}
	return netip.Addr{}
}

// ConfigFile returns the file for ssh -F, or "" if ssh finds its own.
func (c Cluster) ConfigFile(h Host, home string) string { return c.Path(h.SSH.Config, home) }

// Path resolves a file named in the cluster.yaml: ~/ is the directory home;
// relative names are relative to the cluster.yaml. "" stays "".
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

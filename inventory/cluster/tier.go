package cluster

import (
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Tier is one kind of storage that is compared with others, and where it is
// measured from: on SSH hosts, in pods on nodes of the Kubernetes, or, an object
// store without either, from the machine that assay runs on. Exactly one of
// Directory, HostPath, PVC, Device, Ephemeral and S3 is set.
type Tier struct {
	Name  string   `json:"name"`
	Hosts []string `json:"hosts,omitempty"` // of Cluster.Hosts
	Nodes []string `json:"nodes,omitempty"` // of the Kubernetes; none: any that the scheduler chooses

	Directory string     `json:"directory,omitempty"` // absolute, on Hosts
	HostPath  string     `json:"hostpath,omitempty"`  // absolute, on Nodes
	PVC       *PVC       `json:"pvc,omitempty"`
	Device    *Device    `json:"device,omitempty"`
	Ephemeral *Ephemeral `json:"ephemeral,omitempty"`
	S3        *S3        `json:"s3,omitempty"`
}

// InPods says whether the tier is measured from pods.
func (t Tier) InPods() bool {
	return len(t.Nodes) > 0 || t.PVC != nil || t.HostPath != "" || t.Ephemeral != nil || t.Device != nil
}

// PVC is a claim that is made for the run.
type PVC struct {
	Class  string `json:"class,omitempty"`  // storage class; "" is the cluster's default
	Size   string `json:"size,omitempty"`   // as Kubernetes writes it: 5Gi; "" is what the tests need
	Access string `json:"access,omitempty"` // ReadWriteOnce where it is ""
	Mode   string `json:"mode,omitempty"`   // Filesystem where it is "", or Block
}

// Device is a block device of a node, whose contents the run destroys.
type Device struct {
	Path      string `json:"path"`                // below /dev; best a link in /dev/disk/by-id
	Serial    string `json:"serial,omitempty"`    // what the device must say of itself
	Backing   string `json:"backing,omitempty"`   // the file under a loop device, which has no serial
	Overwrite string `json:"overwrite,omitempty"` // the serial, or the file, again: what is on it may be lost
}

// Ephemeral is a volume that comes and goes with its pod.
type Ephemeral struct {
	Size  string `json:"size,omitempty"`
	Class string `json:"class,omitempty"` // "" is the node's own disk (emptyDir)
}

// S3 is an object store.
type S3 struct {
	Endpoints   []string `json:"endpoints"`
	Region      string   `json:"region,omitempty"`
	VirtualHost bool     `json:"virtual_host,omitempty"`
	CA          string   `json:"ca,omitempty"`          // a file: see Cluster.Path
	Credentials string   `json:"credentials,omitempty"` // as assay.ObjectStore has them
	Garage      *Garage  `json:"garage,omitempty"`
}

// Garage is the admin API that makes a key and a bucket for the run.
type Garage struct {
	Admin string `json:"admin"` // http:// or https://
	Token string `json:"token"` // as assay.GarageAdmin has it
}

// Tier gives the tier of that name, or nil.
func (c Cluster) Tier(name string) *Tier {
	for i := range c.Tiers {
		if c.Tiers[i].Name == name {
			return &c.Tiers[i]
		}
	}
	return nil
}

// longestWord is what a name of Kubernetes may have at most (RFC 1123), in bytes. It
// stands beside the patterns, for in them it would take a millisecond to compile.
const longestWord = 253

var (
	quantityPattern = regexp.MustCompile(`^[1-9][0-9]*(\.[0-9]+)?(Ki|Mi|Gi|Ti|k|M|G|T|m)?$`)
	// dnsPattern is the name of a Kubernetes object (RFC 1123).
	dnsPattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)
	// The places that credentials and tokens come from.
	credentialsPattern = regexp.MustCompile(`^(env|profile [^\s/]+|secret [a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9.-]*)$`)
	tokenPattern       = regexp.MustCompile(`^(env [A-Za-z_][A-Za-z0-9_]*|file [^\x00-\x1f]+|secret [a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9.-]*)$`)
	accessModes        = []string{"ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany"}
	volumeModes        = []string{"Filesystem", "Block"}
)

// tiers reads the kinds of storage that are compared.
func (r *reader) tiers(n node, c *Cluster) {
	seen := map[string]string{}
	for _, p := range r.pairs(n) {
		r.named(p, "tier", seen)
		p.what = "tier " + p.key
		if _, taken := c.members(p.key); taken {
			r.fault(p.keyAt, "tier %s has the name of a host or a group", p.key)
		}
		t := r.tier(p, c)
		r.alike(p, t, c.Tiers)
		c.Tiers = append(c.Tiers, t)
	}
}

// alike refuses a directory of a host that another tier measures there: they would
// be one.
func (r *reader) alike(p node, t Tier, others []Tier) {
	for _, other := range others {
		if t.Directory == "" || filepath.Clean(t.Directory) != filepath.Clean(other.Directory) {
			continue
		}
		for _, host := range t.Hosts {
			if slices.Contains(other.Hosts, host) {
				r.fault(p.keyAt, "tier %s: %s measures %s as tier %s already", p.key, host, other.Directory, other.Name)
			}
		}
	}
}

func (r *reader) tier(p node, c *Cluster) Tier {
	t := Tier{Name: p.key}
	var kinds []string
	kind := func(read func(node)) func(node) {
		return func(n node) { kinds = append(kinds, n.key); read(n) }
	}
	before := len(r.faults)
	r.read(p, fields{
		"host":  func(n node) { t.Hosts = append(t.Hosts, r.reference(n, "host", hostNames(c.Hosts))) },
		"hosts": func(n node) { t.Hosts = r.references(n, "host", hostNames(c.Hosts)) },
		"node":  func(n node) { t.Nodes = append(t.Nodes, r.dnsName(n)) },
		"nodes": func(n node) {
			for _, item := range r.items(n) {
				t.Nodes = append(t.Nodes, r.dnsName(item))
			}
		},
		"directory": kind(func(n node) { t.Directory = r.path(n, "/") }),
		"hostpath":  kind(func(n node) { t.HostPath = r.path(n, "/") }),
		"pvc":       kind(func(n node) { t.PVC = r.pvc(n) }),
		"device":    kind(func(n node) { t.Device = r.device(n) }),
		"ephemeral": kind(func(n node) { t.Ephemeral = r.ephemeral(n) }),
		"s3":        kind(func(n node) { t.S3 = r.s3(n) }),
	})
	if len(r.faults) > before {
		return t
	}
	switch {
	case len(kinds) != 1:
		r.fault(p.keyAt, "tier %s needs one of directory, hostpath, pvc, device, ephemeral and s3; it has %s", p.key, orNone(kinds))
	case t.Directory != "" && (len(t.Hosts) == 0 || len(t.Nodes) > 0):
		r.fault(p.keyAt, "tier %s: a directory is measured on SSH hosts: name one with host:, or write hostpath: for one of a node", p.key)
	case t.Directory == "" && t.S3 == nil && len(t.Hosts) > 0:
		r.fault(p.keyAt, "tier %s: %s is measured on nodes of the Kubernetes, not on SSH hosts", p.key, kinds[0])
	case len(t.Hosts) > 0 && len(t.Nodes) > 0:
		r.fault(p.keyAt, "tier %s: hosts and nodes exclude each other", p.key)
	case (t.HostPath != "" || t.Device != nil) && len(t.Nodes) == 0:
		r.fault(p.keyAt, "tier %s: on which node? name it with node:", p.key)
	case t.InPods() && c.Kubernetes == nil:
		r.fault(p.keyAt, "tier %s is measured in a pod: the file needs kubernetes: (an empty mapping, {}, is what kubectl uses)", p.key)
	case len(slices.Compact(slices.Sorted(slices.Values(t.Nodes)))) != len(t.Nodes):
		r.fault(p.keyAt, "tier %s names a node twice", p.key)
	}
	return t
}

func orNone(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

func (r *reader) pvc(n node) *PVC {
	var p PVC
	r.read(n, fields{
		"class":  func(n node) { p.Class = r.dnsName(n) },
		"size":   func(n node) { p.Size = r.quantity(n) },
		"access": func(n node) { p.Access = r.oneOf(n, accessModes) },
		"mode":   func(n node) { p.Mode = r.oneOf(n, volumeModes) },
	})
	return &p
}

func (r *reader) device(n node) *Device {
	var d Device
	before := len(r.faults)
	r.read(n, fields{
		"path":      func(n node) { d.Path = r.path(n, "/dev/") },
		"serial":    func(n node) { d.Serial = r.anyWord(n) },
		"backing":   func(n node) { d.Backing = r.path(n, "/") },
		"overwrite": func(n node) { d.Overwrite = r.anyWord(n) },
	})
	switch {
	case len(r.faults) > before:
	case d.Path == "":
		r.fault(n.keyAt, "%s needs a path", n.what)
	case (d.Serial == "") == (d.Backing == ""):
		r.fault(n.keyAt, "%s destroys what is on it: its serial is needed too, as lsblk -o NAME,SERIAL tells it (of a loop device its backing file)", n.what)
	case d.Overwrite != "" && d.Overwrite != d.Serial+d.Backing:
		r.fault(n.keyAt, "%s: overwrite: repeats the serial (or the backing file), and this is another", n.what)
	}
	return &d
}

func (r *reader) ephemeral(n node) *Ephemeral {
	var e Ephemeral
	r.read(n, fields{
		"size":  func(n node) { e.Size = r.quantity(n) },
		"class": func(n node) { e.Class = r.dnsName(n) },
	})
	return &e
}

func (r *reader) s3(n node) *S3 {
	var s S3
	before := len(r.faults)
	r.read(n, fields{
		"endpoint": func(n node) { s.Endpoints = append(s.Endpoints, r.endpoint(n)) },
		"endpoints": func(n node) {
			for _, item := range r.items(n) {
				s.Endpoints = append(s.Endpoints, r.endpoint(item))
			}
		},
		"region": func(n node) { s.Region = r.anyWord(n) },
		"style":  func(n node) { s.VirtualHost = r.oneOf(n, []string{"path", "virtual-host"}) == "virtual-host" },
		"ca":     func(n node) { s.CA = r.sshConfig(n) },
		"credentials": func(n node) {
			s.Credentials = r.matching(n, credentialsPattern, "env, profile NAME or secret NAMESPACE/NAME")
		},
		"garage": func(n node) {
			var g Garage
			r.read(n, fields{
				"admin": func(n node) { g.Admin = r.endpoint(n) },
				"token": func(n node) { g.Token = r.matching(n, tokenPattern, "env NAME, file PATH or secret NAMESPACE/NAME") },
			})
			if g.Admin == "" || g.Token == "" {
				r.fault(n.keyAt, "%s needs admin: and token:", n.what)
			}
			s.Garage = &g
		},
	})
	if len(r.faults) == before && len(s.Endpoints) == 0 {
		r.fault(n.keyAt, "%s needs an endpoint", n.what)
	}
	return &s
}

// endpoint reads an address like https://host:port, without a password in it.
func (r *reader) endpoint(n node) string {
	text, ok := r.text(n)
	if !ok {
		return ""
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || strings.Trim(u.Path, "/") != "":
		r.fault(n.at, "%s: it is no address like https://host:port", n.what)
	case u.User != nil:
		r.fault(n.at, "%s: no name or password stands in an address; credentials: says where they come from", n.what)
	default:
		return u.Scheme + "://" + u.Host
	}
	return ""
}

func (r *reader) path(n node, root string) string {
	text, ok := r.text(n)
	if ok && (!plainPath(text) || !strings.HasPrefix(text, root)) {
		r.fault(n.at, "%s: %q is not a path from %s on", n.what, clip(text), root)
		return ""
	}
	return text
}

func (r *reader) quantity(n node) string {
	text, ok := word(n.value)
	if !ok || !quantityPattern.MatchString(text) {
		r.fault(n.at, "%s is %s; expected an amount as Kubernetes writes it, such as 5Gi", n.what, kindOf(n.value))
		return ""
	}
	return text
}

func (r *reader) dnsName(n node) string {
	return r.matching(n, dnsPattern, "a name of Kubernetes: small letters, digits, dots and hyphens")
}

// anyWord reads a short word, also one that looks like a number.
func (r *reader) anyWord(n node) string {
	text, ok := word(n.value)
	if !ok || text == "" || len(text) > longestLabel || !printable(text) {
		r.fault(n.at, "%s is %s; a word of 1 to %d letters is expected", n.what, kindOf(n.value), longestLabel)
		return ""
	}
	return text
}

func (r *reader) matching(n node, pattern *regexp.Regexp, expected string) string {
	text, ok := word(n.value)
	longest := longestWord
	if strings.HasPrefix(text, "file ") {
		longest = longestPath
	}
	if !ok || len(text) > longest || !pattern.MatchString(text) {
		r.fault(n.at, "%s is %s; expected %s", n.what, kindOf(n.value), expected)
		return ""
	}
	return text
}

func (r *reader) oneOf(n node, known []string) string {
	text, ok := word(n.value)
	if !ok || !slices.Contains(known, text) {
		r.fault(n.at, "%s is %s; expected %s%s", n.what, kindOf(n.value), strings.Join(known, " or "), meant(text, known))
		return ""
	}
	return text
}

func (r *reader) reference(n node, what string, known []string) string {
	name, ok := r.text(n)
	if ok && !slices.Contains(known, name) {
		r.fault(n.at, "%s: there is no %s %q%s", n.what, what, clip(name), meant(name, known))
	}
	return name
}

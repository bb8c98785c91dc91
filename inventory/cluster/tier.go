package cluster

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"assay/internal/yamldoc"
	"assay/stacks/kube/words"
	"assay/volume"
)

// Tier is one kind of storage to compare with others, and where it is measured
// from: SSH hosts, pods on nodes of the Kubernetes, or the machine that assay
// runs on.
type Tier struct {
	Name    string         `json:"name"`
	Hosts   []string       `json:"hosts,omitempty"` // of Cluster.Hosts
	Nodes   []string       `json:"nodes,omitempty"` // of the Kubernetes; none: any that the scheduler chooses
	Kind    volume.Kind    `json:"-"`
	Storage volume.Storage `json:"storage"`
}

// InPods reports whether the tier is measured from pods.
func (t Tier) InPods() bool {
	where := t.Kind.Where
	return where.Pods && (len(t.Nodes) > 0 || len(t.Hosts) == 0 && !where.Here)
}

// Tier returns the tier of that name, or nil.
func (c Cluster) Tier(name string) *Tier {
	for i := range c.Tiers {
		if c.Tiers[i].Name == name {
			return &c.Tiers[i]
		}
	}
	return nil
}

// tiers reads the kinds of storage to compare.
func (r *reader) tiers(n yamldoc.Node, c *Cluster) {
	seen := map[string]string{}
	for _, p := range n.Pairs() {
		r.named(p, "tier", seen)
		p.What = "tier " + p.Key
		if _, taken := c.members(p.Key); taken {
			p.FaultKey("tier %s has the same name as a host or group", p.Key)
		}
		t := r.tier(p, c)
		alike(p, t, c.Tiers)
		c.Tiers = append(c.Tiers, t)
	}
}

// alike refuses a path on a host that another tier measures there: they would be
// one.
func alike(p yamldoc.Node, t Tier, others []Tier) {
	for _, other := range others {
		if t.path() == "" || filepath.Clean(t.path()) != filepath.Clean(other.path()) {
			continue
		}
		for _, host := range t.Hosts {
			if slices.Contains(other.Hosts, host) {
				p.FaultKey("tier %s: %s already measures %s as tier %s", p.Key, host, other.path(), other.Name)
			}
		}
	}
}

// path returns the storage's path on its hosts, "" if it has none.
func (t Tier) path() string {
	if l, is := t.Storage.(volume.Located); is {
		return l.Path()
	}
	return ""
}

func (r *reader) tier(p yamldoc.Node, c *Cluster) Tier {
	t := Tier{Name: p.Key}
	keys := fields{
		"host": func(n yamldoc.Node) { t.Hosts = append(t.Hosts, r.reference(n, hostNames(c.Hosts))) },
		"hosts": func(n yamldoc.Node) {
			t.Hosts = c.expanded(r.references(n, "host", append(hostNames(c.Hosts), c.cloneGroups()...)))
		},
		"node":  func(n yamldoc.Node) { t.Nodes = append(t.Nodes, string(yamldoc.As[words.Name](n))) },
		"nodes": func(n yamldoc.Node) { t.Nodes = texts(yamldoc.As[[]words.Name](n)) },
	}
	var kinds []string
	for _, k := range r.kinds {
		keys[k.Word] = func(n yamldoc.Node) {
			kinds = append(kinds, k.Word)
			t.Kind, t.Storage = k, k.New()
			n.Decode(t.Storage)
		}
	}
	before := r.Faults()
	p.Fields(keys)
	if r.Faults() > before {
		return t
	}
	if len(kinds) != 1 {
		p.FaultKey("tier %s needs one of %s; it has %s", p.Key, inWords(r.words(), " and "), inWords(kinds, " and "))
		return t
	}
	if wrong := t.misplaced(c); wrong != "" {
		p.FaultKey("tier %s: %s", p.Key, wrong)
	}
	return t
}

// misplaced returns why the tier cannot be measured where the file says; "" if it
// can.
func (t Tier) misplaced(c *Cluster) string {
	where, word := t.Kind.Where, t.Kind.Word
	onHosts, onNodes := len(t.Hosts) > 0, len(t.Nodes) > 0
	switch {
	case onHosts && onNodes:
		return "host: and node: are mutually exclusive"
	case onNodes && !where.Pods:
		return word + ": is measured on SSH hosts, not on nodes of the Kubernetes" + remedy("name one with", where)
	case onHosts && !where.Hosts:
		return word + ": is measured on nodes of the Kubernetes, not on SSH hosts" + remedy("name one with", where)
	case !onHosts && !onNodes && !where.Here && (!where.Pods || where.Node):
		return word + ": where to measure it is missing" + remedy("name it with", where)
	case !where.Made && slices.ContainsFunc(t.Hosts, c.unmade):
		return word + ": cannot be measured from guests that are made for a run; what they can measure are directory: and vmdisk:"
	case slices.ContainsFunc(t.Hosts, c.runsWindows):
		return word + ": tiers are measured on hosts of Linux; what of a guest of Windows is measured stands under its measure:"
	case t.InPods() && c.Kubernetes == nil:
		return "it is measured in a pod, so the file needs kubernetes: (use {} for kubectl's defaults)"
	}
	return ""
}

// remedy completes a message that a tier cannot be measured there.
func remedy(how string, where volume.Where) string {
	var keys []string
	if where.Hosts {
		keys = append(keys, "host:")
	}
	if where.Pods {
		keys = append(keys, "node:")
	}
	return "; " + how + " " + strings.Join(keys, " or ")
}

// words returns the words for kinds of storage in a tier.
func (r *reader) words() []string {
	var all []string
	for _, k := range r.kinds {
		all = append(all, k.Word)
	}
	return all
}

func inWords(words []string, last string) string {
	switch n := len(words); n {
	case 0:
		return "none"
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + last + words[n-1]
	}
}

func texts[T ~string](words []T) []string {
	var all []string
	for _, w := range words {
		all = append(all, string(w))
	}
	return all
}

// reference reads the name of a host.
func (r *reader) reference(n yamldoc.Node, known []string) string {
	name, ok := n.Text()
	if ok && !slices.Contains(known, name) {
		n.Fault("%s: no host %q%s", n.What, yamldoc.Clip(name), yamldoc.Meant(name, known))
	}
	return name
}

// Settings returns the requested settings for display, without the empty ones.
func (t Tier) Settings() map[string]string {
	set := t.Storage.Settings()
	maps.DeleteFunc(set, func(_, value string) bool { return value == "" })
	return set
}

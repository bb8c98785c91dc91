package cluster

import (
	"regexp"
	"slices"
	"strings"
)

// Kubernetes is the cluster whose nodes run pods, and what each pod of a run is
// made with.
type Kubernetes struct {
	Kubeconfig string `json:"kubeconfig,omitempty"` // a file: see Cluster.Path; "" for what kubectl takes
	Context    string `json:"context,omitempty"`    // "" for the current one
	// Namespace is one of the user's; "" has one made for the run, and removed.
	Namespace     string            `json:"namespace,omitempty"`
	Image         string            `json:"image,omitempty"`
	Pull          string            `json:"pull,omitempty"` // Always, IfNotPresent or Never; "" is Kubernetes' own choice
	NodeSelector  map[string]string `json:"node_selector,omitempty"`
	Tolerations   []Toleration      `json:"tolerations,omitempty"`
	Requests      map[string]string `json:"requests,omitempty"` // cpu, memory
	Limits        map[string]string `json:"limits,omitempty"`
	PriorityClass string            `json:"priority_class,omitempty"`
	HostNetwork   bool              `json:"host_network,omitempty"` // the node's own network rather than the pods'
}

// Toleration has pods run on nodes with a taint.
type Toleration struct {
	Key    string `json:"key"`
	Value  string `json:"value,omitempty"`  // "" is any
	Effect string `json:"effect,omitempty"` // "" is any
}

var (
	pullPolicies = []string{"Always", "IfNotPresent", "Never"}
	imagePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/:@-]*$`)
	kubeLabel    = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9./_-]*[A-Za-z0-9])?$`)
	taintPattern = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9./_-]*)(?:=([A-Za-z0-9._-]*))?(?::(NoSchedule|PreferNoSchedule|NoExecute))?$`)
)

func (r *reader) kubernetes(n node, c *Cluster) {
	k := &Kubernetes{}
	c.Kubernetes = k
	if n.empty() {
		return
	}
	amounts := func(into *map[string]string) func(node) {
		return func(n node) {
			*into = map[string]string{}
			for _, p := range r.pairs(n) {
				p.what = p.key + " of " + n.what
				if !slices.Contains([]string{"cpu", "memory"}, p.key) {
					r.fault(p.keyAt, "%s has no %.40q; known are cpu, memory", n.what, p.key)
					continue
				}
				(*into)[p.key] = r.quantity(p)
			}
		}
	}
	r.read(n, fields{
		"kubeconfig": func(n node) { k.Kubeconfig = r.sshConfig(n) },
		"context":    func(n node) { k.Context = r.anyWord(n) },
		"namespace":  func(n node) { k.Namespace = r.dnsName(n) },
		"image":      func(n node) { k.Image = r.matching(n, imagePattern, "the name of a container image") },
		"pull":       func(n node) { k.Pull = r.oneOf(n, pullPolicies) },
		"node-selector": func(n node) {
			k.NodeSelector = map[string]string{}
			for _, p := range r.pairs(n) {
				value, ok := word(p.value)
				if !ok || !kubeLabel.MatchString(p.key) || value != "" && !kubeLabel.MatchString(value) {
					r.fault(p.keyAt, "%s: %q is no label of a node", n.what, clip(p.key))
				}
				k.NodeSelector[p.key] = value
			}
		},
		"tolerations": func(n node) {
			for _, item := range r.items(n) {
				if t, ok := toleration(item); ok {
					k.Tolerations = append(k.Tolerations, t)
				} else {
					r.fault(item.at, "%s: a taint is written KEY, KEY=VALUE or KEY=VALUE:EFFECT", n.what)
				}
			}
		},
		"requests":       amounts(&k.Requests),
		"limits":         amounts(&k.Limits),
		"priority-class": func(n node) { k.PriorityClass = r.dnsName(n) },
		"host-network":   func(n node) { k.HostNetwork = r.truth(n) },
	})
}

func toleration(n node) (Toleration, bool) {
	text, ok := word(n.value)
	parts := taintPattern.FindStringSubmatch(strings.TrimSpace(text))
	if !ok || parts == nil {
		return Toleration{}, false
	}
	return Toleration{parts[1], parts[2], parts[3]}, true
}

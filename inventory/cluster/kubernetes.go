package cluster

import (
	"errors"
	"strings"
	"sync"

	"assay/internal/lazyregexp"
	"assay/internal/yamldoc"
	"assay/stacks/kube/words"
)

// Kubernetes is the cluster whose nodes run pods, and the settings for each pod
// of a run.
type Kubernetes struct {
	Kubeconfig yamldoc.FileName `yaml:"kubeconfig"` // a file: see Cluster.Path; "" for what kubectl takes
	Context    yamldoc.Label    `yaml:"context"`    // "" for the current one
	// Namespace is an existing one; "" creates one for the run and removes it.
	Namespace     words.Name   `yaml:"namespace"`
	Image         Image        `yaml:"image"`
	Pull          PullPolicy   `yaml:"pull"` // "" is Kubernetes' own choice
	NodeSelector  NodeLabels   `yaml:"node-selector"`
	Tolerations   []Toleration `yaml:"tolerations"`
	Requests      Amounts      `yaml:"requests"`
	Limits        Amounts      `yaml:"limits"`
	PriorityClass words.Name   `yaml:"priority-class"`
	HostNetwork   bool         `yaml:"host-network"` // the node's own network rather than the pods'
}

// Amounts are a pod's requests or limits.
type Amounts struct {
	CPU    words.Quantity `yaml:"cpu"`
	Memory words.Quantity `yaml:"memory"`
}

var kubePatterns = sync.OnceValue(func() (p struct{ image, label, taint *lazyregexp.Regexp }) {
	p.image = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._/:@-]*$`)
	p.label = lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9./_-]*[A-Za-z0-9])?$`)
	p.taint = lazyregexp.New(`^([A-Za-z0-9][A-Za-z0-9./_-]*)(?:=([A-Za-z0-9._-]*))?(?::(NoSchedule|PreferNoSchedule|NoExecute))?$`)
	return p
})

// Image is the name of a container image.
type Image string

// UnmarshalText implements encoding.TextUnmarshaler.
func (i *Image) UnmarshalText(text []byte) error {
	const longest = 253
	*i = Image(text)
	if len(text) > longest || !kubePatterns().image.Match(text) {
		return errors.New("a container image")
	}
	return nil
}

// PullPolicy says when an image is pulled.
type PullPolicy string

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *PullPolicy) UnmarshalText(text []byte) error {
	return yamldoc.OneOf(p, text, "Always", "IfNotPresent", "Never")
}

// NodeLabels are labels that a node must have.
type NodeLabels map[string]string

// ReadYAML implements yamldoc.Reader.
func (l *NodeLabels) ReadYAML(n yamldoc.Node) {
	*l = NodeLabels{}
	for _, p := range n.Pairs() {
		value, ok := p.Word()
		if !ok || !kubePatterns().label.MatchString(p.Key) || value != "" && !kubePatterns().label.MatchString(value) {
			p.FaultKey("%s: invalid node label %q", n.What, yamldoc.Clip(p.Key))
		}
		(*l)[p.Key] = value
	}
}

// Toleration lets pods run on nodes with a taint.
type Toleration struct {
	Key    string
	Value  string // "" is any
	Effect string // "" is any
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Toleration) UnmarshalText(text []byte) error {
	parts := kubePatterns().taint.FindStringSubmatch(strings.TrimSpace(string(text)))
	if parts == nil {
		return errors.New("a taint, written KEY, KEY=VALUE or KEY=VALUE:EFFECT")
	}
	*t = Toleration{parts[1], parts[2], parts[3]}
	return nil
}

func (c *Cluster) readKubernetes(n yamldoc.Node) {
	c.Kubernetes = &Kubernetes{}
	if !n.Empty() {
		n.Decode(c.Kubernetes)
	}
}

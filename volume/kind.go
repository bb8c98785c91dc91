// Package volume defines what every kind of storage tells the others about itself,
// so that none has to know another. The kinds are the directories beside it, and
// volume/all lists them.
//
// It lends and contacts nothing: that is the job of assay.Volume, which each kind
// implements.
package volume

import (
	"context"

	"assay"
)

// Kind is one kind of storage, for code that loops over the kinds: how a
// cluster.yaml asks for it, where it can be measured, and the volume that lends
// it.
type Kind struct {
	// Word is the key that selects it in a tier of cluster.yaml.
	Word string
	// Schema is the JSON Schema of the value of Word. It may refer to the
	// definitions in inventory/cluster/schema.json.
	Schema string
	// Where it can be measured.
	Where Where
	// New returns the storage of a tier before it is configured: a pointer, into
	// which the value of Word is decoded (internal/yamldoc).
	New func() Storage
	// Volume returns the volume that lends scratch space of this kind. Its Kind
	// appears in receipts, in subjects and in the tiers of a run.
	Volume func() assay.Volume
}

// Where says who can measure a kind of storage.
type Where struct {
	Hosts bool // SSH hosts that the tier names
	// Made allows hosts that are created for the run and destroyed with everything lent on
	// them: nothing outlives them but what Release finds without them.
	Made bool
	Here bool // this machine, if the tier names neither host nor node
	Pods bool // Kubernetes pods
	// Node means that pods measure it only on a node that the tier names,
	// because it differs from node to node.
	Node bool
}

// Storage is the storage that one tier asks for. Besides these two methods it implements
// Sized, Located, Spread, Learner and Checker where they apply; kube.Attacher if pods measure
// it; and kube.Requirer if it needs more of Kubernetes than pods.
type Storage interface {
	// Settings returns what was asked for, for people to read: class, size,
	// device. "" is left out.
	Settings() map[string]string
	// Subject returns what a client measures: its Kind; its Name unless a pod's
	// attachment gives it; Params and Store. The rest is not up to the kind.
	Subject(Client) (assay.Subject, error)
}

// Client is who measures a tier, in the context of its cluster.yaml.
type Client struct {
	Tier string
	Host string // that measures it
	Node string // of the pod that Host is; "" where the scheduler chooses, or it is none
	Site Site
	// Guest is the virtual machine that Host is; zero if it is none, or cannot be
	// named to its hypervisor.
	Guest Guest
}

// Guest is a virtual machine as its hypervisor knows it.
type Guest struct {
	On   string // the host that it runs on
	Kind string // of hypervisor, as in a cluster.yaml
	Name string // its name there
}

// Site resolves the names used in a cluster.yaml.
type Site struct {
	// File returns the absolute path of a file that the cluster.yaml names.
	File func(name string) (string, error)
	// Kubernetes returns the access to the Kubernetes that the file names, or
	// that kubectl uses.
	Kubernetes func() (assay.KubernetesAccess, error)
}

// Learner is storage that its measuring hosts can report facts about.
type Learner interface {
	// Learn asks a host what the storage consists of, and adds that to its facts.
	// Oddities go into the notes. It changes nothing there.
	Learn(ctx context.Context, at assay.Place, f *assay.Facts) ([]assay.Note, error)
}

// HolderLearner is storage on hosts where those that hold its data without measuring it can
// report facts too.
type HolderLearner interface {
	// LearnHolder adds to the facts of such a host, given what a client has learnt.
	LearnHolder(ctx context.Context, at assay.Place, client assay.StackFacts, f *assay.Facts)
}

// Spread is storage with parts on hosts that do not measure it.
type Spread interface {
	// Hosts returns all hosts with a part, by their names in the cluster.yaml. No two of
	// them are measured at once.
	Hosts() []string
}

// Insister is storage that refuses to be measured while it is unhealthy.
type Insister interface {
	// Insist has it measured anyway.
	Insist()
}

// Sized is storage that is created with a size.
type Sized interface {
	// Bytes returns how much it will hold; ok is false if nobody specified
	// that.
	Bytes() (n int64, ok bool)
}

// Located is storage that already exists on hosts.
type Located interface {
	// Path returns its location on each of them. Two tiers with one path on one
	// host would be one.
	Path() string
}

// Checker is storage with something to report before a run: what was checked, and
// what only the run finds out. Without it there is nothing beyond hosts, pods, and
// what kube.Requirer names.
type Checker interface {
	Check(context.Context, Clients) Checkup
}

// Clients are those who measure a tier.
type Clients struct {
	Tier   string
	Hosts  []string // SSH hosts, by name
	InPods bool     // pods; with neither it is this machine
	Site   Site
}

// Checkup is what is known about a tier before a run.
type Checkup struct {
	Checked []string // checked, and present
	Unasked []string // that only a run finds out
	Err     error    // why a run would fail
}

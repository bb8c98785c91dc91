// Package volume says what every kind of storage tells the others of itself, so that
// none of them has to know one. The kinds are the folders beside it, and volume/all
// lists them.
//
// It lends nothing and reaches nothing: that is what assay.Volume is for, which each
// kind implements.
package volume

import (
	"context"

	"assay"
)

// Kind is one kind of storage, for all who loop over the kinds: how a cluster.yaml
// asks for it, where it can be measured, and the volume that lends it.
type Kind struct {
	// Word is the key by which a tier of cluster.yaml asks for it.
	Word string
	// Schema is the JSON Schema of what stands under Word. It may refer to the
	// definitions of inventory/cluster/schema.json.
	Schema string
	// Where it can be measured.
	Where Where
	// New returns the storage of a tier that has said nothing of it yet: a pointer,
	// into which what stands under Word is decoded (internal/yamldoc).
	New func() Storage
	// Volume returns what lends scratch space of this kind. Its Kind stands in
	// receipts, in subjects and in the tiers of a run.
	Volume func() assay.Volume
}

// Where says who can measure a kind of storage.
type Where struct {
	Hosts bool // SSH hosts that the tier names
	// Made says that hosts can that are made for the run and destroyed with all that was lent
	// on them: nothing outlives them but what Release finds without them.
	Made bool
	Here bool // this machine, where the tier names neither a host nor a node
	Pods bool // pods of the Kubernetes
	// Node says that pods measure it only on a node that the tier names: what it
	// is differs from node to node.
	Node bool
}

// Storage is the storage of one tier, as it was asked for. Beside these two methods it
// has those of Sized, Located, Spread, Learner and Checker where they fit; where pods measure it,
// kube.Attacher, and kube.Requirer where it needs more of the Kubernetes than pods.
type Storage interface {
	// Settings are what was asked for, as people are told it: class, size, device.
	// "" is left out.
	Settings() map[string]string
	// Subject returns what a client measures: its Kind; its Name where no pod's
	// attachment gives it; Params and Store. The rest is not the kind's.
	Subject(Client) (assay.Subject, error)
}

// Client is who measures a tier, in the surroundings of its cluster.yaml.
type Client struct {
	Tier string
	Host string // that measures it
	Node string // of the pod that Host is; "" where the scheduler chooses, or it is none
	Site Site
	// Guest is the virtual machine that Host is; zero where it is none, or one whose
	// hypervisor cannot be told of it.
	Guest Guest
}

// Guest is a virtual machine in the words of its hypervisor.
type Guest struct {
	On   string // the host that it runs on
	Kind string // of hypervisor, as a cluster.yaml has it
	Name string // what it is called there
}

// Site is where the words of a cluster.yaml have their meaning.
type Site struct {
	// File returns where a file is that the cluster.yaml names, as an absolute path.
	File func(name string) (string, error)
	// Kubernetes returns the way to the Kubernetes that the file names, or that
	// kubectl uses.
	Kubernetes func() (assay.KubernetesAccess, error)
}

// Learner is storage of which the hosts that measure it can tell facts.
type Learner interface {
	// Learn asks a host what the storage is made of, and adds that to its facts. What is
	// odd about it goes into the notes. It changes nothing there.
	Learn(ctx context.Context, at assay.Place, f *assay.Facts) ([]assay.Note, error)
}

// HolderLearner is storage that lies on hosts, of which also those can tell facts that hold its
// data and do not measure it.
type HolderLearner interface {
	// LearnHolder adds to the facts of such a host, given what a client has learnt.
	LearnHolder(ctx context.Context, at assay.Place, client assay.StackFacts, f *assay.Facts)
}

// Spread is storage of which further hosts than those that measure it have a part.
type Spread interface {
	// Hosts are all that have one, by their names in the cluster.yaml. No two of them are
	// measured at once.
	Hosts() []string
}

// Insister is storage that refuses to be measured while it is not well.
type Insister interface {
	// Insist has it measured all the same.
	Insist()
}

// Sized is storage that is made with a size.
type Sized interface {
	// Bytes is how much it will hold; ok is false where nobody said.
	Bytes() (n int64, ok bool)
}

// Located is storage that hosts already have.
type Located interface {
	// Path is where it is on each of them. Two tiers of one path on one host would
	// be one.
	Path() string
}

// Checker is storage of which something is to be said before a run: what was looked
// at, and what only the run finds out. Without it there is nothing beyond hosts,
// pods, and what kube.Requirer names.
type Checker interface {
	Check(context.Context, Clients) Checkup
}

// Clients are those who measure a tier.
type Clients struct {
	Tier   string
	Hosts  []string // SSH hosts, by name
	InPods bool     // they are pods; with neither it is this machine
	Site   Site
}

// Checkup is what is known of a tier before a run.
type Checkup struct {
	Checked []string // that was looked at, and is there
	Unasked []string // that only a run finds out
	Err     error    // why a run would fail
}

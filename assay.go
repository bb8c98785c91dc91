package assay

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"
)

// Host is a machine that commands can run on.
type Host struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
	// Absent is set where the host could not be queried: nothing is known of it
	// but its name.
	Absent *Absence `json:"absent,omitempty"`
}

// SubjectKind says what a subject is. Suites ask for subjects by kind.
type SubjectKind string

// The kinds of subject.
const (
	KindCPU       SubjectKind = "cpu"
	KindMemory    SubjectKind = "memory"
	KindDirectory SubjectKind = "directory"
	KindDrive     SubjectKind = "drive"
	KindDevice    SubjectKind = "device" // a block device, read as it is and never written
	KindBlock     SubjectKind = "block"  // a block device that was given to be overwritten
	KindThermal   SubjectKind = "thermal"
	KindNetwork   SubjectKind = "network"
	KindLink      SubjectKind = "link"   // the way from one host to another on one network
	KindPool      SubjectKind = "pool"   // of replicated storage
	KindBucket    SubjectKind = "bucket" // of an object store
	KindGuest     SubjectKind = "guest"  // a virtual machine that moves

	// KindTier is a word of suites alone: directories and blocks that are tiers.
	KindTier SubjectKind = "tier"
)

// Subject is a thing that can be measured. On names the subjects it stands on.
type Subject struct {
	ID   string      `json:"id"`   // unique in a run: host/kind/name
	Kind SubjectKind `json:"kind"` // what it is
	Host string      `json:"host"` // where it is
	Name string      `json:"name"` // a path, a device, or the kind again
	On   []string    `json:"on,omitempty"`
	// Source is what the kernel says a directory's file system lies on: a
	// device, a dataset, a server's export. "" where it is not known.
	Source string `json:"source,omitempty"`
	// Volume is the kind of volume that lends scratch space on it; "" is a plain
	// directory.
	Volume string `json:"volume,omitempty"`
	// Params are what that kind must know of it, by names of the kind's own: nobody
	// else reads them.
	Params map[string]string `json:"params,omitempty"`
	// Tier names the tier of storage that it is, "" where it is none.
	Tier string `json:"tier,omitempty"`
	// Store is the object store of a bucket.
	Store *ObjectStore `json:"store,omitempty"`
	// Peer is the host at the other end of a link, Network the network it is on.
	Peer    string `json:"peer,omitempty"`
	Network string `json:"network,omitempty"`
}

// Inventory is what there is to measure: hosts, their facts, and the graph of subjects.
type Inventory struct {
	Hosts    []Host           `json:"hosts"`
	Facts    map[string]Facts `json:"facts"` // by host name
	Subjects []Subject        `json:"subjects"`
	Networks []Network        `json:"networks,omitempty"`
	// Resources are what trials on several hosts share.
	Resources []Resource `json:"resources,omitempty"`
	// Tiers are the kinds of storage that the user compares.
	Tiers []Tier `json:"tiers,omitempty"`
	// File is the cluster.yaml that named the hosts, as an absolute path; "" for
	// this machine alone.
	File string `json:"file,omitempty"`
}

// Network joins hosts: a switch, or a cable between two of them.
type Network struct {
	Name      string            `json:"name"`
	Addresses map[string]string `json:"addresses"`        // of each host on it, by host name
	Rate      float64           `json:"rate,omitempty"`   // bit/s of its links, as somebody said
	MTU       int               `json:"mtu,omitempty"`    // B, as somebody said
	Direct    bool              `json:"direct,omitempty"` // a cable, no switch: other hosts are reached through these
}

// Resource is something that hosts share: a switch's uplink, a pool, a power
// circuit. Trials that use it would measure each other: no two of them ever run
// at once, whatever their hosts.
type Resource struct {
	Name     string   `json:"name"`
	Networks []string `json:"networks,omitempty"` // every link on these uses it
	// Hosts use it with all that they do; where there are Directories, with what
	// is done in these alone.
	Hosts []string `json:"hosts,omitempty"`
	// Directories are absolute paths: a trial on one of them, or below, uses it, on
	// each of Hosts, or on every host where Hosts is empty.
	Directories []string `json:"directories,omitempty"`
}

// Holds says whether a directory of a host is one of the resource's.
func (r Resource) Holds(host, directory string) bool {
	if len(r.Hosts) > 0 && !slices.Contains(r.Hosts, host) {
		return false
	}
	directory = path.Clean(directory)
	return slices.ContainsFunc(r.Directories, func(top string) bool {
		top = path.Clean(top)
		return directory == top || strings.HasPrefix(directory, strings.TrimSuffix(top, "/")+"/")
	})
}

// LacksHosts reports whether a host could not be queried.
func (inv Inventory) LacksHosts() bool {
	return slices.ContainsFunc(inv.Hosts, func(h Host) bool { return h.Absent != nil })
}

// Of gives the subjects of one kind, in the inventory's order; of KindTier those
// that a file system test can be made on.
func (inv Inventory) Of(kind SubjectKind) []Subject {
	var found []Subject
	for _, s := range inv.Subjects {
		if s.Kind == kind || kind == KindTier && s.Tier != "" && (s.Kind == KindDirectory || s.Kind == KindBlock) {
			found = append(found, s)
		}
	}
	return found
}

// Cmd is one command for a Place. Argv is never read by a shell: a place that
// needs one quotes every word.
type Cmd struct {
	Argv  []string
	Env   []string // NAME=value, added to the place's own environment
	Stdin []byte
	// Timeout bounds the command where it runs; zero means no bound. A command
	// that hits it is killed with its children: Run gives ErrTimeout.
	Timeout time.Duration
	// OnStdout, where there is one, is shown what the command prints on its stdout as
	// it comes, in pieces of any length, one call after another. The first true
	// has the command, not its children, sent SIGINT, once: it then ends by
	// itself, and what it prints until then is read like all the rest.
	OnStdout func(piece []byte) (enough bool)
}

// Output is what a command printed and how it ended. A non-zero Exit is an
// answer, not an error of the place.
type Output struct {
	Stdout []byte `json:"stdout"`
	Stderr []byte `json:"stderr"`
	Exit   int    `json:"exit"` // exit status, or 128 + the signal that ended it
	// Asked says that OnStdout had enough, and the command was asked to end.
	Asked   bool          `json:"asked,omitempty"`
	Started time.Time     `json:"started"`
	Elapsed time.Duration `json:"elapsed"` // monotonic, on assay's side
	// CPU is the user and system time of the command and of the children it
	// waited for; zero where the place cannot tell.
	CPU time.Duration `json:"cpu"`
}

// A Place runs commands on one host. It knows no benchmark tool.
type Place interface {
	// Host names the machine.
	Host() Host
	// Run runs c to its end. Where the command was started, Output holds what
	// it printed, also when the error is non-nil: ErrTimeout where c.Timeout ran
	// out, ctx.Err() where ctx was cancelled, ErrNoCommand where there is no
	// such program. Cancelling ctx kills c and all that it started, on the far
	// side too, before Run returns. Run may be called from several goroutines.
	Run(ctx context.Context, c Cmd) (Output, error)
	// Close releases what the place holds. It is idempotent.
	Close() error
}

// Request is what is asked of a volume.
type Request struct {
	ID    string // unique and safe in a file name: part of every name created
	Bytes int64
	Way   Way
}

// Receipt names everything that a volume is about to create, before it does, and
// holds what it is about to change as it was.
// It is data: it is journalled before Lend runs, so that another process can
// release what a dead one left behind.
type Receipt struct {
	ID      string            `json:"id"`     // unique, and part of every name created
	Volume  string            `json:"volume"` // the kind of volume that must release it
	Host    string            `json:"host"`
	Subject string            `json:"subject"`
	Bytes   int64             `json:"bytes"`
	Names   map[string]string `json:"names"` // what will be created, by role
	Way     Way               `json:"way,omitempty"`
	// Restore is what Lend changes of what is there already, as it was before:
	// Release sets it back.
	Restore []Property `json:"restore,omitempty"`
	// Kept says that it was meant to stay when its run was over: it is removed when
	// somebody asks for it, and not by the next run.
	Kept bool `json:"kept,omitempty"`
}

// Property is one setting of something that is there already, with its value.
type Property struct {
	Of    string `json:"of"`              // a dataset, a device, a pool
	Name  string `json:"name"`            // sync, scheduler
	Value string `json:"value,omitempty"` // "" where it was not set there, but inherited
}

// Scratch is space that a volume lent. A probe may use what is in it and
// nothing else.
type Scratch struct {
	Dir   string `json:"dir,omitempty"` // a directory for small files; "" where there is none
	File  string `json:"file"`          // the file or device to read and write; it may not exist yet
	Bytes int64  `json:"bytes"`         // how much of File may be used
	// Devices are the block devices that it lies on, as the kernel of the host that
	// was lent it names them, where the volume knows: of the facts, taken before, it
	// is not known what appears only when it is lent.
	Devices []string `json:"devices,omitempty"`
}

// Same reports whether both are the same space.
func (s Scratch) Same(other Scratch) bool {
	return s.Dir == other.Dir && s.File == other.File && s.Bytes == other.Bytes && slices.Equal(s.Devices, other.Devices)
}

// Journalled is what is journalled before it is made, and released by whoever finds
// the receipt: every Volume, and what is no space for a probe, as the namespace of a
// run's pods.
type Journalled interface {
	// Kind is the name in receipts.
	Kind() string
	// Release removes what r names, restores what r says, and verifies both. It is
	// idempotent, and works after the making failed half-way.
	Release(ctx context.Context, at Place, r Receipt) error
}

// A Volume lends scratch space of one kind of storage and takes it back.
type Volume interface {
	// Kind is also the volume's name in suites, and Release works after a Lend that
	// failed half-way.
	Journalled
	// Reserve chooses every name that Lend will use. It may look, so that what
	// Lend is going to change is in the receipt as it was; it creates and changes
	// nothing. It refuses a Way that it does not know: see Way.Check.
	Reserve(ctx context.Context, at Place, s Subject, want Request) (Receipt, error)
	// Lend creates what r names, changes what r says how to restore, and does
	// nothing else. It refuses (ErrNoSpace,
	// ErrReadOnly, ErrNotFound) rather than fill or damage what it stands on.
	// Scratch.Bytes may be less than was reserved.
	Lend(ctx context.Context, at Place, r Receipt) (Scratch, error)
}

// Spec describes a probe.
type Spec struct {
	Name    string   // the probe's name in suites, and its folder
	Tools   []Tool   // what must be on the host
	Metrics []string // what Parse can give, from the vocabulary in metric.go
}

// Tool is a program that a probe needs, with the packages that hold it.
type Tool struct {
	Name     string            // the program
	Optional bool              // measured without it, but less
	Least    string            // the oldest version that will do, "" for any
	Packages map[string]string // by package manager: apt, dnf, pacman, apk
}

// Bench is what a trial is given to run on.
type Bench struct {
	Place   Place         // where: the trial's host
	Peer    Place         // the host at the other end; nil where the trial names none
	Scratch Scratch       // what was lent; zero for a trial that asked for none
	Length  time.Duration // how long this repeat should measure
	// Enough, where there is one, is given what a probe learns of the repeat while
	// it runs, in equal steps of about a second: an amount a second. From the first
	// true on the repeat may end, and what was measured by then is its figure. A
	// probe whose tool cannot be ended so does not call it.
	Enough func(Sample) bool
}

// A Probe knows one tool: its arguments, and how to read what it prints.
type Probe interface {
	Spec() Spec
	// Trials turns a suite's case into trials for this inventory. Pure. A case
	// that cannot be measured on a subject gives a trial with Absent set.
	Trials(inv Inventory, c Case) ([]Trial, error)
	// Run measures once. The transcript holds what was run so far also when the
	// error is non-nil.
	Run(ctx context.Context, t Trial, on Bench) (Transcript, error)
	// Parse reads what a tool printed. Pure and total: measurements or a clear
	// error, never a panic, never a silent zero.
	Parse(tr Transcript) ([]Measurement, error)
}

// Preparer is a Probe that must ready the scratch space before its first
// repeat, so that this is not a measurement of allocation.
type Preparer interface {
	// Prepare readies on.Scratch and gives back what of it may be measured:
	// less than was lent where the time bound on.Length ran out first.
	Prepare(ctx context.Context, t Trial, on Bench) (Transcript, Scratch, error)
}

// RepeatPreparer is a Probe that has work to do before a repeat that must not be measured
// with it: removing what the repeats before wrote, writing what this one will
// delete. It is not for what is done once, which is Prepare's.
type RepeatPreparer interface {
	// PrepareRepeat leaves Run nothing to do but to measure. on.Length bounds what may be
	// left undone for want of time. It must be idempotent.
	PrepareRepeat(ctx context.Context, t Trial, on Bench) (Transcript, error)
}

// Noter is a Probe that knows what its tool says of itself beside the figures.
type Noter interface {
	// Notes reads a repeat's transcript, in which a step of Prepare is called
	// "prepare: " and its name. IDs are stable and texts short; what is the same
	// in two repeats is the same note, so that it need be told only once. Pure
	// and total; no note is no claim that all went well.
	Notes(tr Transcript) []Note
}

package assay

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// Host is a machine that commands can run on.
type Host struct {
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
	// OS is Windows, or "" for a host with a POSIX shell.
	OS string `json:"os,omitempty"`
	// Absent is set if the host could not be queried: only its name is known.
	Absent *Absence `json:"absent,omitempty"`
}

// Windows is the operating system of a host that has no POSIX shell.
const Windows = "windows"

// SubjectKind is what a subject is. Suites select subjects by kind.
type SubjectKind string

// The kinds of subject.
const (
	KindCPU       SubjectKind = "cpu"
	KindMemory    SubjectKind = "memory"
	KindDirectory SubjectKind = "directory"
	KindDrive     SubjectKind = "drive"
	KindDevice    SubjectKind = "device" // a block device that is read and never written
	KindBlock     SubjectKind = "block"  // a block device that may be overwritten
	KindThermal   SubjectKind = "thermal"
	KindNetwork   SubjectKind = "network"
	KindLink      SubjectKind = "link"   // the path from one host to another on one network
	KindImage     SubjectKind = "image"  // an image of a block device, reached through a library
	KindPool      SubjectKind = "pool"   // a pool of replicated storage
	KindBucket    SubjectKind = "bucket" // a bucket of an object store
	KindGuest     SubjectKind = "guest"  // a virtual machine that is migrated

	KindFailover SubjectKind = "failover" // something to stop so that others take over

	// KindTier is used by suites only. It stands for directories, blocks and images that are tiers.
	KindTier SubjectKind = "tier"
	// KindStorage is used by suites only. It stands for directories, blocks and images,
	// whether they are tiers or not.
	KindStorage SubjectKind = "storage"
)

// Subject is a thing that can be measured. On names the subjects underneath it.
type Subject struct {
	ID   string      `json:"id"`   // unique in a run: host/kind/name
	Kind SubjectKind `json:"kind"` // what it is
	Host string      `json:"host"` // where it is
	Name string      `json:"name"` // a path, a device, or the kind again
	On   []string    `json:"on,omitempty"`
	// Source is the source of a directory's mount as the kernel reports it: a device, a
	// dataset, a server's export; for a block, its kernel path. "" if unknown.
	Source string `json:"source,omitempty"`
	// Volume is the kind of volume that lends scratch space on it; "" for a plain
	// directory.
	Volume string `json:"volume,omitempty"`
	// Params are the parameters of that kind of volume. Only the volume reads them.
	Params map[string]string `json:"params,omitempty"`
	// Turns means that it is lent once for all ways of lending it, which take turns:
	// each is set on what is lent. Its volume is a Turner.
	Turns bool `json:"turns,omitempty"`
	// Tier is the name of the storage tier that it belongs to, or "".
	Tier string `json:"tier,omitempty"`
	// Store is the object store of a bucket.
	Store *ObjectStore `json:"store,omitempty"`
	// Peer is the host at the other end of a link, and Network its network.
	Peer    string `json:"peer,omitempty"`
	Network string `json:"network,omitempty"`
}

// Claims returns what must be idle for a trial that the host's CPU drives: the subject, what
// it stands on, and that CPU.
func (s Subject) Claims() []string {
	all := append([]string{s.ID}, s.On...)
	if cpu := s.Host + "/cpu/cpu"; !slices.Contains(all, cpu) {
		all = append(all, cpu)
	}
	return all
}

// Inventory is everything that can be measured: hosts, their facts, and the graph of
// subjects.
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
	Rate      float64           `json:"rate,omitempty"`   // bit/s of its links, as declared by the user
	MTU       int               `json:"mtu,omitempty"`    // B, as declared by the user
	Direct    bool              `json:"direct,omitempty"` // cables without a switch: hosts forward for each other
}

// Resource is something that hosts share: a switch's uplink, a pool, a power
// circuit. Two trials that use it never run at the same time, on any hosts,
// because they would distort each other's results.
type Resource struct {
	Name     string   `json:"name"`
	Networks []string `json:"networks,omitempty"` // every link on these uses it
	// Hosts use the resource in every trial; if Directories is set, only in trials on
	// one of these.
	Hosts []string `json:"hosts,omitempty"`
	// Directories are absolute paths. A trial on or below one of them uses the
	// resource, on each of Hosts, or on every host if Hosts is empty.
	Directories []string `json:"directories,omitempty"`
}

// Holds reports whether a directory of a host belongs to the resource.
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

// Of returns the subjects of one kind, in the inventory's order. For KindTier it
// returns the directories, blocks and images that are tiers, for KindStorage all of them.
func (inv Inventory) Of(kind SubjectKind) []Subject {
	var found []Subject
	for _, s := range inv.Subjects {
		lends := s.Kind == KindDirectory || s.Kind == KindBlock || s.Kind == KindImage
		if s.Kind == kind || lends && (kind == KindStorage || kind == KindTier && s.Tier != "") {
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
	// Timeout is enforced where the command runs; zero means none. A command that
	// exceeds it is killed with its children, and Run returns ErrTimeout.
	Timeout time.Duration
	// Limit is how much the command may print on each of its streams, in bytes; zero
	// means OutputLimit. A command that exceeds it is killed with its children, and Run
	// returns ErrTooLong with the output so far.
	Limit int
	// OnStdout, if not nil, is called with what the command prints on stdout as it
	// arrives, in pieces of any length, never concurrently. When it first returns
	// true, the command, but not its children, is sent SIGINT once; what it prints
	// until it exits is still read.
	OnStdout func(piece []byte) (enough bool)
	// Gate, if not nil, is called when the command is ready to begin. It begins when
	// the channel from Gate is closed, so that several places can begin at the same
	// moment, however long each took to get ready.
	Gate func() <-chan struct{}
}

// OutputLimit is how much a command may print on a stream by default, and
// LongOutputLimit the most that any command may, in bytes. A host's output is held in
// memory, and root on that host decides how much there is.
const (
	OutputLimit     = 16 << 20
	LongOutputLimit = 256 << 20
)

// PrintLimit returns c's Limit as places enforce it.
func (c Cmd) PrintLimit() int {
	if c.Limit <= 0 {
		return OutputLimit
	}
	return min(c.Limit, LongOutputLimit)
}

// Output is what a command printed and how it ended. A non-zero Exit is an
// answer, not an error of the place.
type Output struct {
	Stdout []byte `json:"stdout"`
	Stderr []byte `json:"stderr"`
	Exit   int    `json:"exit"` // exit status, or 128 + the signal that ended it
	// Asked is true if OnStdout returned true and the command was asked to end.
	Asked   bool          `json:"asked,omitempty"`
	Started time.Time     `json:"started"`
	Elapsed time.Duration `json:"elapsed"` // monotonic, on assay's side
	// CPU is the user and system time of the command and of the children it
	// waited for; zero if unknown.
	CPU time.Duration `json:"cpu"`
}

// A Place runs commands on one host. It knows no benchmark tool.
type Place interface {
	// Host names the machine.
	Host() Host
	// Run runs c to completion. If the command was started, Output holds what it
	// printed, even if the error is non-nil: ErrTimeout if c.Timeout expired,
	// ctx.Err() if ctx was cancelled, ErrNoCommand if there is no such program.
	// Cancelling ctx kills c and everything it started, also on a remote host,
	// before Run returns. Run is safe for concurrent use.
	Run(ctx context.Context, c Cmd) (Output, error)
	// Close releases the place's resources. It is idempotent.
	Close() error
}

// Guest is a Place in a virtual machine, reached through its hypervisor.
type Guest interface {
	Place
	// Hypervisor returns the place where the machine runs, even while it is off. It is
	// closed with the guest.
	Hypervisor() Place
}

// Request describes the space that a volume should lend.
type Request struct {
	ID    string // unique, and part of every name created: see SafeID
	Bytes int64
	Way   Way
	// Sharers is how many spaces of the run, including this one, a Sharer lends from
	// the same storage; 0 for any other volume.
	Sharers int
}

// SafeID reports whether an id may be part of the names of things that are created and
// later removed by name: 8 to 40 of 0-9 and a-z.
func SafeID(id string) bool {
	return len(id) >= 8 && len(id) <= 40 && strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

// CheckID returns an error for an id that is not safe.
func CheckID(id string) error {
	if !SafeID(id) {
		return fmt.Errorf("invalid scratch id %q: need 8 to 40 of 0-9 and a-z", id)
	}
	return nil
}

// Receipt names everything that a volume is about to create, and holds the previous
// values of everything it is about to change. It is plain data and journalled before
// Lend runs, so that another process can clean up after a crash.
type Receipt struct {
	ID      string            `json:"id"`     // unique, and part of every name created
	Volume  string            `json:"volume"` // the kind of volume that must release it
	Host    string            `json:"host"`
	Also    []string          `json:"also,omitempty"` // further hosts that have a part of it: see Spread
	Subject string            `json:"subject"`
	Bytes   int64             `json:"bytes"`
	Sharers int               `json:"sharers,omitempty"` // as in the request
	Names   map[string]string `json:"names"`             // what will be created, by role
	Way     Way               `json:"way,omitempty"`
	// Restore holds the previous values of the existing settings that Lend changes.
	// Release restores them.
	Restore []Property `json:"restore,omitempty"`
	// Kept is true if the space is meant to outlive its run. It is removed on request
	// only, not by the next run.
	Kept bool `json:"kept,omitempty"`
}

// SettingAlone reports whether the receipt covers only a change to something that existed
// before, with nothing created or lent.
func (r Receipt) SettingAlone() bool { return r.Bytes == 0 && len(r.Restore) > 0 }

// Property is one setting of something that already exists, with its value.
type Property struct {
	Of    string `json:"of"`              // a dataset, a device, a pool
	Name  string `json:"name"`            // sync, scheduler
	Value string `json:"value,omitempty"` // "" if it was not set there but inherited
}

// Scratch is space that a volume lent. A probe must not write anywhere else.
type Scratch struct {
	Dir  string `json:"dir,omitempty"` // a directory for small files, or ""
	File string `json:"file"`          // the file or device to read and write; it may not exist yet
	// Image is read and written instead of File, which is then "".
	Image *Image `json:"image,omitempty"`
	Bytes int64  `json:"bytes"` // how much of File may be used
	// Devices are the kernel names of the block devices underneath, if the volume
	// knows them. The facts cannot tell: they are collected before devices appear
	// that exist only while lent.
	Devices []string `json:"devices,omitempty"`
	// Purge is what was done to the whole device before anything was written to it: discard;
	// "" for nothing.
	Purge string `json:"purge,omitempty"`
	// Disk is the virtual disk given to the guest, as its hypervisor knows it.
	Disk *GuestDisk `json:"disk,omitempty"`
	// Copied are a guest's disks that move with it, under their names at the hypervisor.
	Copied []string `json:"copied,omitempty"`
}

// Image is an image of Ceph's block device, reached through librbd.
type Image struct {
	Pool     string            `json:"pool"`
	Name     string            `json:"name"`
	User     string            `json:"user,omitempty"`     // without "client."; "" is admin
	Keyring  string            `json:"keyring,omitempty"`  // absolute path; "" is where librbd looks
	Conf     string            `json:"conf,omitempty"`     // absolute path; "" is where librbd looks
	Features []string          `json:"features,omitempty"` // layering, exclusive-lock
	Settings map[string]string `json:"settings,omitempty"` // of librbd: rbd_cache
}

// Same reports whether both are the same space.
func (s Scratch) Same(other Scratch) bool {
	if (s.Image == nil) != (other.Image == nil) || s.Image != nil && (s.Image.Pool != other.Image.Pool || s.Image.Name != other.Image.Name) {
		return false
	}
	if (s.Disk == nil) != (other.Disk == nil) || s.Disk != nil && *s.Disk != *other.Disk {
		return false
	}
	return s.Dir == other.Dir && s.File == other.File && s.Bytes == other.Bytes && slices.Equal(s.Devices, other.Devices) && slices.Equal(s.Copied, other.Copied)
}

// Journalled is implemented by whatever is journalled before it is created, and
// released by whoever finds the receipt: every Volume, and things that are not scratch
// space, such as the namespace of a run's pods.
type Journalled interface {
	// Kind is the name in receipts.
	Kind() string
	// Release removes what r names, restores r.Restore, and verifies both. It is
	// idempotent, and works after a creation that failed half-way.
	Release(ctx context.Context, at Place, r Receipt) error
}

// A Volume lends scratch space of one kind of storage and takes it back.
type Volume interface {
	// Kind is also the volume's name in suites, and Release works after a Lend that
	// failed half-way.
	Journalled
	// Reserve chooses every name that Lend will use. It may read current settings, to
	// record in the receipt what Lend will change; it creates and changes nothing. It
	// refuses an unknown Way: see Way.Check.
	Reserve(ctx context.Context, at Place, s Subject, want Request) (Receipt, error)
	// Lend creates what r names, changes only what r.Restore can restore, and does
	// nothing else. It fails with ErrNoSpace, ErrReadOnly or ErrNotFound rather than
	// fill or damage the storage underneath. Scratch.Bytes may be less than requested.
	Lend(ctx context.Context, at Place, r Receipt) (Scratch, error)
}

// Spec describes a probe.
type Spec struct {
	Name    string   // the probe's name in suites, and its folder
	Tools   []Tool   // what must be on the host
	Metrics []string // what Parse can return, from the vocabulary in metric.go
	Systems Systems  // of the hosts it measures
	// InsteadOf is the probe whose cases this one measures on hosts that have its tools but
	// lack the other's; "" for none.
	InsteadOf string
}

// Systems is which hosts a probe measures, by operating system.
type Systems int

// The systems of hosts.
const (
	Linux Systems = iota
	LinuxAndWindows
	WindowsAlone
)

// Include reports whether it covers Windows hosts or, if windows is false, all
// others.
func (s Systems) Include(windows bool) bool {
	return s == LinuxAndWindows || windows == (s == WindowsAlone)
}

// Tool is a program that a probe needs, with the packages that contain it.
type Tool struct {
	Name     string            // the program
	Optional bool              // some things can be measured without
	Least    string            // the minimum version, "" for any
	Packages map[string]string // by package manager: apt, dnf, pacman, apk
}

// Bench is what a trial runs on.
type Bench struct {
	Place   Place         // where: the trial's host
	Peer    Place         // the host at the other end; nil if the trial has none
	Helpers []Place       // the hosts of Trial.Helpers, in their order
	Scratch Scratch       // the scratch space; zero if the trial needs none
	Length  time.Duration // how long this repeat should measure
	// Enough, if not nil, is called during a repeat with its throughput, in equal
	// steps of about a second. Once it returns true the repeat may end, and its result
	// is what was measured until then. A probe whose tool cannot be stopped early does
	// not call it.
	Enough func(Sample) bool
	// Inside, if not nil, returns a Place in a running guest, given its host, its kind of
	// hypervisor and its name there: through its guest agent, as far as that answers.
	Inside func(at Place, kind, guest string) Place
	// Say, if not nil, shows a line to whoever is watching: what a probe waits for, and for
	// how long at most. It is not stored.
	Say func(text string)
}

// A Probe knows one tool: its arguments, and how to read what it prints.
type Probe interface {
	Spec() Spec
	// Trials turns a case of a suite into trials for this inventory. It is pure. A
	// case that cannot be measured on a subject becomes a trial with Absent set.
	Trials(inv Inventory, c Case) ([]Trial, error)
	// Run measures once. The transcript holds what was run so far even if the error
	// is non-nil.
	Run(ctx context.Context, t Trial, on Bench) (Transcript, error)
	// Parse reads what a tool printed. It is pure and total: it returns measurements
	// or a clear error, and never panics or returns a silent zero.
	Parse(tr Transcript) ([]Measurement, error)
}

// Preparer is a Probe that must prepare the scratch space before its first
// repeat, so that the repeat does not measure allocation.
type Preparer interface {
	// Prepare prepares on.Scratch and returns the part that may be measured, which is
	// less than was lent if the time limit on.Length expired first.
	Prepare(ctx context.Context, t Trial, on Bench) (Transcript, Scratch, error)
}

// Sizer is a Probe that chooses how much to measure from the available space and
// time.
type Sizer interface {
	// Sized returns the trial set to measure as much as the scratch space of an earlier
	// run held once prepared. It is pure.
	Sized(t Trial, was Scratch) Trial
}

// RepeatPreparer is a Probe with unmeasured work to do before each repeat: removing
// what earlier repeats wrote, or writing what this one will delete. Work that is done
// once belongs in Prepare.
type RepeatPreparer interface {
	// PrepareRepeat does everything that Run should not measure, within on.Length; what
	// does not fit is left undone. It must be idempotent.
	PrepareRepeat(ctx context.Context, t Trial, on Bench) (Transcript, error)
}

// Noter is a Probe that can report what its tool says besides its results.
type Noter interface {
	// Notes reads the transcript of a repeat, in which the names of Prepare's steps
	// start with "prepare: ". IDs are stable and texts short. Repeats with the same
	// condition return the same note, so that it is shown once. It is pure and total;
	// the absence of notes does not mean that all went well.
	Notes(tr Transcript) []Note
}

package migration

import (
	"cmp"
	"context"
	"slices"

	"assay"
	"assay/internal/lazyregexp"
)

// Hypervisor handles one guest, in the terms of its kind. Each method takes the host to ask.
type Hypervisor interface {
	// Words are its terms for messages.
	Words() Words
	// Ready rejects a running guest that cannot be moved away from home and back, and returns
	// what matters about it.
	Ready(ctx context.Context, home, away assay.Place) (Guest, error)
	// State returns the guest's state on a host: Running, Off, Nowhere, or another word, such
	// as Paused.
	State(ctx context.Context, at assay.Place) (string, error)
	// Job returns what a host is doing with the guest: NoJob, Leaving, Arriving, or another
	// word.
	Job(ctx context.Context, at assay.Place) (string, error)
	// Abort ends the migration in progress on the host that the guest leaves. It fails if
	// there is none, or if it can no longer be ended.
	Abort(ctx context.Context, at assay.Place) error
	// Autostart makes a host start the guest at boot, a setting that a move loses.
	Autostart(ctx context.Context, at assay.Place) error
	// Disks returns those that have to be copied into files made by assay, as the guest has
	// them where it runs; none if the hypervisor makes and removes the files itself.
	Disks(ctx context.Context, at assay.Place) ([]Disk, error)
	// Migrate moves the running guest from one of its hosts to the other; offline is for one
	// that is off. The step is what was run, as far as it got.
	Migrate(ctx context.Context, from, to assay.Place, offline bool) (assay.Step, error)
	// Progress returns how far a migration is, from the host that the guest leaves; false if
	// unknown.
	Progress(ctx context.Context, from assay.Place) (assay.Step, Report, bool)
	// Around returns the commands that describe a migration: one for the host that the guest
	// runs on, before, and one for the host that it was moved to, after. They are empty if
	// Migrate itself prints everything.
	Around() (before, after assay.Cmd)
}

// Words are a hypervisor's terms for messages about a guest.
type Words struct {
	Guest    string // domain web
	List     string // lists the guests of a host
	Start    string // what starts it
	Jobs     string // shows what a host is doing with it
	Forget   string // removes it from a host that need not have it
	Downtime string // allows it a longer downtime
}

// Guest is what matters about a guest before it is moved.
type Guest struct {
	Autostart bool
	Memory    int64  // its maximum, bytes
	Disks     []Disk // as Hypervisor.Disks has them
}

// kind is a kind of hypervisor.
type kind struct {
	word  string // as in cluster.yaml
	guest *lazyregexp.Regexp
	what  string // what a guest is called
	// transports are the connections between two hosts; the first is the default.
	transports []string
	of         func(Move) Hypervisor
}

var kinds = []kind{
	{Libvirt, domainName, "the name of a domain", []string{"ssh", "tls", "tcp"}, func(m Move) Hypervisor { return libvirt{m} }},
	{Proxmox, vmID, "the number of a VM", []string{"", "secure", "insecure"}, func(m Move) Hypervisor { return proxmox{m} }},
}

// The kinds of hypervisor.
const (
	Libvirt = "libvirt"
	Proxmox = "proxmox"
)

// kindOf returns the kind of a move; false if no kind has that word.
func kindOf(word string) (kind, bool) {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.word == cmp.Or(word, Libvirt) })
	if i < 0 {
		return kind{}, false
	}
	return kinds[i], true
}

// Transport returns a kind's default connection between two hosts.
func Transport(kind string) string {
	k, ok := kindOf(kind)
	if !ok {
		return ""
	}
	return k.transports[0]
}

// Transports returns all connections between two hosts.
func Transports() (all []string) {
	for _, k := range kinds {
		for _, t := range k.transports {
			if t != "" {
				all = append(all, t)
			}
		}
	}
	return all
}

// Moves reports whether guests of a kind of hypervisor can be moved.
func Moves(kind string) bool {
	_, ok := kindOf(kind)
	return ok && kind != ""
}

// Hypervisor returns what moves the guest. The move must have been checked.
func (m Move) Hypervisor() Hypervisor {
	k, _ := kindOf(m.Kind)
	return k.of(m)
}

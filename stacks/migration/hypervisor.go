package migration

import (
	"cmp"
	"context"
	"slices"

	"assay"
	"assay/internal/lazyregexp"
)

// Hypervisor does what is to be done about one guest, in the words of its kind. Each method is
// given the host that it asks.
type Hypervisor interface {
	// Words are how it is told of.
	Words() Words
	// Ready refuses a guest that runs, but could not be moved away from home and come back, and
	// says what matters of it.
	Ready(ctx context.Context, home, away assay.Place) (Guest, error)
	// State is what a host says of the guest: Running, Off, Nowhere, or another word, such as
	// Paused.
	State(ctx context.Context, at assay.Place) (string, error)
	// Job is what a host is doing with the guest: NoJob, Leaving, Arriving, or another word.
	Job(ctx context.Context, at assay.Place) (string, error)
	// Abort ends the migration that is under way where the guest leaves. It fails where there is
	// none, or where it can no longer be ended.
	Abort(ctx context.Context, at assay.Place) error
	// Autostart sets that a host starts the guest when it boots, which it forgets with a move.
	Autostart(ctx context.Context, at assay.Place) error
	// Disks are those that have to be copied into files which assay makes, as the guest has them
	// where it runs; there are none where the hypervisor makes and removes them itself.
	Disks(ctx context.Context, at assay.Place) ([]Disk, error)
	// Migrate moves the guest from one of its hosts to the other while it runs; offline is for one
	// that is off. The step is what was run, as far as it came.
	Migrate(ctx context.Context, from, to assay.Place, offline bool) (assay.Step, error)
	// Progress is how far a migration is, asked where the guest leaves; false where that is not
	// known.
	Progress(ctx context.Context, from assay.Place) (assay.Step, Report, bool)
	// Around are the commands that tell of a migration: one for the host on which the guest runs,
	// before, and one for the host to which it was moved, after. They are empty where Migrate
	// itself prints all that there is to know.
	Around() (before, after assay.Cmd)
}

// Words are how a kind of hypervisor tells of a guest.
type Words struct {
	Guest    string // domain web
	List     string // what lists the guests of a host
	Start    string // what starts it
	Jobs     string // what tells what a host is doing with it
	Forget   string // what removes it from a host that need not have it
	Downtime string // what lets it stand still for longer
}

// Guest is what matters of a guest before it is moved.
type Guest struct {
	Autostart bool
	Memory    int64  // the most that it may have, bytes
	Disks     []Disk // as Hypervisor.Disks has them
}

// kind is a kind of hypervisor.
type kind struct {
	word  string // as in cluster.yaml
	guest *lazyregexp.Regexp
	what  string // what a guest is called
	// transports are the ways between two hosts; the first is taken where nobody said.
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

// kindOf is the kind of a move; false where there is none of that word.
func kindOf(word string) (kind, bool) {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.word == cmp.Or(word, Libvirt) })
	if i < 0 {
		return kind{}, false
	}
	return kinds[i], true
}

// Transport is the way between two hosts where nobody said another.
func Transport(kind string) string {
	k, ok := kindOf(kind)
	if !ok {
		return ""
	}
	return k.transports[0]
}

// Transports are all ways between two hosts.
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

// Hypervisor is what moves the guest. The move has been checked.
func (m Move) Hypervisor() Hypervisor {
	k, _ := kindOf(m.Kind)
	return k.of(m)
}

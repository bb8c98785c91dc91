package guest

import "assay/internal/lazyregexp"

// Kind is a kind of hypervisor.
type Kind struct {
	Word string // in cluster.yaml
	What string // how a guest is named, for people
	// Template is the key in cluster.yaml for what clones are made from.
	Template string
	// Storage is the key for where guests made from a cloud image have their disks.
	Storage string
	name    *lazyregexp.Regexp
	made    func(name string) Agent
}

// Kinds lists the kinds of hypervisor whose guests can be reached.
var Kinds = []Kind{
	{Word: "libvirt", What: "the name of a domain (its UUID if the name is a number)", Template: "domain", Storage: "pool", name: domainName, made: libvirt},
	{Word: "proxmox", What: "the number of a VM, from 100 on", Template: "template", Storage: "storage", name: vmID, made: proxmox},
}

// Valid reports whether name is valid for a guest.
func (k Kind) Valid(name string) bool { return k.name.MatchString(name) }

// Pattern returns the regular expression of valid names.
func (k Kind) Pattern() string { return k.name.String() }

// Agent returns the agent of the guest with that valid name.
func (k Kind) Agent(name string) Agent { return k.made(name) }

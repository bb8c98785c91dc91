package beneath

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"assay"
)

// Kind is a kind of hypervisor.
type Kind struct {
	Word string // as in cluster.yaml
	// argv returns the command that prints the guest's configuration.
	argv func(guest string) []string
	// read parses that configuration: pure and total.
	read func(text []byte) (assay.GuestFacts, error)
	// path returns the command that prints the path of a disk in a storage.
	path func(d assay.GuestDisk) []string
}

// Kinds are the known kinds.
var Kinds = []Kind{
	{"libvirt", func(guest string) []string {
		return []string{"virsh", "-c", "qemu:///system", "dumpxml", "--domain", guest}
	}, Libvirt, func(d assay.GuestDisk) []string {
		return []string{"virsh", "-q", "-c", "qemu:///system", "vol-path", "--pool", d.Storage, "--vol", d.Source}
	}},
	{"proxmox", func(guest string) []string { return []string{"qm", "config", guest} }, Proxmox,
		func(d assay.GuestDisk) []string { return []string{"pvesm", "path", d.Source} }},
}

// patience bounds a query that the hypervisor answers from a file.
const patience = time.Minute

// Ask queries the hypervisor at a place for the facts of a guest of a known
// kind.
func Ask(ctx context.Context, hypervisor assay.Place, kind, guest string) (assay.GuestFacts, error) {
	for _, k := range Kinds {
		if k.Word != kind {
			continue
		}
		out, err := hypervisor.Run(ctx, assay.Cmd{Argv: k.argv(guest), Timeout: patience})
		if err != nil {
			return assay.GuestFacts{}, err
		}
		if out.Exit != 0 {
			line, _, _ := bytes.Cut(bytes.TrimSpace(out.Stderr), []byte("\n"))
			return assay.GuestFacts{}, fmt.Errorf("%s on %s exited %d: %.200s", k.argv(guest)[0], hypervisor.Host().Name, out.Exit, line)
		}
		f, err := k.read(out.Stdout)
		f.Hypervisor = hypervisor.Host().Name
		for i, d := range f.Disks {
			f.Disks[i].Device = Device(ctx, hypervisor, kind, d)
		}
		return f, err
	}
	return assay.GuestFacts{}, fmt.Errorf("unknown kind of hypervisor %q", kind)
}

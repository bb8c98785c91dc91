package inventory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"assay"
)

// Asked is a host with the directories to query, and the block devices that may
// be read as a whole (both absolute paths).
type Asked struct {
	Place   assay.Place
	Dirs    []string
	Devices []string
	Tools   []string // programs to look for besides those of all hosts
	// Beneath queries the hypervisor of a virtual machine about it; nil for other
	// hosts.
	Beneath func(context.Context) (assay.GuestFacts, error)
	// Blocks are the devices that may be overwritten, by path.
	Blocks []assay.Subject
	// Named are subjects that the file names: virtual machines on the host that may be moved
	// away, what may be stopped.
	Named []assay.Subject
}

// Survey queries the facts of several hosts concurrently and joins them into one
// inventory, in their order. Hosts that could not be queried are in it as
// Absent; down has their errors, by host. It fails if two hosts have the same
// name.
func Survey(ctx context.Context, hosts []Asked, tools []string) (inv assay.Inventory, down map[string]error, err error) {
	inv.Facts, down = map[string]assay.Facts{}, map[string]error{}
	known := map[string]bool{}
	for _, h := range hosts {
		host := h.Place.Host()
		if known[host.Name] {
			return assay.Inventory{}, nil, fmt.Errorf("duplicate host %s", host.Name)
		}
		known[host.Name] = true
		inv.Hosts = append(inv.Hosts, host)
	}
	facts, devices, errs := make([]assay.Facts, len(hosts)), make([][]string, len(hosts)), make([]error, len(hosts))
	blocks := make([][]string, len(hosts))
	var all sync.WaitGroup
	for i, h := range hosts {
		all.Go(func() {
			if facts[i], errs[i] = Discover(ctx, h.Place, h.Dirs, slices.Concat(tools, h.Tools)); errs[i] == nil {
				devices[i], errs[i] = kernelPaths(ctx, h.Place, h.Devices, "/dev/disk/")
				h.askBeneath(ctx, &facts[i])
			}
			if errs[i] == nil {
				blocks[i], errs[i] = kernelPaths(ctx, h.Place, names(h.Blocks), "/dev/disk/")
			}
		})
	}
	all.Wait()
	for i, host := range inv.Hosts {
		if errs[i] != nil {
			down[host.Name] = errs[i]
			inv.Hosts[i].Absent = &assay.Absence{Word: assay.Unknown, Why: errs[i].Error(), Hint: assay.Hint(errs[i])}
			continue
		}
		inv.Facts[host.Name] = facts[i]
		inv.Subjects = append(inv.Subjects, Subjects(facts[i], hosts[i].Dirs)...)
		inv.Subjects = append(inv.Subjects, Devices(facts[i], devices[i])...)
		inv.Subjects = append(inv.Subjects, Blocks(facts[i], hosts[i].Blocks, blocks[i])...)
		inv.Subjects = append(inv.Subjects, hosts[i].Named...)
	}
	return inv, down, nil
}

// askBeneath adds what the hypervisor reports about the host. If that fails, the host's
// own facts stand.
func (h Asked) askBeneath(ctx context.Context, f *assay.Facts) {
	if h.Beneath == nil {
		return
	}
	guest, err := h.Beneath(ctx)
	if err != nil {
		f.Missing = append(f.Missing, assay.MissingFact{Fact: "virtual disks", Why: "the hypervisor does not tell: " + err.Error(), Hint: assay.Hint(err)})
		return
	}
	f.Guest = &guest
}

func names(all []assay.Subject) []string {
	var words []string
	for _, s := range all {
		words = append(words, s.Name)
	}
	return words
}

// kernelPaths returns devices by their kernel paths: those below links, such as
// /dev/disk/by-id/…, are resolved if they exist.
func kernelPaths(ctx context.Context, at assay.Place, devices []string, links string) ([]string, error) {
	if !slices.ContainsFunc(devices, func(d string) bool { return strings.HasPrefix(d, links) }) {
		return devices, nil
	}
	const follow = `links=$1; shift
		for d; do
			to=; case $d in "$links"*) [ -e "$d" ] && to=$(readlink -f "$d") ;; esac
			printf '%s\n' "${to:-$d}"
		done`
	out, err := at.Run(ctx, assay.Cmd{Argv: append([]string{"sh", "-c", follow, "sh", links}, devices...), Timeout: patience})
	if err != nil {
		return nil, err
	}
	paths := strings.Split(strings.TrimSuffix(string(out.Stdout), "\n"), "\n")
	if len(paths) != len(devices) {
		return nil, fmt.Errorf("host %s: resolved %[3]d of %[2]d device links", at.Host().Name, len(devices), len(paths))
	}
	return paths, nil
}

// Gather is Survey for hosts that are all queried about the same directories,
// and fails if any of them cannot be queried.
func Gather(ctx context.Context, places []assay.Place, dirs, tools []string) (assay.Inventory, error) {
	var hosts []Asked
	for _, at := range places {
		hosts = append(hosts, Asked{Place: at, Dirs: dirs})
	}
	inv, down, err := Survey(ctx, hosts, tools)
	if err != nil {
		return assay.Inventory{}, err
	}
	var errs []error
	for _, h := range inv.Hosts {
		errs = append(errs, down[h.Name])
	}
	if err := errors.Join(errs...); err != nil {
		return assay.Inventory{}, err
	}
	return inv, nil
}

// Links returns the paths between the hosts of each network, in both
// directions, where both ends could be queried.
func Links(inv assay.Inventory) []assay.Subject {
	var all []assay.Subject
	for _, n := range inv.Networks {
		for _, from := range inv.Hosts {
			for _, to := range inv.Hosts {
				_, fromUp := inv.Facts[from.Name]
				_, toUp := inv.Facts[to.Name]
				if from.Name == to.Name || !fromUp || !toUp || n.Addresses[from.Name] == "" || n.Addresses[to.Name] == "" {
					continue
				}
				name := n.Name + ":" + to.Name
				all = append(all, assay.Subject{
					ID: from.Name + "/" + string(assay.KindLink) + "/" + name, Kind: assay.KindLink,
					Host: from.Name, Peer: to.Name, Network: n.Name, Name: name,
				})
			}
		}
	}
	return all
}

package ceph

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"assay"
	"assay/internal/prose"
	"assay/internal/quantity"
)

// Interface is an address of a host, with the prefix of its network.
type Interface struct {
	Name    string
	Address netip.Prefix
}

// ReadInterfaces reads what ip -o addr show prints, a line each address:
//
//	4: eth0    inet 10.0.0.1/24 brd 10.0.0.255 scope global eth0
//
// Lines that are none are left out.
func ReadInterfaces(text []byte) []Interface {
	var all []Interface
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 4 || f[2] != "inet" && f[2] != "inet6" {
			continue
		}
		name, _, _ := strings.Cut(f[1], "@")
		if address, err := netip.ParsePrefix(f[3]); err == nil && !address.Addr().IsLoopback() {
			all = append(all, Interface{name, address})
		}
	}
	return all
}

// Own returns the interfaces by which a host with these addresses is on the public and on
// the cluster network: those with an address of an OSD, or without one the interface that
// shares a network with OSDs. What cannot be told is "".
func (c Cluster) Own(all []Interface) (public, cluster string) {
	return on(all, c.Addresses, func(a Address) string { return a.Public }), on(all, c.Addresses, func(a Address) string { return a.Cluster })
}

func on(all []Interface, osds []Address, of func(Address) string) string {
	for _, match := range []func(netip.Prefix, netip.Addr) bool{
		func(own netip.Prefix, osd netip.Addr) bool { return own.Addr() == osd },
		func(own netip.Prefix, osd netip.Addr) bool { return own.Contains(osd) },
	} {
		for _, i := range all {
			if slices.ContainsFunc(osds, func(a Address) bool {
				osd, err := netip.ParseAddr(strings.Trim(of(a), "[]"))
				return err == nil && match(i.Address, osd)
			}) {
				return i.Name
			}
		}
	}
	return ""
}

// interfaces asks a host for its addresses: none where it has no program that tells.
func interfaces(ctx context.Context, at assay.Place) []Interface {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"ip", "-o", "addr", "show"}, Timeout: 30 * time.Second})
	if err != nil || out.Exit != 0 {
		return nil
	}
	return ReadInterfaces(out.Stdout)
}

// OddNetworks is what of a host's links does not suit a Ceph: copies that travel on a
// slower link than clients use, or on that of the clients where a faster one is idle.
func OddNetworks(f assay.Facts) []assay.Note {
	public, cluster := nic(f, f.Stack.PublicNIC), nic(f, f.Stack.ClusterNIC)
	if f.Stack.Outside || public == nil || cluster == nil || public.Speed == 0 {
		return nil
	}
	if public.Name != cluster.Name {
		if cluster.Speed == 0 || cluster.Speed >= public.Speed {
			return nil
		}
		return []assay.Note{{ID: "ceph-cluster-slower", Text: fmt.Sprintf(
			"%s: its link on the cluster network (%s, %s) is slower than that on the public one (%s, %s): a write waits for its copies, so give them the faster link",
			f.Host, cluster.Name, quantity.Rate(cluster.Speed), public.Name, quantity.Rate(public.Speed))}}
	}
	for _, n := range f.NICs {
		if n.State == "up" && (!n.Virtual || n.Members > 0) && n.Speed > public.Speed {
			return []assay.Note{{ID: "ceph-cluster-absent", Text: fmt.Sprintf(
				"%s: copies share %s (%s) with the clients, while %s is up at %s: set cluster_network to its network, or move Ceph there",
				f.Host, public.Name, quantity.Rate(public.Speed), n.Name, quantity.Rate(n.Speed))}}
		}
	}
	return nil
}

func nic(f assay.Facts, name string) *assay.NICFacts {
	i := slices.IndexFunc(f.NICs, func(n assay.NICFacts) bool { return n.Name == name })
	if name == "" || i < 0 {
		return nil
	}
	return &f.NICs[i]
}

// Compare returns what the facts of all hosts of a tier show together: an MTU that is not
// the same everywhere on one of Ceph's networks.
func (Tier) Compare(hosts []assay.Facts) []assay.Note {
	var notes []assay.Note
	for _, network := range []struct {
		name string
		of   func(assay.StackFacts) string
	}{
		{"public", func(s assay.StackFacts) string { return s.PublicNIC }},
		{"cluster", func(s assay.StackFacts) string { return s.ClusterNIC }},
	} {
		var said []string
		mtus := map[int]bool{}
		for _, f := range hosts {
			if f.Stack == nil {
				continue
			}
			if n := nic(f, network.of(*f.Stack)); n != nil && n.MTU > 0 {
				mtus[n.MTU] = true
				said = append(said, fmt.Sprintf("%d on %s (%s)", n.MTU, f.Host, n.Name))
			}
		}
		if len(mtus) > 1 {
			notes = append(notes, assay.Note{ID: "ceph-mtu", Text: fmt.Sprintf(
				"the MTU on the %s network differs: %s: large packets to a host with the smaller one are dropped, and OSDs flap or hang; set the same on all hosts and the switch",
				network.name, prose.And(said))})
		}
	}
	return notes
}

package ceph

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"time"

	"assay"
)

// Interface is an address of a host, with the prefix of its network.
type Interface struct {
	Name    string
	Address netip.Prefix
}

// ReadInterfaces reads the output of ip -o addr show, one line per address:
//
//	4: eth0    inet 10.0.0.1/24 brd 10.0.0.255 scope global eth0
//
// Other lines are skipped.
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

// Own returns a host's interfaces on the public and on the cluster network, given its
// addresses: those with an address of an OSD, or else the interface that shares a network
// with OSDs. An unknown interface is "".
func Own(all []Interface, osds []assay.StackDisk) (public, cluster string) {
	return on(all, osds, func(d assay.StackDisk) string { return d.Serves }), on(all, osds, func(d assay.StackDisk) string { return d.Copies })
}

func on(all []Interface, osds []assay.StackDisk, of func(assay.StackDisk) string) string {
	for _, match := range []func(netip.Prefix, netip.Addr) bool{
		func(own netip.Prefix, osd netip.Addr) bool { return own.Addr() == osd },
		func(own netip.Prefix, osd netip.Addr) bool { return own.Contains(osd) },
	} {
		for _, i := range all {
			if slices.ContainsFunc(osds, func(d assay.StackDisk) bool {
				osd, err := netip.ParseAddr(strings.Trim(of(d), "[]"))
				return err == nil && match(i.Address, osd)
			}) {
				return i.Name
			}
		}
	}
	return ""
}

// interfaces asks a host for its addresses: none if it has no ip command.
func interfaces(ctx context.Context, at assay.Place) []Interface {
	out, err := at.Run(ctx, assay.Cmd{Argv: []string{"ip", "-o", "addr", "show"}, Timeout: 30 * time.Second})
	if err != nil || out.Exit != 0 {
		return nil
	}
	return ReadInterfaces(out.Stdout)
}

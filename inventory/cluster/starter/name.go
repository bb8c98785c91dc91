package starter

import (
	"fmt"
	"net/netip"
	"strings"

	"assay/inventory/cluster"
)

// Host returns a target as a host to query, under the name as typed, which Name
// may replace once the host has reported its own.
func (t Target) Host(config string) cluster.Host {
	return cluster.Host{Name: t.Address, Address: t.Address, User: t.User, SSH: cluster.SSH{Config: config}}
}

// Name sets the name of each found host: the one typed, or the host's own
// hostname if an address was typed.
func Name(found []Found) {
	taken := map[string]bool{}
	free := func(name string) bool {
		return cluster.ValidName(name) && cluster.ValidAddress(name) && !taken[strings.ToLower(name)]
	}
	for i := range found {
		f := &found[i]
		own, _, _ := strings.Cut(f.Answer.Facts.OS.Hostname, ".")
		name := f.Target.Address
		_, err := netip.ParseAddr(name)
		if isAddress := err == nil; isAddress && own != "localhost" && free(own) {
			name = own
		}
		for n := i + 1; !free(name); n++ {
			name = fmt.Sprintf("host-%d", n)
		}
		taken[strings.ToLower(name)] = true
		f.Answer.Host.Name, f.Answer.Facts.Host = name, name
	}
}

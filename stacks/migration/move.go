package migration

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// Move is a guest that may be moved, and the hosts to move it between. It is plain
// data: part of a cluster.yaml, a subject, and a receipt in the journal.
type Move struct {
	Kind  string `json:"kind,omitempty"` // of hypervisor; "" is Libvirt
	Guest string `json:"guest"`          // what it is called there
	Home  End    `json:"home"`           // where it runs and comes back to
	Away  End    `json:"away"`
	// Transport is the connection between the hosts, one of its hypervisor's
	// transports.
	Transport string `json:"transport,omitempty"`
	// Network is the network of the hosts' addresses; "" if none was named, and a hypervisor
	// that has a network for migrations uses that.
	Network string `json:"network,omitempty"`
	// Address is the guest's own, for queries; "" if it is not queried.
	Address string `json:"address,omitempty"`
	// Load is how many bytes of its memory are changed per second while it is moved under
	// load; 0 if it is only moved without one.
	Load int64 `json:"load,omitempty"`
	// Copy means that its disks go with it, because its hosts do not share them; Copied
	// lists these, separated by commas, once known.
	Copy   bool   `json:"copy,omitempty"`
	Copied string `json:"-"`
}

// End is one of the two hosts.
type End struct {
	Host    string `json:"host"`    // by its name in the cluster.yaml
	Address string `json:"address"` // by which the other reaches it
}

// MostLoad is the most memory to change per second, in bytes.
const MostLoad = 1 << 40

var (
	// A domain's name is a command argument, and must not look like an option.
	vmID       = lazyregexp.New(`^[1-9][0-9]{2,8}$`)
	domainName = lazyregexp.New(`^[A-Za-z0-9_.][A-Za-z0-9_.+:@-]{0,99}$`)
	hostName   = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)
	dnsName    = lazyregexp.New(`^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$`)
)

// ValidAddress reports whether a word is an IP address without a zone, or a name.
func ValidAddress(word string) bool {
	if address, err := netip.ParseAddr(word); err == nil {
		return address.Zone() == "" && !address.IsUnspecified() && !address.IsMulticast()
	}
	return dnsName.MatchString(word)
}

// Check rejects moves that cannot be carried out.
func (m Move) Check() error {
	for _, e := range []End{m.Home, m.Away} {
		switch {
		case !hostName.MatchString(e.Host):
			return fmt.Errorf("%.60q cannot be the name of a host", e.Host)
		case !ValidAddress(e.Address):
			return fmt.Errorf("%.60q of %s is neither an IP address nor a name", e.Address, e.Host)
		}
	}
	k, ok := kindOf(m.Kind)
	switch {
	case !ok:
		return fmt.Errorf("guests of %.20q are not moved", m.Kind)
	case !k.guest.MatchString(m.Guest):
		return fmt.Errorf("%.60q cannot be %s", m.Guest, k.what)
	case m.Network != "" && !hostName.MatchString(m.Network):
		return fmt.Errorf("%.60q cannot be the name of a network", m.Network)
	case m.Home.Host == m.Away.Host || m.Home.Address == m.Away.Address:
		return errors.New("a guest is moved from one host to another")
	case !slices.Contains(k.transports, m.Transport):
		return fmt.Errorf("%.20q is not one of %s, the transports of %s", m.Transport, strings.TrimPrefix(strings.Join(k.transports, ", "), ", "), k.word)
	case m.Load < 0 || m.Load > MostLoad:
		return fmt.Errorf("a load of %d bytes per second is not from 1 to %d", m.Load, int64(MostLoad))
	case m.Load > 0 && m.Address == "":
		return errors.New("a load needs the guest's address:, by which it is told what it did")
	case m.Address != "" && !ValidAddress(m.Address):
		return fmt.Errorf("%.60q is neither an IP address nor a name", m.Address)
	}
	return nil
}

// Keys of a subject's parameters.
const (
	paramKind      = "kind"
	paramGuest     = "guest"
	paramHome      = "home"
	paramHomeAt    = "home.address"
	paramAway      = "away"
	paramAwayAt    = "away.address"
	paramTransport = "transport"
	paramNetwork   = "network"
	paramAddress   = "address"
	paramLoad      = "load"
	paramDisks     = "disks"
)

// Copies is the word for disks that go with their guest.
const Copies = "copy"

// Params returns the move as a subject's parameters.
func (m Move) Params() map[string]string {
	all := map[string]string{
		paramKind: m.Kind, paramGuest: m.Guest, paramHome: m.Home.Host, paramHomeAt: m.Home.Address,
		paramAway: m.Away.Host, paramAwayAt: m.Away.Address, paramTransport: m.Transport, paramNetwork: m.Network, paramAddress: m.Address,
	}
	if m.Load > 0 {
		all[paramLoad] = strconv.FormatInt(m.Load, 10)
	}
	if m.Copy {
		all[paramDisks] = Copies
	}
	maps.DeleteFunc(all, func(_, value string) bool { return value == "" })
	return all
}

// Of parses the move in a subject's parameters.
func Of(params map[string]string) (Move, error) {
	m := Move{
		Kind: cmp.Or(params[paramKind], Libvirt), Guest: params[paramGuest], Home: End{params[paramHome], params[paramHomeAt]}, Away: End{params[paramAway], params[paramAwayAt]},
		Transport: params[paramTransport], Network: params[paramNetwork], Address: params[paramAddress], Copy: params[paramDisks] == Copies,
	}
	if load := params[paramLoad]; load != "" {
		var err error
		if m.Load, err = strconv.ParseInt(load, 10, 64); err != nil || m.Load == 0 {
			return m, fmt.Errorf("a load of %.40q", load)
		}
	}
	return m, m.Check()
}

// Other returns the end that is not that host.
func (m Move) Other(host string) End {
	if host == m.Home.Host {
		return m.Away
	}
	return m.Home
}

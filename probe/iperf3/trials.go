package iperf3

import (
	"fmt"
	"maps"
	"net/netip"
	"strconv"
	"time"

	"assay"
	"assay/internal/setting"
	"assay/internal/version"
)

// How long a repeat takes beyond its measuring time.
const (
	flowOverhead = 400 * time.Millisecond // server start, until it listens, and its exit
	pingOverhead = 200 * time.Millisecond
	mtuOverhead  = 500 * time.Millisecond
)

// Trials returns one trial for each link, or for each pair of hosts in mode
// both.
func (*Probe) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	set, err := readSettings(setting.Of(c.Name, c.Set))
	switch {
	case err != nil:
		return nil, err
	case c.On != assay.KindLink:
		return nil, fmt.Errorf("case %s: mode %s measures a %q, not a %q", c.Name, set.mode, assay.KindLink, c.On)
	}
	book := addressBook(inv)
	paired := map[[3]string]bool{}
	var trials []assay.Trial
	for _, s := range inv.Of(c.On) {
		if set.mode == modeBoth {
			if paired[[3]string{s.Network, s.Peer, s.Host}] {
				continue
			}
			paired[[3]string{s.Network, s.Host, s.Peer}] = true
		}
		trials = append(trials, trialOn(inv, s, c, set, book))
	}
	return trials, nil
}

// settings holds a case's parsed and checked settings.
type settings struct {
	mode    string
	streams int           // in each direction; 0: iperf3's own
	omit    time.Duration // at the start, not counted
	rate    string        // of datagrams, as iperf3 takes it: 100M
}

func readSettings(r *setting.Reader) (s settings, err error) {
	s.mode = r.Choice("mode", modeSingle, modeParallel, modeBoth, modeUDP, modeRTT, modeMTU)
	s.streams = r.Count("streams", 0, 1, 128)
	s.omit = time.Duration(r.Count("omit", 0, 0, 60)) * time.Second
	r.Read("rate", func(value string) error {
		if s.rate = value; parseRate(value) == 0 {
			return fmt.Errorf("%q is not a number of bit/s such as 100M", value)
		}
		return nil
	})
	switch s.mode {
	case modeUDP:
		r.Need("rate", "add rate: 100M")
	case modeParallel:
		r.Need("streams", `add streams: "4"`)
	}
	when := "mode is " + s.mode
	r.NoEffect("rate", s.mode != modeUDP, when)
	r.NoEffect("streams", s.mode != modeParallel && s.mode != modeBoth, when)
	r.NoEffect("omit", s.mode == modeRTT || s.mode == modeMTU, when)
	return s, r.Err()
}

func trialOn(inv assay.Inventory, s assay.Subject, c assay.Case, of settings, book string) assay.Trial {
	n, known := networkOf(inv, s.Network)
	arrow := "→"
	if of.mode == modeBoth {
		arrow = "↔"
	}
	t := assay.Trial{
		ID:       tool + "/" + c.Name + "@" + s.ID,
		Probe:    tool,
		Case:     c.Name,
		Title:    fmt.Sprintf("%s, %s %s %s on %s", c.Title, s.Host, arrow, s.Peer, s.Network),
		Subject:  s,
		Settings: maps.Clone(c.Set),
		Claims:   []string{s.ID},
		Risk:     assay.Reads,
		Peer:     s.Peer,
		Overhead: of.overhead(),
	}
	set := t.Settings
	address(set, s, n, book)
	if n.MTU > 0 {
		set["mtu"] = strconv.Itoa(n.MTU)
	}
	t.Absent = absence(inv, n, known, s, of.mode)
	return t
}

// address puts both ends of a link and their addresses into the settings, and the book of
// all owners' addresses.
func address(set map[string]string, s assay.Subject, n assay.Network, book string) {
	set["network"], set["from"], set["to"] = s.Network, s.Host, s.Peer
	set["addresses"] = book
	set["from_address"], set["to_address"] = n.Addresses[s.Host], n.Addresses[s.Peer]
}

// Readdress returns a trial with the addresses that its hosts have in a newer
// inventory: a pod has another each time. Without a path between them there it has
// none, and cannot run: the earlier ones come from a database. Pure.
func (*Probe) Readdress(t assay.Trial, inv assay.Inventory) assay.Trial {
	n, _ := networkOf(inv, t.Subject.Network)
	t.Settings = maps.Clone(t.Settings)
	if t.Settings == nil {
		t.Settings = map[string]string{}
	}
	address(t.Settings, t.Subject, n, addressBook(inv))
	return t
}

func (s settings) overhead() time.Duration {
	switch s.mode {
	case modeRTT:
		return pingOverhead
	case modeMTU:
		return mtuOverhead
	}
	return flowOverhead + s.omit
}

func networkOf(inv assay.Inventory, name string) (assay.Network, bool) {
	for _, n := range inv.Networks {
		if n.Name == name {
			return n, true
		}
	}
	return assay.Network{}, false
}

// absence returns why a link cannot be measured, or nil.
func absence(inv assay.Inventory, n assay.Network, known bool, s assay.Subject, mode string) *assay.Absence {
	if !known {
		return unknown("", "network %s of %s is unknown", s.Network, s.ID)
	}
	for _, host := range []string{s.Host, s.Peer} {
		address := n.Addresses[host]
		switch a, err := netip.ParseAddr(address); {
		case address == "":
			return unknown("add its address under networks", "the address of %s on network %s is unknown", host, n.Name)
		case err != nil || a.Zone() != "":
			return unknown("use an IP address without a zone", "%q, the address of %s on network %s, is not an address that can be measured", address, host, n.Name)
		}
	}
	for _, host := range []string{s.Host, s.Peer} {
		if a := lacking(inv.Facts[host], host, mode); a != nil {
			return a
		}
	}
	if mode == modeRTT || mode == modeMTU {
		if inv.Facts[s.Host].Tool("ping").Path == "" {
			return unknown("install ping on "+s.Host+" (package iputils-ping or iputils)", "ping is not installed on %s", s.Host)
		}
	}
	return nil
}

// lacking returns what a host at either end lacks.
func lacking(f assay.Facts, host, mode string) *assay.Absence {
	have := f.Tool("iperf3")
	switch {
	case f.Host == "":
		return unknown("", "no facts were collected about %s", host)
	case have.Path == "":
		return unknown("install iperf3 on "+host, "iperf3 is not installed on %s", host)
	case version.Older(have.Version, leastVersion):
		return unknown("install a newer iperf3 on "+host, "iperf3 on %s is too old: found %s, need %s or later", host, have.Version, leastVersion)
	case mode == modeBoth && version.Older(have.Version, leastBidir):
		return unknown("install a newer iperf3 on "+host, "iperf3 on %s cannot send both ways at once: found %s, need %s or later", host, have.Version, leastBidir)
	}
	return nil
}

func unknown(hint, format string, args ...any) *assay.Absence {
	return &assay.Absence{Word: assay.Unknown, Why: fmt.Sprintf(format, args...), Hint: hint}
}

package iperf3

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"assay"
	"assay/internal/version"
)

// What a repeat takes beyond its measuring time.
const (
	flowOverhead = 400 * time.Millisecond // starting the server, seeing it listen and gone
	pingOverhead = 200 * time.Millisecond
	mtuOverhead  = 500 * time.Millisecond
)

// Trials returns one trial for each link, in mode both one for each pair of
// hosts. The settings are mode (tcp-single, tcp-parallel, both, udp, rtt, mtu), and
// for iperf3 also streams (a number, in each direction) and omit (s at the start
// that do not count); for udp also rate, in bit/s (100M).
func (*Probe) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	if err := checkCase(c); err != nil {
		return nil, fmt.Errorf("case %s: %w", c.Name, err)
	}
	book := addressBook(inv)
	paired := map[[3]string]bool{}
	var trials []assay.Trial
	for _, s := range inv.Of(c.On) {
		if c.Set["mode"] == modeBoth {
			if paired[[3]string{s.Network, s.Peer, s.Host}] {
				continue
			}
			paired[[3]string{s.Network, s.Host, s.Peer}] = true
		}
		trials = append(trials, trialOn(inv, s, c, book))
	}
	return trials, nil
}

// checkCase refuses what could only be a mistake in a suite.
func checkCase(c assay.Case) error {
	modes := []string{modeSingle, modeParallel, modeBoth, modeUDP, modeRTT, modeMTU}
	mode := c.Set["mode"]
	if !slices.Contains(modes, mode) {
		return assay.WithHint(fmt.Sprintf("mode is one of %v", modes), "unknown mode %q", mode)
	}
	if c.On != assay.KindLink {
		return fmt.Errorf("mode %s measures a %q, not a %q", mode, assay.KindLink, c.On)
	}
	flows := mode != modeRTT && mode != modeMTU
	for _, key := range slices.Sorted(maps.Keys(c.Set)) {
		value := c.Set[key]
		n, err := strconv.Atoi(value)
		switch {
		case key == "mode":
		case key == "rate" && mode == modeUDP:
			if parseRate(value) == 0 {
				return assay.WithHint("rate is in bit/s, for example 100M", "invalid rate %q", value)
			}
		case key == "streams" && (mode == modeParallel || mode == modeBoth):
			if err != nil || n < 1 || n > 128 {
				return assay.WithHint("streams is a number from 1 to 128", "invalid streams %q", value)
			}
		case key == "omit" && flows:
			if err != nil || n < 0 || n > 60 {
				return assay.WithHint("omit is a number of seconds from 0 to 60", "invalid omit %q", value)
			}
		default:
			return fmt.Errorf("unknown setting %q in mode %s", key, mode)
		}
	}
	if mode == modeUDP && c.Set["rate"] == "" {
		return assay.WithHint("add rate: 100M", "mode %s needs a rate", mode)
	}
	if mode == modeParallel && c.Set["streams"] == "" {
		return assay.WithHint("add streams: \"4\"", "mode %s needs streams", mode)
	}
	return nil
}

func trialOn(inv assay.Inventory, s assay.Subject, c assay.Case, book string) assay.Trial {
	n, known := networkOf(inv, s.Network)
	arrow := "→"
	if c.Set["mode"] == modeBoth {
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
		Overhead: overhead(c.Set),
	}
	set := t.Settings
	set["network"], set["from"], set["to"] = s.Network, s.Host, s.Peer
	address(set, n, book)
	if n.MTU > 0 {
		set["mtu"] = strconv.Itoa(n.MTU)
	}
	t.Absent = absence(inv, n, known, s, c.Set["mode"])
	return t
}

// address puts the addresses of both ends into the settings, and the book of whose
// all of them are.
func address(set map[string]string, n assay.Network, book string) {
	set["addresses"] = book
	set["from_address"], set["to_address"] = n.Addresses[set["from"]], n.Addresses[set["to"]]
}

// Readdress returns a trial with the addresses that its hosts have in an inventory
// that is newer than it: a pod has another each time. It stays as it is where that
// knows no way between them. Pure.
func (*Probe) Readdress(t assay.Trial, inv assay.Inventory) assay.Trial {
	n, known := networkOf(inv, t.Subject.Network)
	if !known || n.Addresses[t.Subject.Host] == "" || n.Addresses[t.Peer] == "" {
		return t
	}
	t.Settings = maps.Clone(t.Settings)
	address(t.Settings, n, addressBook(inv))
	return t
}

func overhead(set map[string]string) time.Duration {
	switch set["mode"] {
	case modeRTT:
		return pingOverhead
	case modeMTU:
		return mtuOverhead
	}
	return flowOverhead + seconds(set["omit"])
}

// seconds reads a whole number of seconds; 0 where there is none.
func seconds(text string) time.Duration {
	n, _ := strconv.Atoi(text)
	return time.Duration(n) * time.Second
}

func networkOf(inv assay.Inventory, name string) (assay.Network, bool) {
	for _, n := range inv.Networks {
		if n.Name == name {
			return n, true
		}
	}
	return assay.Network{}, false
}

// absence says why a link cannot be measured; nil where it can.
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

// lacking says what a host at either end lacks.
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

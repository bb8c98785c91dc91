package iperf3

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"assay"
)

// The steps that show which path packets take, from each end.
const (
	stepRoute         = "route"
	stepAddresses     = "addresses"
	stepPeerRoute     = "peer-route"
	stepPeerAddresses = "peer-addresses"
)

// ways asks both ends, at the same time, how they reach each other: as text and
// not as JSON, since busybox has it too. An end without the program ip is
// unknown.
func (s *session) ways(ctx context.Context) error {
	var (
		both  sync.WaitGroup
		steps [2][]assay.Step
		errs  [2]error
	)
	both.Go(func() { steps[0], errs[0] = look(ctx, s.here, s.link, stepRoute, stepAddresses) })
	both.Go(func() { steps[1], errs[1] = look(ctx, s.there, s.link.back(), stepPeerRoute, stepPeerAddresses) })
	both.Wait()
	s.keep(steps[0]...)
	s.keep(steps[1]...)
	return errors.Join(errs[:]...)
}

func look(ctx context.Context, run runner, l link, route, addresses string) ([]assay.Step, error) {
	var steps []assay.Step
	for _, c := range []struct {
		name string
		argv []string
	}{
		{route, []string{"ip", "route", "get", l.to.address, "from", l.from.address}},
		{addresses, []string{"ip", "-o", "addr", "show"}},
	} {
		step, err := run(ctx, c.name, lookBound, c.argv...)
		if errors.Is(err, assay.ErrNoCommand) {
			return steps, nil
		}
		steps = append(steps, step)
		if err != nil {
			return steps, err
		}
	}
	return steps, nil
}

// way is how packets leave one end.
type way struct {
	known   bool
	device  string
	gateway string // "" where the other end is a neighbour
	local   bool   // they do not leave the host
	network string // which the device is on, of those that are known; "" for unknown
	own     string // the interface with this end's address, if the network of device is unknown
	twins   string // hosts whose addresses this end has too, separated by spaces
}

// wayOf reads how packets leave l.from, from the steps of that end.
func (l link) wayOf(tr assay.Transcript, route, addresses string) way {
	step := tr.Step(route)
	if step == nil || step.Output.Exit != 0 {
		return way{}
	}
	w := readRoute(string(step.Output.Stdout))
	if step := tr.Step(addresses); step != nil && w.known && !w.local {
		addresses := readAddresses(string(step.Output.Stdout))
		w.network, w.twins = l.networkOn(addresses[w.device]), l.twins(addresses)
		if w.network == "" {
			w.own = l.otherOwn(addresses, w.device)
		}
	}
	return w
}

// readRoute parses the output of ip route get:
//
//	10.0.0.2 from 10.0.0.1 via 10.0.9.9 dev eth0 uid 0
func readRoute(text string) way {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	words := strings.Fields(line)
	w := way{local: len(words) > 0 && words[0] == "local"}
	for i := 1; i+1 < len(words); i++ {
		switch words[i] {
		case "dev":
			w.device, w.known = words[i+1], true
		case "via":
			w.gateway = words[i+1]
			if (w.gateway == "inet" || w.gateway == "inet6") && i+2 < len(words) {
				w.gateway = words[i+2]
			}
		}
	}
	return w
}

// readAddresses parses the output of ip -o addr show, one address per line:
//
//	4: eth0    inet 10.0.0.1/24 brd 10.0.0.255 scope global eth0
func readAddresses(text string) map[string][]string {
	found := map[string][]string{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 4 || f[2] != "inet" && f[2] != "inet6" {
			continue
		}
		device, _, _ := strings.Cut(f[1], "@")
		address, _, _ := strings.Cut(f[3], "/")
		found[device] = append(found[device], address)
	}
	return found
}

// twins returns the other hosts known to have one of these addresses: which of the
// two answers changes with each ARP cache.
func (l link) twins(addresses map[string][]string) string {
	var hosts []string
	for _, device := range slices.Sorted(maps.Keys(addresses)) {
		for _, a := range addresses[device] {
			if host := l.ownerOf(a); host != "" && host != l.from.host && !slices.Contains(hosts, host) {
				hosts = append(hosts, host)
			}
		}
	}
	return strings.Join(hosts, " ")
}

// networkOn returns the network of an interface with these addresses: the
// requested one, or else the first on which this host has one of them. In a
// mesh no link has the address, which does not mean another network.
func (l link) networkOn(addresses []string) string {
	other := ""
	for _, a := range addresses {
		if same(a, l.from.address) {
			return l.network
		}
		for _, o := range l.owners {
			if other == "" && o.host == l.from.host && same(o.address, a) {
				other = o.network
			}
		}
	}
	return other
}

// otherOwn returns the interface that has this end's address, if packets leave by
// another one. A mesh has its address on a loopback or on each of its links.
func (l link) otherOwn(addresses map[string][]string, device string) string {
	has := func(device string) bool {
		return slices.ContainsFunc(addresses[device], func(a string) bool { return same(a, l.from.address) })
	}
	if has(device) {
		return ""
	}
	for _, d := range slices.Sorted(maps.Keys(addresses)) {
		if d != "lo" && !strings.HasPrefix(d, "dummy") && has(d) {
			return d
		}
	}
	return ""
}

// hop describes what is between the ends: "direct", "local" if both are the
// same machine, "through pve2", "through 10.0.9.9".
func (l link) hop(w way) string {
	switch host := l.ownerOf(w.gateway); {
	case w.local:
		return "local"
	case w.gateway == "" || same(w.gateway, l.to.address) || host == l.to.host && host != "":
		return "direct"
	case host != "":
		return "through " + host
	}
	return "through " + w.gateway
}

// label adds to the figures which hosts they are between, and the path.
func (l link) label(tr assay.Transcript, all []assay.Measurement) {
	out := l.wayOf(tr, stepRoute, stepAddresses)
	back := l.back().wayOf(tr, stepPeerRoute, stepPeerAddresses)
	for i := range all {
		l, out, back := l, out, back
		if all[i].Labels["direction"] == reverse {
			l, out, back = l.back(), back, out
		}
		labels := all[i].Labels
		put := func(key, value string) {
			if value != "" {
				labels[key] = value
			}
		}
		put("from", l.from.host)
		put("to", l.to.host)
		put("from_address", l.from.address)
		put("to_address", l.to.address)
		put("network", l.network)
		if out.network != "" && out.network != l.network {
			put("network", out.network)
			put("network_asked", l.network)
		}
		if out.known {
			put("route", l.hop(out))
			put("also_has", out.twins)
			put("interface", out.device)
			put("own_interface", out.own)
		}
		if back.known {
			put("route_back", l.back().hop(back))
			put("peer_interface", back.device)
		}
	}
}

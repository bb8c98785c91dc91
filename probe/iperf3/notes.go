package iperf3

import (
	"fmt"

	"assay"
)

// Notes reports where packets did not take the requested path, and where they
// may not be as large as they should.
func (*Probe) Notes(tr assay.Transcript) []assay.Note {
	l, measured := linkOf(tr.Settings)
	if !measured {
		return nil
	}
	notes := l.strays(l.wayOf(tr, stepRoute, stepAddresses))
	notes = append(notes, l.back().strays(l.back().wayOf(tr, stepPeerRoute, stepPeerAddresses))...)
	if tr.Settings["mode"] == modeMTU {
		notes = append(notes, l.narrows(readSearch(tr, l))...)
	}
	return notes
}

// strays reports where the path from l.from is not the requested one.
func (l link) strays(w way) []assay.Note {
	var notes []assay.Note
	add := func(id, format string, args ...any) {
		notes = append(notes, assay.Note{ID: id, Text: fmt.Sprintf(format, args...)})
	}
	if !w.known {
		return nil
	}
	switch hop := l.hop(w); hop {
	case "direct":
	case "local":
		add("link-local", "%s is an address of %s itself: no traffic left the machine", l.to.address, l.from.host)
	default:
		add("link-route", "%s reaches %s %s on %s: the figures describe the whole path", l.from.host, l.to.address, hop, w.device)
	}
	if w.network != "" && w.network != l.network {
		add("link-network", "network %s was requested, but %s sends to %s on %s, which is on network %s",
			l.network, l.from.host, l.to.address, w.device, w.network)
	}
	if w.own != "" {
		add("link-interface", "network %s is on interface %s of %s, but packets to %s leave by %s", l.network, w.own, l.from.host, l.to.address, w.device)
	}
	return notes
}

// narrows reports where packets are smaller than the interface or the user
// says.
func (l link) narrows(m mtuSearch) []assay.Note {
	if !m.best.ok {
		return nil
	}
	var notes []assay.Note
	add := func(format string, args ...any) {
		notes = append(notes, assay.Note{ID: "link-mtu", Text: fmt.Sprintf(format, args...)})
	}
	switch size := m.best.size; {
	case m.device > size && m.silent:
		add("packets of more than %d B are silently dropped although the interface of %s has an MTU of %d: something on the path to %s has a smaller MTU",
			size, l.from.host, m.device, l.to.host)
	case m.device > size:
		add("packets of more than %d B do not reach %s unfragmented although the interface of %s has an MTU of %d", size, l.to.host, l.from.host, m.device)
	case l.mtu > size:
		add("the path MTU is %d B, but network %s is declared with %d", size, l.network, l.mtu)
	}
	return notes
}

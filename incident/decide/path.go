package decide

import (
	_ "embed"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/incident"
	"assay/incident/blame"
	"assay/internal/lazyregexp"
)

//go:embed path.sh
var pathScript string

const (
	pings    = 40
	pingSize = 1400 // B: small packets pass where large ones are lost
)

// path measures the network path to the peers of the host's iSCSI, NVMe/TCP and DRBD
// sessions.
var path = Decider{ID: "path", Reads: func(log incident.Log, v blame.Verdict) []Read {
	sessions := []incident.Kind{incident.ISCSIConn, incident.ISCSIDead, incident.ISCSILogin, incident.NVMeOFConn, incident.DRBDNet, incident.DRBDAlone, incident.NFSDown}
	hosts := map[string][]string{}
	var order []string
	add := func(e incident.Event) {
		if _, there := hosts[e.Host]; !there {
			order = append(order, e.Host)
			hosts[e.Host] = peers(log, e.Host, sessions)
		}
	}
	for _, s := range suspects(v) {
		if log.Stack.Find(s.Host, s.Device).Transport.Remote() {
			add(s)
		}
	}
	for _, c := range slices.Concat(v.Between, v.Rivals, deref(v.Cause)) {
		for _, e := range c.Evidence {
			if slices.Contains(sessions, e.Kind) {
				add(e)
			}
		}
	}
	var all []Read
	for _, h := range order {
		on := "this host"
		if h != "" {
			on = h
		}
		r := Read{Host: h, Bytes: 4 * 2 * pings * (pingSize + 42), Longest: 60 * time.Second,
			What:  fmt.Sprintf("send %d pings of %d B to each peer of the iSCSI, NVMe/TCP and DRBD sessions of %s (at most 4), and read the error counters of the port before and after", pings, pingSize, on),
			Shows: "loss, or errors that grow, are the network's; a clean path now doesn't tell how it was then",
		}
		r.argv = shell(pathScript, append([]string{strconv.Itoa(pings), strconv.Itoa(pingSize)}, hosts[h]...)...)
		r.judge = func(said []string) Shown { return pathShows(said[0]) }
		all = append(all, r)
	}
	return all
}}

func deref(c *blame.Cause) []blame.Cause {
	if c == nil {
		return nil
	}
	return []blame.Cause{*c}
}

var addressForm = lazyregexp.New(`\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}\b`)

// peers returns the addresses in the lines about lost sessions.
func peers(log incident.Log, host string, kinds []incident.Kind) []string {
	var all []string
	for _, e := range log.Events {
		if e.Host != host || !slices.Contains(kinds, e.Kind) {
			continue
		}
		for _, word := range addressForm.FindAllString(e.Text, -1) {
			a, err := netip.ParseAddr(word)
			if err == nil && !a.IsLoopback() && !a.IsUnspecified() && !a.IsMulticast() && !slices.Contains(all, word) {
				all = append(all, word)
			}
		}
	}
	return all[:min(len(all), 4)]
}

var pingForm = lazyregexp.New(`([0-9]+) packets transmitted, ([0-9]+) (?:packets )?received`)
var rttForm = lazyregexp.New(`(?:rtt|round-trip) min/avg/max(?:/mdev)? = ([0-9.]+)/([0-9.]+)/([0-9.]+)`)

// pathShows reports whether the path to a peer loses packets.
func pathShows(text string) Shown {
	const few = 2 // rate limiting on the peer may drop one
	var s Shown
	var says []string
	peer := ""
	seen, lossy := 0, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		f := strings.Split(line, "\t")
		if f[0] == "peer" && len(f) == 2 {
			peer = f[1]
		}
		if f[0] == "grew" && len(f) == 4 && grows[f[2]] {
			says = append(says, fmt.Sprintf("%s of %s grew by %s meanwhile", f[2], f[1], f[3]))
			lossy = true
		}
		if m := pingForm.FindStringSubmatch(line); m != nil && peer != "" {
			sent, _ := strconv.Atoi(m[1])
			got, _ := strconv.Atoi(m[2])
			seen++
			says = append(says, fmt.Sprintf("%d of %d pings to %s were answered", got, sent, peer))
			lossy = lossy || got > 0 && sent-got >= few
			if got == 0 {
				says[len(says)-1] += " (it is down, unreachable, or drops pings)"
			}
		}
		if m := rttForm.FindStringSubmatch(line); m != nil && len(says) > 0 {
			says[len(says)-1] += fmt.Sprintf(" in %s ms on average and %s ms at most", m[2], m[3])
		}
	}
	if seen == 0 {
		if why, absent := strings.CutPrefix(strings.TrimSpace(text), "absent "); absent {
			return Shown{Absent: why}
		}
		last := strings.Split(strings.TrimSpace(text), "\n")
		return Shown{Absent: "failed: ping said no count: " + last[len(last)-1]}
	}
	s.Says = strings.ToUpper(says[0][:1]) + says[0][1:]
	for _, w := range says[1:] {
		s.Says += "; " + w
	}
	s.Says += "."
	if lossy {
		s.For = []incident.Layer{incident.Network}
	}
	return s
}

// grows are the port counters that only faults increase.
var grows = map[string]bool{"rx_errors": true, "tx_errors": true, "rx_crc_errors": true, "carrier_changes": true}

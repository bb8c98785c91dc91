package hypotheses

import (
	"strconv"
	"strings"
)

const (
	windowDecides = "iperf3 -P 4: where a window is the limit, four flows carry four times as much"
	windowRemedy  = "Compare the socket buffers of {host} with the others': sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.core.rmem_max net.core.wmem_max"
)

// tcpWindowIn is a receive buffer so small that each flow waits for acknowledgements.
var tcpWindowIn = Hypothesis{
	ID: "tcp-window-in", Layer: "network", Name: "a TCP receive buffer that is too small", Usual: 3,
	Slows:   slows(.95, Receives).and(sometimes, OnEveryNetwork),
	Clues:   []Clue{smallerBuffer("net.ipv4.tcp_rmem"), boundByFlow},
	Decides: windowDecides, Remedy: windowRemedy,
}

// tcpWindowOut is a send buffer that is too small.
var tcpWindowOut = Hypothesis{
	ID: "tcp-window-out", Layer: "network", Name: "a TCP send buffer that is too small", Usual: 3,
	Slows:   slows(.95, Sends).and(sometimes, OnEveryNetwork),
	Clues:   []Clue{smallerBuffer("net.ipv4.tcp_wmem"), boundByFlow},
	Decides: windowDecides, Remedy: windowRemedy,
}

// smallerBuffer is the clue that the kernel limits a socket's buffer to a quarter, at
// most, of what the others allow.
func smallerBuffer(sysctl string) Clue {
	const much = 4
	ask := func(s *Suspect) Answer {
		a := lessOf(s, func(h string) float64 { return most(s.Facts[h].OS.Sysctls[sysctl]) }, bytesOf)
		if a.Is == Yes && most(s.own().OS.Sysctls[sysctl])*much > most(s.Facts[s.Others[0]].OS.Sysctls[sysctl]) {
			return Answer{}
		}
		if a.Is == Yes {
			a.Own, a.Theirs = s.own().OS.Sysctls[sysctl], s.Facts[s.Others[0]].OS.Sysctls[sysctl]
		}
		return a
	}
	return Clue{Ask: ask, If: .9, Else: .003, Proves: true, Says: "its " + sysctl + " is {own}, theirs {theirs}"}
}

// most returns the last of a buffer's three sizes: minimum, default and maximum; 0 if
// they are not known.
func most(sizes string) float64 {
	fields := strings.Fields(sizes)
	if len(fields) != 3 {
		return 0
	}
	v, _ := strconv.ParseFloat(fields[2], 64)
	return v
}

package iperf3

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

const stepInterfaceMTU = "interface-mtu"

// Packet sizes, in B with the IP header.
const (
	smallest       = 576 // every host accepts it (RFC 791)
	ethernet       = 1500
	greatestPacket = 65535
	mostTries      = 40
)

var (
	// Wording of routers and of the kernel: "(mtu = 1400)", "mtu=1400".
	toldMTU = lazyregexp.New(`\bmtu ?[=:] ?(\d{2,5})\b`)
	noMTU   = lazyregexp.New(`(?:invalid|unrecognized) option.*M|bad value.*-M`)
)

// pathMTU searches for the largest packet that is answered without being
// fragmented. Usually that is the interface's MTU, and one packet shows it. If
// a smaller size is reported on the path, that is tried; if larger packets are
// lost silently, the limit is searched for.
func (s *session) pathMTU(ctx context.Context) error {
	top, err := s.top(ctx)
	if err != nil {
		return err
	}
	silent, tries := false, 0
	fits := func(size int) (bool, int, error) {
		if tries++; tries > mostTries {
			return false, 0, fmt.Errorf("%s: path MTU: %d echo requests were inconclusive", s.link, mostTries)
		}
		return s.whole(ctx, size)
	}
	for !silent {
		ok, told, err := fits(top)
		switch {
		case err != nil || ok:
			return err
		case told >= smallest && told < top:
			top = told
		default:
			silent = true
		}
	}
	return s.edge(top, fits)
}

// edge narrows down the largest size below top that fits.
func (s *session) edge(top int, fits func(int) (bool, int, error)) error {
	low, high := 0, top
	for _, size := range []int{ethernet, smallest} {
		if size >= high {
			continue
		}
		ok, _, err := fits(size)
		if err != nil {
			return err
		}
		if ok {
			low = size
			break
		}
		high = size
	}
	if low == 0 {
		return assay.WithHint("check whether ping "+s.link.to.address+" is answered at all on "+s.link.from.host,
			"%s: no ping that forbids fragmentation was answered: a firewall may drop ICMP", s.link)
	}
	// Usually the limit is the usual size itself, or the 4 B of a VLAN tag above
	// it.
	guesses := []int{low + 1, low + 5}
	for high-low > 1 {
		next := (low + high) / 2
		if len(guesses) > 0 {
			next, guesses = min(guesses[0], high-1), guesses[1:]
		}
		ok, told, err := fits(next)
		switch {
		case err != nil:
			return err
		case ok:
			low = next
		default:
			high, guesses = next, nil
			if told > low && told < high {
				guesses = []int{told}
			}
		}
	}
	return nil
}

// top returns the largest packet that the interface accepts, or the network's
// declared MTU.
func (s *session) top(ctx context.Context) (int, error) {
	w := s.link.wayOf(s.tr, stepRoute, stepAddresses)
	if w.known && !strings.Contains(w.device, "/") {
		step, err := s.here(ctx, stepInterfaceMTU, lookBound, "cat", "/sys/class/net/"+w.device+"/mtu")
		s.keep(step)
		if err != nil {
			return 0, err
		}
		if n := readMTU(step.Output.Stdout); n > 0 {
			return n, nil
		}
	}
	if s.link.mtu >= smallest && s.link.mtu <= greatestPacket {
		return s.link.mtu, nil
	}
	return ethernet, nil
}

func readMTU(text []byte) int {
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || n < smallest {
		return 0
	}
	return min(n, greatestPacket)
}

// whole sends packets of that size until two are answered or a second has
// passed, and returns whether any was answered, or the reported maximum size.
func (s *session) whole(ctx context.Context, size int) (ok bool, told int, err error) {
	step, err := s.here(ctx, stepMeasure, lookBound, "ping", "-n", "-M", "do", "-c", "2", "-i", "0.2", "-w", "1",
		"-s", strconv.Itoa(size-s.link.headers()), "-I", s.link.from.address, s.link.to.address)
	s.keep(step)
	if err != nil {
		return false, 0, err
	}
	t := readTry(step, s.link)
	switch {
	case t.ok || t.told > 0 || t.lost:
		return t.ok, t.told, nil
	case noMTU.MatchString(string(step.Output.Stderr)):
		return false, 0, assay.WithHint("install iputils-ping (iputils) on "+s.link.from.host,
			"%s: ping on %s cannot forbid fragmentation: %s", s.link, s.link.from.host, complaint(step.Output))
	}
	return false, 0, fmt.Errorf("%s: ping on %s: %w: %s", s.link, s.link.from.host, assay.ErrNoOutput, complaint(step.Output))
}

// try is the result of sending packets of one size.
type try struct {
	size int  // B, with the IP header
	ok   bool // one was answered
	lost bool // sent, and none was answered
	told int  // the largest size, as reported on the path; 0 if not reported
	line int
}

func readTry(step assay.Step, l link) try {
	t := try{}
	if i := slices.Index(step.Argv, "-s"); i >= 0 && i+1 < len(step.Argv) {
		t.size, _ = strconv.Atoi(step.Argv[i+1])
		t.size += l.headers()
	}
	text := string(step.Output.Stdout)
	if m := pinged.FindStringSubmatchIndex(text); m != nil {
		t.line = 1 + countLines([]byte(text[:m[0]]))
		t.ok = text[m[4]:m[5]] != "0"
		t.lost = !t.ok
	}
	if m := toldMTU.FindStringSubmatch(text + string(step.Output.Stderr)); m != nil && !t.ok {
		t.told, _ = strconv.Atoi(m[1])
	}
	return t
}

// mtuSearch is the result of all tries of a repeat.
type mtuSearch struct {
	best   try
	device int  // B, the interface's MTU; 0 for unknown
	silent bool // something larger was lost silently
}

func readSearch(tr assay.Transcript, l link) mtuSearch {
	var m mtuSearch
	if step := tr.Step(stepInterfaceMTU); step != nil {
		m.device = readMTU(step.Output.Stdout)
	}
	for _, step := range tr.Steps {
		if step.Name != stepMeasure {
			continue
		}
		t := readTry(step, l)
		if t.ok && t.size > m.best.size {
			m.best = t
		}
		m.silent = m.silent || t.lost && t.told == 0
	}
	return m
}

func parsePathMTU(tr assay.Transcript, l link) ([]assay.Measurement, error) {
	m := readSearch(tr, l)
	if !m.best.ok || m.best.size < 68 || m.best.size > greatestPacket {
		return nil, missing("no ping that forbids fragmentation was answered")
	}
	labels := map[string]string{"tool": "ping", "protocol": "icmp", "direction": forward}
	if m.device > 0 {
		labels["interface_mtu"] = strconv.Itoa(m.device)
	}
	if m.device > m.best.size && m.silent {
		labels["beyond"] = "silence"
	}
	return []assay.Measurement{{Metric: "net.path_mtu", Value: float64(m.best.size), Unit: assay.Bytes, Labels: labels, Line: m.best.line}}, nil
}

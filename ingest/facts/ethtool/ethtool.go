package ethtool

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

type learner struct{}

// New returns the learner.
func New() assay.Learner { return learner{} }

var (
	settings = lazyregexp.New(`^\s*Settings for ([A-Za-z0-9_.:@-]+):$`)
	speed    = lazyregexp.New(`^Speed: (\d+)([MG])b/s\b`)
	duplex   = lazyregexp.New(`^Duplex: (Full|Half)$`)
	detected = lazyregexp.New(`^Link detected: (yes|no)\b`)
	modes    = lazyregexp.New(`^(Supported link modes:\s+)?((?:\d+base[\w-]+/(?:Half|Full)\s*)+)$`)
	mode     = lazyregexp.New(`(\d+)base`)
	info     = lazyregexp.New(`^(driver|firmware-version|bus-info):\s*(.*)$`)
	pciSlot  = lazyregexp.New(`^[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$`)
)

// Format recognises the heading of ethtool and the first line of each interface
// of ip. ethtool -i prints no interface name and is found by its command.
func (learner) Format() assay.Format {
	return assay.Format{
		Tool: "ethtool", Commands: []string{"ethtool", "ip"},
		Begins: func(line string) bool {
			return settings.MatchString(strings.TrimRight(line, " \r")) || link.MatchString(line)
		},
		Splits: func(_ []byte, next string) bool {
			m := link.FindStringSubmatch(next)
			return m != nil && m[1] == "1"
		},
	}
}

// Learn sets the facts printed for each interface.
func (learner) Learn(tr assay.Transcript, f *assay.Facts) error {
	step := tr.Step("measure")
	if step == nil {
		return fmt.Errorf("ethtool: %w", assay.ErrNoOutput)
	}
	r := reader{named: interfaceOf(step.Argv)}
	for i, line := range strings.Split(string(step.Output.Stdout), "\n") {
		r.take(strings.TrimRight(line, " \r"), i+1)
	}
	r.close()
	if len(r.found) == 0 {
		if r.refused != "" {
			return fmt.Errorf("ethtool, %s", r.refused)
		}
		return assay.WithHint("include the command line: ethtool IFACE, ethtool -i IFACE, ip -d link", "ethtool: %w: no interface", assay.ErrNoOutput)
	}
	nics := slices.Clone(f.NICs)
	for _, n := range r.found {
		i := slices.IndexFunc(nics, func(known assay.NICFacts) bool {
			return known.Name == n.Name || n.Slot != "" && known.Slot == n.Slot
		})
		if i < 0 {
			if n.Name == "" {
				n.Name = n.Slot // until an output names it
			}
			nics = append(nics, n)
			continue
		}
		nics[i] = over(nics[i], n)
	}
	for i := range nics {
		bonded(&nics[i], r.members[nics[i].Name])
	}
	f.NICs = nics
	return nil
}

// over merges newly learned facts about an interface into the known ones.
func over(known, n assay.NICFacts) assay.NICFacts {
	if n.Name != "" {
		known.Name = n.Name
	}
	if n.State != "" {
		known.State = n.State
	}
	if n.Speed > 0 {
		members := known.Members
		known.Speed, known.Members = n.Speed, 0
		bonded(&known, members)
	}
	if n.Fastest > 0 {
		known.Fastest = n.Fastest
	}
	if n.Duplex != "" {
		known.Duplex = n.Duplex
	}
	if n.MTU > 0 {
		known.MTU = n.MTU
	}
	if n.Driver != "" {
		known.Driver = n.Driver
	}
	if n.Slot != "" {
		known.Slot = n.Slot
	}
	known.Virtual = known.Virtual || n.Virtual
	known.VLAN = known.VLAN || n.VLAN
	return known
}

// interfaceOf returns the interface named on an ethtool command line.
func interfaceOf(argv []string) string {
	for i := len(argv) - 1; i > 0; i-- {
		if !strings.HasPrefix(argv[i], "-") && !strings.HasSuffix(argv[0], "ip") {
			return argv[i]
		}
	}
	return ""
}

// reader collects the interfaces of one output.
type reader struct {
	named   string // by the command line
	open    *assay.NICFacts
	listing bool // inside the list of supported modes
	useful  bool // open holds something worth keeping
	byIP    bool
	found   []assay.NICFacts
	members map[string]int // that send, by bond
	of      string         // the bond that counts the open interface among them
	refused string
}

// close keeps the open interface if it is useful.
func (r *reader) close() {
	if r.open != nil && r.useful && r.open.Name+r.open.Slot != "" && r.open.Name != "lo" {
		r.found = append(r.found, *r.open)
	}
	r.open, r.useful, r.byIP, r.of = nil, false, false, ""
}

func (r *reader) take(line string, number int) {
	text := strings.TrimSpace(line)
	switch {
	case settings.MatchString(line):
		r.close()
		r.open = &assay.NICFacts{Name: settings.FindStringSubmatch(line)[1]}
		return
	case link.MatchString(line):
		r.close()
		r.openLink(line)
		return
	case strings.HasPrefix(text, "driver: ") && (r.open == nil || r.open.Driver != ""):
		r.close()
		r.open = &assay.NICFacts{Name: r.named}
	case strings.Contains(text, "No such device") && r.refused == "":
		r.refused = fmt.Sprintf("line %d: %s", number, text)
	}
	switch {
	case r.open == nil:
	case r.byIP:
		r.detail(text)
	default:
		r.property(text)
	}
}

// property parses a line of ethtool output.
func (r *reader) property(text string) {
	if m := modes.FindStringSubmatch(text); m != nil && (m[1] != "" || r.listing) {
		r.listing = true
		for _, v := range mode.FindAllStringSubmatch(m[2], -1) {
			if n, err := strconv.ParseFloat(v[1], 64); err == nil && n < 1e7 {
				r.open.Fastest = max(r.open.Fastest, n*1e6)
			}
		}
		return
	}
	r.listing = false
	if m := speed.FindStringSubmatch(text); m != nil {
		v, err := strconv.ParseFloat(m[1], 64)
		unit := map[string]float64{"M": 1e6, "G": 1e9}[m[2]]
		// Drivers report 4294967295 for an unknown speed.
		if err == nil && v > 0 && v*unit < 1e13 {
			r.open.Speed, r.useful = v*unit, true
		}
	}
	if m := duplex.FindStringSubmatch(text); m != nil {
		r.open.Duplex, r.useful = strings.ToLower(m[1]), true
	}
	if m := detected.FindStringSubmatch(text); m != nil {
		r.open.State, r.useful = map[string]string{"yes": "up", "no": "down"}[m[1]], true
	}
	m := info.FindStringSubmatch(text)
	switch {
	case m == nil:
	case m[1] == "driver":
		r.open.Driver = m[2]
	case m[1] == "firmware-version":
		r.useful = r.useful || r.open.Driver != "" // ethtool -i, not some other list with a driver
	case m[1] == "bus-info" && pciSlot.MatchString(m[2]):
		r.open.Slot, r.useful = m[2], true
	}
}

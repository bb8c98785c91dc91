package audit

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"assay"
)

var pairsMissing = Rule{
	ID: "pairs-missing", Number: 11, Applies: "iperf3", Severities: "W",
	Title:   "Links that were not measured",
	Formula: "if results are compared as one cluster of N hosts: directed pairs measured < N (N - 1); a bidirectional test counts twice",
	Source:  "each of the N (N - 1) directions has its own transmitter, receiver, cable and switch port",
	Example: "3 of 3 x 2 = 6 directed pairs",
	Check:   checkPairsMissing,
}

func checkPairsMissing(e Evidence) []assay.Finding {
	const id = "pairs-missing"
	var found []assay.Finding
	flows := e.network()
	names := addresses(flows)
	var seen []string
	for _, f := range flows {
		name := f.Trial.Comparison
		if name == "" || slices.Contains(seen, name) {
			continue
		}
		seen = append(seen, name)
		c := meshed{measured: map[hop]bool{}}
		var metrics []string
		for _, other := range flows {
			if other.Trial.Comparison == name {
				c.add(other, names)
				if !slices.Contains(metrics, other.metric) {
					metrics = append(metrics, other.metric)
				}
			}
		}
		c.complete(e.Inventory)
		if f := c.finding(id, f, metrics); f != nil {
			found = append(found, *f)
		}
	}
	return found
}

// addresses maps addresses to hosts: the client's address to the host whose
// prompt precedes its command. Anything that is not an address already is a
// name.
func addresses(flows []flow) map[string]string {
	names := map[string]string{}
	for _, f := range flows {
		address := f.of("from")
		if (f.of("role") == "server") != (f.of("direction") == "reverse") {
			address = f.of("to")
		}
		_, err := netip.ParseAddr(address)
		if host := f.Trial.Subject.Host; err == nil && host != "" && f.of("role") != "" {
			names[address] = host
		}
	}
	return names
}

type hop struct{ from, to string }

// meshed holds the hosts of one comparison and what was measured between them.
type meshed struct {
	hosts    []string
	measured map[hop]bool
	nameless int // figures that do not name their hosts
}

func (c *meshed) add(f flow, names map[string]string) {
	from, to := f.of("from"), f.of("to")
	if name := names[from]; name != "" {
		from = name
	}
	if name := names[to]; name != "" {
		to = name
	}
	if from == "" || to == "" || from == to {
		c.nameless++
		if host := f.Trial.Subject.Host; host != "" {
			c.host(host)
		}
		return
	}
	c.host(from)
	c.host(to)
	c.measured[hop{from, to}] = true
	if f.bothWays() {
		c.measured[hop{to, from}] = true
	}
}

func (c *meshed) host(name string) {
	if !slices.Contains(c.hosts, name) {
		c.hosts = append(c.hosts, name)
	}
}

// complete adds the inventory's other hosts if the figures use its names:
// otherwise a host would count twice.
func (c *meshed) complete(inv assay.Inventory) {
	for _, name := range c.hosts {
		if !slices.ContainsFunc(inv.Hosts, func(h assay.Host) bool { return h.Name == name }) {
			return
		}
	}
	for _, h := range inv.Hosts {
		if h.Name != "" {
			c.host(h.Name)
		}
	}
}

// finding reports what is missing; nil if nothing is.
func (c *meshed) finding(id string, first flow, metrics []string) *assay.Finding {
	n := len(c.hosts)
	all := n * (n - 1)
	if n < 2 {
		if c.nameless == 0 {
			return nil
		}
		f := first.unchecked(id, metrics, "which hosts it was measured between", "include the output's lines \"local … connected to …\"")
		return &f
	}
	if len(c.measured)+c.nameless >= all {
		return nil
	}
	var missing []string
	for _, from := range c.hosts {
		for _, to := range c.hosts {
			if from != to && !c.measured[hop{from, to}] {
				missing = append(missing, from+" to "+to)
			}
		}
	}
	server := c.hosts[n-1]
	if c.nameless == 0 {
		_, server, _ = strings.Cut(missing[0], " to ")
	}
	const most = 12
	list := strings.Join(missing[:min(most, len(missing))], ", ")
	if len(missing) > most {
		list += fmt.Sprintf(" and %d more", len(missing)-most)
	}
	if c.nameless > 0 {
		list = "some of these: " + list
	}
	f := first.finding(id, assay.Warns, metrics,
		fmt.Sprintf("%d of %d x %d = %d directed pairs", len(c.measured)+c.nameless, n, n-1, all),
		"not every direction of every link was measured: "+list,
		"measure both directions of each pair, on the addresses that storage uses: on each other host, iperf3 -c "+server+" -t 30 -O 2 --bidir -J")
	return &f
}

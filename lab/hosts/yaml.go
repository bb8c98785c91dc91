package hosts

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// writeCluster writes the cluster.yaml of the lab.
func (l *Lab) writeCluster() error {
	return os.WriteFile(l.Cluster(), []byte(l.describe()), 0o600)
}

func (l *Lab) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# %d hosts on one machine: namespaces, with made-up sensors and links that are
# bounded to the rates below.
defaults:
  user: %s
  measure:
    directories: [%s]
  ssh:
    config: %s

hosts:
`, len(l.state.Hosts), User, BenchDir, configFile)
	fastest := 0.
	for _, h := range l.state.Hosts {
		fastest = max(fastest, h.Link)
		fmt.Fprintf(&b, "  %s:\n    address: %s\n    sudo: %t\n", h.Name, l.Address(h.Name, Management), h.Sudo)
		if len(h.Labels) > 0 {
			b.WriteString("    labels:\n")
		}
		for _, k := range slices.Sorted(maps.Keys(h.Labels)) {
			fmt.Fprintf(&b, "      %s: %q\n", k, h.Labels[k])
		}
	}
	if len(l.state.Hosts) == 1 {
		return b.String()
	}
	b.WriteString("\nnetworks:\n")
	l.network(&b, Management, "switch", fastest)
	l.network(&b, Storage, "switch", fastest)
	kind := "ring"
	if len(l.state.Hosts) == 2 {
		kind = "point-to-point"
	}
	l.network(&b, Ring, kind, fastest)
	return b.String()
}

func (l *Lab) network(b *strings.Builder, name, kind string, rate float64) {
	fmt.Fprintf(b, "  %s:\n    kind: %s\n    rate: %gM\n    mtu: 1500\n    hosts:\n", name, kind, rate/1e6)
	for _, h := range l.state.Hosts {
		fmt.Fprintf(b, "      %s: %s\n", h.Name, l.Address(h.Name, name))
	}
}

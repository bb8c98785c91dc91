package audit

import (
	"cmp"
	"slices"
	"strings"

	"assay"
	"assay/limits"
)

// pooled is one operation on a pool in a result.
type pooled struct {
	look
	op   string // write, read
	stem string // of its metrics: "pool.write."
}

// pools returns what was measured on pools, one entry per operation.
func (e Evidence) pools() []pooled {
	var all []pooled
	for _, l := range e.looks() {
		for _, op := range []string{"write", "read"} {
			if stem := "pool." + op + "."; l.positive(stem + "bandwidth") {
				all = append(all, pooled{l, op, stem})
			}
		}
	}
	return all
}

// repeats returns the repeats singly: medians of several figures may mix repeats.
func (p pooled) repeats() []pooled {
	all := make([]pooled, len(p.reps))
	for i, r := range p.reps {
		all[i] = p
		all[i].look = p.only([]assay.Repeat{r})
	}
	return all
}

// generators returns how many clients measured at the same time, by default 1:
// one output is from one client.
func (p pooled) generators() int {
	if n, ok := parseCount(p.label("", "clients")); ok {
		return n
	}
	return 1
}

// link returns the limit of the interface to the other nodes: in a mesh, the
// fastest of several similar ones.
func (l look) link() limits.Limit {
	if s := l.facts.Stack; s != nil && s.Mesh && len(l.facts.NICs) > 0 {
		return limits.NIC(slices.MaxFunc(l.facts.NICs, func(a, b assay.NICFacts) int { return cmp.Compare(a.Rate(), b.Rate()) }))
	}
	if len(l.facts.NICs) == 0 {
		return limits.NIC(assay.NICFacts{})
	}
	nic, missing := pickNIC(l.facts)
	if missing != "" {
		return limits.Limit{Missing: missing}
	}
	return limits.NIC(nic)
}

// linkOfCopies returns the link that carries replication, if the facts name it.
func (l look) linkOfCopies(s assay.StackFacts) limits.Limit {
	for _, nic := range l.facts.NICs {
		if nic.Name == s.ClusterNIC {
			return limits.NIC(nic)
		}
	}
	return l.link()
}

// nearUsualLine reports whether a figure is close to what a line of a usual speed
// carries.
func nearUsualLine(v float64) bool {
	for _, speed := range limits.EthernetSpeeds {
		for _, mtu := range []int{1500, 9000} {
			most := limits.NIC(assay.NICFacts{Speed: speed, MTU: mtu}).Value
			if speed >= slowestUsual && v >= nearLine*most && v <= lineSlack*most {
				return true
			}
		}
	}
	return false
}

// speaksOf reports whether the result names a kind of storage: in a label, in its
// command, or as its subject.
func (l look) speaksOf(kind string) bool {
	has := func(text string) bool { return strings.Contains(strings.ToLower(text), kind) }
	if has(l.Trial.Subject.Name) || has(l.Trial.Subject.ID) || has(l.Trial.Case) || has(strings.Join(l.argv(), " ")) {
		return true
	}
	for _, r := range l.reps {
		for _, m := range r.Measurements {
			for _, v := range m.Labels {
				if has(v) {
					return true
				}
			}
		}
	}
	return false
}

// standsOn reports whether a result is about a kind of storage: it names the kind, or
// it measured a pod's Kubernetes volume, whose facts are those of the volume.
func (l look) standsOn(kind string) bool {
	return l.Trial.Subject.Tier != "" && l.Trial.Subject.Volume == "pvc" || l.speaksOf(kind)
}

// onEveryNode returns how to measure a pool under the full load of its cluster.
// A separate run name lets each node read what it wrote.
func (l look) onEveryNode(options ...string) string {
	words := strings.Join(append([]string{"rados bench --run-name $(hostname)"}, options...), " ")
	return "on every node at the same time: " + strings.ReplaceAll(l.radosAgain(againRuntime), "rados bench", words)
}

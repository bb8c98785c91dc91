package audit

import (
	"cmp"
	"slices"
	"strings"

	"assay"
	"assay/limits"
)

// pooled is what a result says of one operation on a pool.
type pooled struct {
	look
	op   string // write, read
	stem string // of its metrics: "pool.write."
}

// pools returns what was measured on pools, one operation at a time.
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

// repeats are the repeats apart: medians of several need not come from one of them.
func (p pooled) repeats() []pooled {
	all := make([]pooled, len(p.reps))
	for i, r := range p.reps {
		all[i] = p
		all[i].look = p.only([]assay.Repeat{r})
	}
	return all
}

// generators is how many clients measured at the same time, 1 where nothing says
// that there were more: one output is one client's.
func (p pooled) generators() int {
	if n, ok := parseCount(p.label("", "clients")); ok {
		return n
	}
	return 1
}

// link is what the interface carries that leads to the other nodes: in a mesh
// that is one of several alike, and the fastest.
func (l look) link() limits.Limit {
	if s := l.facts.Stack; s != nil && s.Mesh && len(l.facts.NICs) > 0 {
		return limits.NIC(slices.MaxFunc(l.facts.NICs, func(a, b assay.NICFacts) int { return cmp.Compare(a.Speed, b.Speed) }))
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

// linkOfCopies is the link that copies are sent over, where facts tell which that is.
func (l look) linkOfCopies(s assay.StackFacts) limits.Limit {
	for _, nic := range l.facts.NICs {
		if nic.Name == s.ClusterNIC {
			return limits.NIC(nic)
		}
	}
	return l.link()
}

// nearUsualLine reports whether a figure is what a line of a usual speed carries.
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

// standsOn reports whether a result is of storage of a kind: it says so, or it is of a
// volume that Kubernetes gave to a pod, whose facts are those of this volume.
func (l look) standsOn(kind string) bool {
	return l.Trial.Subject.Tier != "" && l.Trial.Subject.Volume == "pvc" || l.speaksOf(kind)
}

// onEveryNode is how a pool is measured with all that its cluster can ask for.
// A run name of its own lets each node read what it wrote.
func (l look) onEveryNode(options ...string) string {
	words := strings.Join(append([]string{"rados bench --run-name $(hostname)"}, options...), " ")
	return "on every node at the same time: " + strings.ReplaceAll(l.radosAgain(againRuntime), "rados bench", words)
}

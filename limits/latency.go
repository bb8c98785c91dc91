package limits

import (
	"fmt"
	"strings"

	"assay/internal/quantity"
)

// Latency is how long one operation takes, with the terms that add up to it, or the
// names of the missing facts.
type Latency struct {
	Value   float64 // s
	Terms   []Term  // they add up to Value
	Missing []string
}

// Term is a part of a latency.
type Term struct {
	Name  string  `json:"name"` // "round trip to the replica"
	Value float64 `json:"value"`
	Sum   string  `json:"sum,omitempty"` // how it comes about, where it is no single measurement
}

// Known reports whether the latency has a value.
func (l Latency) Known() bool { return len(l.Missing) == 0 && l.Value > 0 }

// Sum returns the arithmetic without its result: "52 µs + 380 µs".
func (l Latency) Sum() string {
	var terms []string
	for _, t := range l.Terms {
		if t.Sum != "" {
			terms = append(terms, t.Sum)
		} else {
			terms = append(terms, quantity.Time(t.Value))
		}
	}
	return strings.Join(terms, " + ")
}

// Arithmetic returns the sum with its result.
func (l Latency) Arithmetic() string { return l.Sum() + " = " + quantity.Time(l.Value) }

func (l *Latency) add(t Term) {
	if t.Value > 0 {
		l.Terms = append(l.Terms, t)
		l.Value += t.Value
	}
}

// Replica is one copy of the data: the measured time of a local write to it, and
// whether it is on another node than the client.
type Replica struct {
	Write  float64 // s; 0: unknown
	Remote bool
}

// ReplicatedWrite is one write at depth 1 to replicated storage, with the measured
// times of its layers. A time of 0 means none, except for a replica's.
type ReplicatedWrite struct {
	Kind     string  // "drbd", "ceph" or "longhorn"
	Protocol string  // of DRBD: A, B or C; "" is C
	Virtual  float64 // s, of a virtual disk on top
	Engine   float64 // s, of each node's software: an OSD, Longhorn's iSCSI target
	RTT      float64 // s, between the replication addresses
	Size     int64   // B
	Rate     float64 // B/s, payload rate of the link
	Replicas []Replica
	// Away is the share of writes whose first copy is on another node than the client,
	// for Ceph.
	Away float64
}

// WriteLatency predicts the latency. All replicas are written in parallel, so the slowest
// one counts:
//
//   - DRBD: the local replica or a remote one (Linbit's user's guide, replication
//     modes). Protocol C waits until the peer has written, B until it has received, A for
//     neither. A diskless client has remote replicas only.
//   - Ceph: the client writes to the primary OSD, which writes to itself and the others
//     (Ceph's architecture, "Ceph clients").
//   - Longhorn: its engine writes to all replicas and waits for all of them
//     (longhorn-engine, pkg/controller/replicator.go).
func (w ReplicatedWrite) WriteLatency() Latency {
	l := Latency{Missing: w.missing()}
	if len(l.Missing) > 0 {
		return l
	}
	if w.Virtual > 0 {
		l.add(Term{Name: "virtual disk", Value: w.Virtual})
	}
	switch w.Kind {
	case "ceph":
		l.add(Term{Name: "client to the primary OSD", Value: w.Away * (w.RTT + w.transfer()), Sum: fmt.Sprintf("%s x %s", quantity.Figure(w.Away), quantity.Time(w.RTT+w.transfer()))})
		l.add(Term{Name: "OSD", Value: w.Engine})
	case "longhorn":
		l.add(Term{Name: "iSCSI target of the engine", Value: w.Engine})
	}
	for _, t := range w.slowest() {
		l.add(t)
	}
	return l
}

// slowest returns the terms of the slowest replica.
func (w ReplicatedWrite) slowest() (worst []Term) {
	most := 0.0
	for _, r := range w.Replicas {
		terms, all := w.replica(r), 0.0
		for _, t := range terms {
			all += t.Value
		}
		if all > most {
			most, worst = all, terms
		}
	}
	return worst
}

func (w ReplicatedWrite) replica(r Replica) []Term {
	if !r.Remote {
		return []Term{{Name: "local replica", Value: r.Write}}
	}
	if w.Protocol == "A" {
		return nil
	}
	network := Term{Name: "network to the remote replica", Value: w.RTT + w.transfer()}
	if w.Rate > 0 && w.Size > 0 {
		network.Sum = fmt.Sprintf("%s + %s / %s", quantity.Time(w.RTT), quantity.Size(w.Size), quantity.Megabytes(w.Rate))
	}
	terms := []Term{network}
	if w.Kind == "ceph" {
		terms = append(terms, Term{Name: "OSD of the replica", Value: w.Engine})
	}
	if w.Protocol != "B" {
		terms = append(terms, Term{Name: "remote replica", Value: r.Write})
	}
	return terms
}

// transfer returns how long the data takes on the link.
func (w ReplicatedWrite) transfer() float64 {
	if w.Rate > 0 {
		return float64(w.Size) / w.Rate
	}
	return 0
}

func (w ReplicatedWrite) missing() (all []string) {
	local, remote, unknown := 0, 0, 0
	for _, r := range w.Replicas {
		switch {
		case r.Remote:
			remote++
		default:
			local++
		}
		if !(r.Write > 0) && (!r.Remote || w.Protocol != "A" && w.Protocol != "B") {
			unknown++
		}
	}
	switch w.Kind {
	case "drbd", "ceph", "longhorn":
	default:
		return []string{"how " + w.Kind + " writes its copies"}
	}
	if local+remote == 0 {
		all = append(all, "where the replicas are")
	}
	if unknown > 0 {
		all = append(all, "latency of a write on a replica's node")
	}
	if w.Protocol == "A" && local == 0 && remote > 0 {
		all = append(all, "a local replica, which protocol A waits for")
	}
	if !(w.RTT > 0) && (remote > 0 && w.Protocol != "A" || w.Kind == "ceph" && w.Away > 0) {
		all = append(all, "round-trip time between the nodes")
	}
	return all
}

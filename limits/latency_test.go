package limits

import (
	"math"
	"slices"
	"testing"

	"assay"
)

func takes(t *testing.T, what string, l Latency, want float64) {
	t.Helper()
	if !l.Known() || math.Abs(l.Value/want-1) > near {
		t.Errorf("%s: %g s (%s), missing %q; want %g", what, l.Value, l.Sum(), l.Missing, want)
	}
}

// Longhorn on 1 GbE with two remote replicas: published 53.0 MB/s at 1 MiB.
func TestPublishedLonghorn(t *testing.T) {
	link := NIC(assay.NICFacts{Speed: 1e9, MTU: 1500})
	l := RemoteCopies(assay.StackFacts{Kind: "longhorn", Copies: 3, Remote: 2}, link, false)
	holds(t, "two remote replicas", l, 58.84e6, "")
	if share := 53.0e6 / l.Value; math.Abs(share-.90) > .005 {
		t.Errorf("published 53.0 MB/s is %.1f %% of it, want 90 %%", 100*share)
	}
}

func TestTheSlowestReplicaCounts(t *testing.T) {
	local, remote := Replica{Write: 100e-6}, Replica{Write: 80e-6, Remote: true}
	drbd := ReplicatedWrite{Kind: "drbd", RTT: 120e-6, Size: 4096, Rate: 1e9, Replicas: []Replica{local, remote}}
	with := func(change func(*ReplicatedWrite)) Latency {
		w := drbd
		w.Replicas = slices.Clone(w.Replicas)
		change(&w)
		return w.WriteLatency()
	}
	takes(t, "protocol C waits for the peer's drive", drbd.WriteLatency(), 120e-6+4.096e-6+80e-6)
	takes(t, "protocol B waits until it has received", with(func(w *ReplicatedWrite) { w.Protocol = "B" }), 120e-6+4.096e-6)
	takes(t, "protocol A does not", with(func(w *ReplicatedWrite) { w.Protocol = "A" }), 100e-6)
	takes(t, "a slow local drive", with(func(w *ReplicatedWrite) { w.Replicas[0].Write = 1e-3 }), 1e-3)
	takes(t, "a virtual disk", with(func(w *ReplicatedWrite) { w.Virtual = 50e-6 }), 50e-6+120e-6+4.096e-6+80e-6)
	takes(t, "a diskless client", with(func(w *ReplicatedWrite) { w.Replicas = []Replica{remote, {Write: 90e-6, Remote: true}} }), 120e-6+4.096e-6+90e-6)
	takes(t, "one replica, here", with(func(w *ReplicatedWrite) { w.Replicas, w.RTT = []Replica{local}, 0 }), 100e-6)

	ceph := ReplicatedWrite{Kind: "ceph", RTT: 100e-6, Engine: 300e-6, Away: 2. / 3, Replicas: []Replica{local, remote, remote}}
	takes(t, "Ceph", ceph.WriteLatency(), 100e-6*2/3+300e-6+100e-6+300e-6+80e-6)
	longhorn := ReplicatedWrite{Kind: "longhorn", RTT: 100e-6, Engine: 200e-6, Replicas: []Replica{local, remote}}
	takes(t, "Longhorn", longhorn.WriteLatency(), 200e-6+100e-6+80e-6)
}

func TestTermsAddUp(t *testing.T) {
	l := ReplicatedWrite{Kind: "ceph", RTT: 100e-6, Engine: 300e-6, Away: .5, Virtual: 1e-5, Size: 4096, Rate: 1e9,
		Replicas: []Replica{{Write: 1e-3}, {Write: 1e-3, Remote: true}}}.WriteLatency()
	sum := 0.0
	for _, term := range l.Terms {
		sum += term.Value
	}
	if math.Abs(sum/l.Value-1) > 1e-12 || len(l.Terms) != 6 {
		t.Errorf("%d terms add up to %g, not %g", len(l.Terms), sum, l.Value)
	}
}

func TestALatencyNamesWhatItLacks(t *testing.T) {
	local, remote := Replica{Write: 1e-4}, Replica{Write: 1e-4, Remote: true}
	for _, c := range []struct {
		what string
		w    ReplicatedWrite
		fact string
	}{
		{"no RTT", ReplicatedWrite{Kind: "drbd", Replicas: []Replica{local, remote}}, "round-trip time between the nodes"},
		{"no replica", ReplicatedWrite{Kind: "longhorn", RTT: 1e-4}, "where the replicas are"},
		{"a replica that was not measured", ReplicatedWrite{Kind: "drbd", RTT: 1e-4, Replicas: []Replica{local, {Remote: true}}}, "latency of a write on a replica's node"},
		{"protocol A without a disk", ReplicatedWrite{Kind: "drbd", Protocol: "A", Replicas: []Replica{remote}}, "a local replica, which protocol A waits for"},
		{"another kind", ReplicatedWrite{Kind: "minio", Replicas: []Replica{local}}, "how minio writes its copies"},
	} {
		if l := c.w.WriteLatency(); l.Known() || !slices.Contains(l.Missing, c.fact) {
			t.Errorf("%s: %g, missing %q, want %q", c.what, l.Value, l.Missing, c.fact)
		}
	}
}

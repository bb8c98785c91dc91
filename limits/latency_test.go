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

// The virtual disk of the published DRBD cluster (reference/documents, LINSTOR on ZFS), as
// its kernel counted: ticks in ms and operations. The write through to the drives is what
// an operation took with sync=disabled, the flush what it took more with sync=standard.
const (
	asyncTicks, asyncIOs         = 59357, 34256
	unsyncedTicks, unsyncedIOs   = 56227, 250291
	syncIOs, syncWrites          = 33377, 8280
	disabledIOs, disabledWrites  = 304112, 91681
	publishedSync, publishedFast = 7.24e-3, .653e-3
)

func TestPublishedSynchronousWrites(t *testing.T) {
	block := unsyncedTicks / 1e3 / unsyncedIOs
	flush := asyncTicks/1e3/asyncIOs - block
	each := float64(syncIOs) / syncWrites
	sync := ApplicationWrite{Writes: each, Block: block, Flushes: each, Flush: flush}.WriteLatency()
	takes(t, "sync=standard", sync, 6.985e-3)
	if off := sync.Value/publishedSync - 1; math.Abs(off+.035) > .001 {
		t.Errorf("published 7.24 ms: %+.1f %% off, want -3.5 %%", 100*off)
	}
	i := slices.IndexFunc(sync.Terms, func(t Term) bool { return t.Name == "flushes" })
	if share := sync.Terms[i].Value / publishedSync; math.Abs(share-.84) > .005 {
		t.Errorf("flushes are %.1f %% of the published latency, want 84 %%", 100*share)
	}
	fast := ApplicationWrite{Writes: float64(disabledIOs) / disabledWrites, Block: block}.WriteLatency()
	takes(t, "sync=disabled", fast, .7452e-3)
	if off := fast.Value/publishedFast - 1; math.Abs(off-.14) > .005 {
		t.Errorf("published .653 ms: %+.1f %% off, want +14 %%", 100*off)
	}
	if got := sync.Arithmetic(); got != "4.03 x 225 µs + 4.03 x 1.51 ms = 6.98 ms" {
		t.Errorf("%q", got)
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
	if l := (ApplicationWrite{}).WriteLatency(); l.Known() || len(l.Missing) != 2 {
		t.Errorf("%+v", l)
	}
	if l := AtDepthOne(Latency{Missing: []string{"x"}}); l.Known() {
		t.Errorf("%+v", l)
	}
	holds(t, "137 a second", AtDepthOne(Latency{Value: 7.24e-3}), 138.12, "1 / 7.24 ms")
}

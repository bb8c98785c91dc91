package iperf3

import (
	"context"

	"assay"
)

// The modes of a case.
const (
	modeSingle   = "tcp-single"   // one flow from host to peer
	modeParallel = "tcp-parallel" // several flows from host to peer
	modeBoth     = "both"         // data both ways at the same time
	modeUDP      = "udp"          // datagrams from host to peer, at a rate
	modeRTT      = "rtt"          // round-trip times of an idle link
	modeMTU      = "mtu"          // the largest packet that arrives whole
)

// The oldest usable versions: --connect-timeout came with 3.2, --bidir with 3.7
// (release notes of iperf3).
const (
	leastVersion = "3.2"
	leastBidir   = "3.7"
)

// Probe measures links. Its zero value is ready to use.
type Probe struct{}

var (
	_ assay.Probe    = (*Probe)(nil)
	_ assay.Measurer = (*Probe)(nil)
	_ assay.Noter    = (*Probe)(nil)
)

// New returns the probe. It is also an assay.Measurer, for what others ran, and
// an assay.Noter.
func New() *Probe { return &Probe{} }

// Spec describes the probe.
func (*Probe) Spec() assay.Spec {
	return assay.Spec{
		Name: tool,
		Tools: []assay.Tool{
			{Name: "iperf3", Least: leastVersion, Packages: map[string]string{
				"apt": "iperf3", "dnf": "iperf3", "pacman": "iperf3", "apk": "iperf3",
			}},
			{Name: "ping", Optional: true, Packages: map[string]string{
				"apt": "iputils-ping", "dnf": "iputils", "pacman": "iputils", "apk": "iputils",
			}},
		},
		Metrics: []string{
			"net.tcp.throughput", "net.tcp.retransmits", "net.tcp.bytes", "net.tcp.rtt", "net.tcp.cwnd", "net.tcp.mss",
			"net.udp.throughput", "net.udp.jitter", "net.udp.loss", "net.cpu",
			"net.rtt.min", "net.rtt.median", "net.rtt.mean", "net.rtt.max", "net.rtt.stddev", "net.rtt.loss", "net.rtt.duplicates",
			"net.path_mtu", "tool.duration",
		},
	}
}

// Run measures a link once. It records the path that packets take at both ends,
// and then runs iperf3 at both, or ping from the trial's host. When it returns,
// it has verified that its server is gone, or the error says that it could not.
func (*Probe) Run(ctx context.Context, t assay.Trial, on assay.Bench) (assay.Transcript, error) {
	s, err := begin(t, on)
	if err != nil {
		return s.tr, err
	}
	if err := s.ways(ctx); err != nil {
		return s.tr, err
	}
	switch s.set.mode {
	case modeRTT:
		err = s.ping(ctx)
	case modeMTU:
		err = s.pathMTU(ctx)
	default:
		err = s.flow(ctx)
	}
	return s.tr, err
}

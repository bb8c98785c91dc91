package iperf3

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay"
)

// two returns two hosts on a cable, and a flow from a to b.
func two(t *testing.T) (a, b *at, flow assay.Trial) {
	t.Helper()
	hosts := spaces(t, "a", "b")
	a, b = hosts["a"], hosts["b"]
	cable(t, a, b, "storage", "10.10.0.1/24", "10.10.0.2/24")
	flow = trial(t, pair(network("storage", "10.10.0.1", "10.10.0.2")), "a/link/storage:b", map[string]string{"mode": modeSingle})
	return a, b, flow
}

// lasting is the length of a repeat that fails before its end.
const lasting = 4 * time.Minute

// fails runs a long repeat that must fail, with these words in the error and no
// server left running.
func fails(ctx context.Context, t *testing.T, tr assay.Trial, a, b *at, words ...string) error {
	t.Helper()
	_, err := New().Run(ctx, tr, assay.Bench{Place: a, Peer: b, Length: lasting})
	if err == nil {
		t.Fatal("no error")
	}
	for _, w := range words {
		if text := err.Error() + "\nhint: " + assay.Hint(err); !strings.Contains(text, w) {
			t.Errorf("%q is not in: %s", w, text)
		}
	}
	if left := portsOf(t, b); len(left) > 0 {
		t.Errorf("a server is left on %v", left)
	}
	if n, err := b.Reap(context.Background(), b.mark); n != 0 || err != nil {
		t.Errorf("%d processes were left at b, %v", n, err)
	}
	return err
}

// untilConnected waits until data flows, so that what follows happens mid-transfer.
func untilConnected(t *testing.T, at *at) {
	t.Helper()
	until(t, "the client is connected", func() bool {
		return strings.Count(at.must(t, "ss", "-Htn", "state", "established"), "\n") >= 2
	})
}

// meanwhile does something in parallel once data flows.
func meanwhile(t *testing.T, at *at, do func()) {
	t.Helper()
	over := make(chan struct{})
	go func() {
		defer close(over)
		untilConnected(t, at)
		do()
	}()
	t.Cleanup(func() { <-over })
}

// killIperf3 kills that program on the host and nothing else: the probe runs commands
// there meanwhile.
func (h *at) killIperf3(t *testing.T) {
	t.Helper()
	const kill = `for p in $(ip netns pids "$1"); do if [ "$(cat "/proc/$p/comm")" = iperf3 ]; then kill -KILL "$p"; fi; done`
	if out, err := exec.Command("sh", "-c", kill, "sh", h.space).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestAFirewallThatDrops(t *testing.T) {
	a, b, flow := two(t)
	need(t, "nft")
	if out, err := exec.Command("ip", "netns", "exec", b.space, "nft", "list", "tables").CombinedOutput(); err != nil {
		t.Skipf("needs a kernel with nftables: %s", out)
	}
	b.must(t, "nft", "add table inet f; add chain inet f in { type filter hook input priority 0; };"+
		"add rule inet f in tcp dport 5201-5299 drop; add rule inet f in icmp type echo-request drop")
	began := time.Now()
	fails(context.Background(), t, flow, a, b, "a (10.10.0.1) to b (10.10.0.2), port 5201", "unable to connect", "open TCP ports 5201 to 5299 in the firewalls of a and b")
	if took := time.Since(began); took > 30*connectBound { // TCP itself retries for two minutes
		t.Errorf("took %s to notice", took)
	}
	ping := flow
	ping.Settings = map[string]string{"mode": modeRTT, "network": "storage", "from": "a", "to": "b", "from_address": "10.10.0.1", "to_address": "10.10.0.2"}
	_, err := New().Run(t.Context(), ping, assay.Bench{Place: a, Peer: b, Length: time.Second})
	if err == nil || !regexp.MustCompile(`a \(10\.10\.0\.1\) to b \(10\.10\.0\.2\): none of \d+ echo requests was answered`).MatchString(err.Error()) {
		t.Errorf("ping: %v", err)
	}
}

func TestPeerWithoutIperf3(t *testing.T) {
	a, b, flow := two(t)
	b.answer = func(argv []string) (assay.Output, error, bool) {
		return assay.Output{}, fmt.Errorf("%s: %w", argv[0], assay.ErrNoCommand), argv[0] == "iperf3"
	}
	if err := fails(context.Background(), t, flow, a, b, "on b: iperf3", "install iperf3 on b"); !errors.Is(err, assay.ErrNoCommand) {
		t.Errorf("%v is not ErrNoCommand", err)
	}
}

func TestAddressesOfNobody(t *testing.T) {
	a, b, flow := two(t)
	wrong := func(from, to string) assay.Trial {
		return trial(t, pair(network("storage", from, to)), "a/link/storage:b", map[string]string{"mode": flow.Settings["mode"]})
	}
	fails(context.Background(), t, wrong("10.10.0.1", "10.10.0.9"), a, b, "b has no address 10.10.0.9", "correct network storage")
	fails(context.Background(), t, wrong("10.10.0.9", "10.10.0.2"), a, b, "a has no address 10.10.0.9", "correct network storage")
}

func TestAllPortsTaken(t *testing.T) {
	a, b, flow := two(t)
	b.answer = func(argv []string) (assay.Output, error, bool) {
		if argv[0] != "grep" {
			return assay.Output{}, nil, false
		}
		var rows strings.Builder
		for port := firstPort; port <= lastPort; port++ {
			fmt.Fprintf(&rows, "0: 00000000:%04X 00000000:0000 0A\n", port)
		}
		return assay.Output{Stdout: []byte(rows.String())}, nil, true
	}
	_, err := New().Run(t.Context(), flow, assay.Bench{Place: a, Peer: b, Length: time.Second})
	if err == nil || !strings.Contains(err.Error(), "no port from 5201 to 5299 is free on b") {
		t.Error(err)
	}
}

func TestTheClientIsKilled(t *testing.T) {
	a, b, flow := two(t)
	meanwhile(t, a, func() { a.killIperf3(t) })
	fails(context.Background(), t, flow, a, b, "a (10.10.0.1) to b (10.10.0.2), port 5201")
}

func TestTheServerIsKilled(t *testing.T) {
	a, b, flow := two(t)
	meanwhile(t, a, func() { b.killIperf3(t) })
	began := time.Now()
	fails(context.Background(), t, flow, a, b, "a (10.10.0.1) to b (10.10.0.2), port 5201", "iperf3 was killed on one of the hosts")
	if took := time.Since(began); took > lasting/2 {
		t.Errorf("took %s to notice", took)
	}
}

// iperf3's message when the server is gone depends on the moment; the hint does
// not. Not reaching the server at all has another hint.
func TestHowAClientSaysThatTheServerIsGone(t *testing.T) {
	const ended, firewall = "iperf3 was killed on one of the hosts", "in the firewalls of a and b"
	s := &session{link: link{from: end{host: "a", address: "10.10.0.1"}, to: end{host: "b", address: "10.10.0.2"}}}
	for said, hint := range map[string]string{
		"control socket has closed unexpectedly":                      ended,
		"the server has terminated":                                   ended,
		"unable to write to stream socket: Broken pipe":               ended,
		"unable to read from stream socket: Connection reset by peer": ended,
		"unable to send control message - port may not be available, the other side may have stopped running, etc.: Broken pipe":                 ended,
		"unable to receive control message - port may not be available, the other side may have stopped running, etc.: Connection reset by peer": ended,
		"unable to connect to server - server may have stopped running or use a different port, firewall issue, etc.: Connection refused":        firewall,
		"unable to receive control message: Connection timed out":                                                                                firewall,
		"unable to set TCP_CONGESTION: Supplied congestion control algorithm not supported on this host":                                         "",
	} {
		err := s.refused(5201, said)
		if got := assay.Hint(err); !strings.Contains(got, hint) || hint == "" && got != "" {
			t.Errorf("%s: hint %q, want %q", said, got, hint)
		}
		if !strings.Contains(err.Error(), said[:20]) {
			t.Errorf("%v does not say %s", err, said)
		}
	}
}

// The far end's connection is lost: its place says so, and the client need not
// wait for its bound.
func TestThePeersPlaceIsLost(t *testing.T) {
	a, b, flow := two(t)
	lost := errors.New("the connection to b is lost")
	cut := make(chan struct{})
	b.answer = func(argv []string) (assay.Output, error, bool) {
		if argv[0] != "iperf3" {
			return assay.Output{}, nil, false
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-cut; cancel() }()
		out, _ := b.Place.Run(ctx, assay.Cmd{Argv: append([]string{"ip", "netns", "exec", b.space}, argv...)})
		return out, lost, true
	}
	meanwhile(t, a, func() {
		a.must(t, "ip", "link", "set", "storage", "down") // or the client would hear of it
		close(cut)
	})
	began := time.Now()
	if err := fails(context.Background(), t, flow, a, b, "on b"); !errors.Is(err, lost) {
		t.Errorf("%v does not say so", err)
	}
	if took := time.Since(began); took > lasting/2 {
		t.Errorf("took %s to notice", took)
	}
}

func TestTheCableIsCut(t *testing.T) {
	a, b, flow := two(t)
	cut := make(chan struct{})
	a.answer = func(argv []string) (out assay.Output, err error, _ bool) {
		if argv[0] != "iperf3" {
			return out, nil, false
		}
		// It times out once the cable is cut, however long data takes to flow.
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() {
			select {
			case <-cut:
				cancel()
			case <-ctx.Done():
			}
		}()
		out, err = a.Place.Run(ctx, assay.Cmd{Argv: append([]string{"ip", "netns", "exec", a.space}, argv...)})
		if errors.Is(err, context.Canceled) {
			err = assay.ErrTimeout
		}
		return out, err, true
	}
	meanwhile(t, a, func() {
		a.must(t, "ip", "link", "set", "storage", "down")
		close(cut)
	})
	if err := fails(context.Background(), t, flow, a, b, "a (10.10.0.1) to b (10.10.0.2)", "the link may have gone down"); !errors.Is(err, assay.ErrTimeout) {
		t.Errorf("%v is not ErrTimeout", err)
	}
}

func TestCancelled(t *testing.T) {
	a, b, flow := two(t)
	ctx, cancel := context.WithCancel(context.Background())
	var began time.Time
	meanwhile(t, a, func() {
		began = time.Now()
		cancel()
	})
	if err := fails(ctx, t, flow, a, b); !errors.Is(err, context.Canceled) {
		t.Errorf("%v is not Canceled", err)
	}
	if took := time.Since(began); took > lasting/2 {
		t.Errorf("took %s to end", took)
	}
}

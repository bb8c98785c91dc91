package iperf3

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"assay"
)

// Two addresses of this machine's loopback suffice for most tests.
func loop(t *testing.T) (a, b *at, inv assay.Inventory) {
	t.Helper()
	need(t, "iperf3", "ping", "ip")
	return here("a"), here("b"), pair(network("lo", "127.0.0.1", "127.0.0.2"))
}

func TestFlows(t *testing.T) {
	a, b, inv := loop(t)
	for name, c := range map[string]struct {
		set        map[string]string
		streams    string
		directions []string
	}{
		"single":         {map[string]string{"mode": modeSingle}, "1", []string{forward}},
		"parallel":       {map[string]string{"mode": modeParallel, "streams": "3"}, "3", []string{forward}},
		"both":           {map[string]string{"mode": modeBoth}, "1", []string{forward, reverse}},
		"omitted second": {map[string]string{"mode": modeSingle, "omit": "1"}, "1", []string{forward}},
	} {
		t.Run(name, func(t *testing.T) {
			script, all := run(t, trial(t, inv, "a/link/lo:b", c.set), a, b)
			for _, direction := range c.directions {
				m := oneOf(t, all, "net.tcp.throughput", direction)
				from, to := "a", "b"
				if direction == reverse {
					from, to = to, from
				}
				want := map[string]string{
					"from": from, "to": to, "network": "lo", "streams": c.streams, "side": "receiver", "omit": c.set["omit"],
					"route": "local", "route_back": "local", "interface": "lo", "network_asked": "",
				}
				for k, v := range want {
					if m.Labels[k] != v {
						t.Errorf("%s: label %s is %q, want %q", direction, k, m.Labels[k], v)
					}
				}
				if !(m.Value > 1e6) {
					t.Errorf("%s: %g B/s over loopback", direction, m.Value)
				}
			}
			if got := oneOf(t, all, "tool.duration", forward).Value; got < .9 || got > 1.3 {
				t.Errorf("measured for %g s, not one", got)
			}
			var steps []string
			for _, s := range script.Steps {
				steps = append(steps, s.Name)
			}
			if want := []string{stepRoute, stepAddresses, stepPeerRoute, stepPeerAddresses, "ports", "listening", stepMeasure, "server", "gone"}; !slices.Equal(steps, want) {
				t.Errorf("steps %v, want %v", steps, want)
			}
			if cpu := script.Step("server").Output.CPU; cpu != 0 {
				t.Errorf("the other end's %s of CPU time count as this host's", cpu)
			}
		})
	}
}

// UDP runs at the requested rate, and reports what arrived.
func TestDatagrams(t *testing.T) {
	a, b, inv := loop(t)
	_, all := run(t, trial(t, inv, "a/link/lo:b", map[string]string{"mode": modeUDP, "rate": "8M"}), a, b)
	if got := oneOf(t, all, "net.udp.throughput", forward); got.Value > 1.1e6 || got.Labels["target_bitrate"] != "8000000" {
		t.Errorf("%g B/s, %v", got.Value, got.Labels)
	}
	if loss := oneOf(t, all, "net.udp.loss", forward).Value; loss < 0 || loss > 1 {
		t.Errorf("lost %g", loss)
	}
}

func TestRoundTripTimes(t *testing.T) {
	a, b, inv := loop(t)
	tr := trial(t, inv, "a/link/lo:b", map[string]string{"mode": modeRTT})
	check := func(t *testing.T, echoes, refused int) {
		script, all := run(t, tr, a, b)
		value := func(metric string) float64 { return oneOf(t, all, metric, forward).Value }
		least, median, mean, most := value("net.rtt.min"), value("net.rtt.median"), value("net.rtt.mean"), value("net.rtt.max")
		if !(0 < least && least <= median && median <= most && least <= mean && mean <= most && most < .5) {
			t.Errorf("min %g, median %g, mean %g, max %g", least, median, mean, most)
		}
		if value("net.rtt.loss") != 0 {
			t.Errorf("%g of the packets lost on loopback", value("net.rtt.loss"))
		}
		if n := len(oneOf(t, all, "net.rtt.median", forward).Samples); n != echoes {
			t.Errorf("%d samples, want %d", n, echoes)
		}
		n := 0
		for _, s := range script.Steps {
			if s.Name == stepPingRefused {
				n++
			}
		}
		if n != refused {
			t.Errorf("%d commands were refused, want %d", n, refused)
		}
	}
	t.Run("iputils", func(t *testing.T) { check(t, 20, 0) })
	t.Run("a user of old iputils", func(t *testing.T) {
		a.answer = func(argv []string) (assay.Output, error, bool) {
			if argv[0] == "ping" && slices.Contains(argv, "0.05") {
				return assay.Output{Exit: 2, Stderr: []byte("ping: cannot flood; minimal interval allowed for user is 200ms\n")}, nil, true
			}
			return assay.Output{}, nil, false
		}
		check(t, 5, 1)
	})
	t.Run("busybox without fractions", func(t *testing.T) {
		need(t, "busybox")
		a.answer = func(argv []string) (assay.Output, error, bool) {
			if argv[0] != "ping" {
				return assay.Output{}, nil, false
			}
			if slices.ContainsFunc(argv, func(w string) bool { return strings.HasPrefix(w, "0.") }) {
				return assay.Output{Exit: 1, Stderr: []byte("ping: invalid number '0.05'\n")}, nil, true
			}
			out, err := a.Place.Run(t.Context(), assay.Cmd{Argv: slices.Insert(slices.DeleteFunc(slices.Clone(argv), func(w string) bool { return w == "-n" }), 0, "busybox")})
			return out, err, true
		}
		check(t, 3, 2)
	})
}

func TestPathMTUOfLoopback(t *testing.T) {
	a, b, inv := loop(t)
	_, all := run(t, trial(t, inv, "a/link/lo:b", map[string]string{"mode": modeMTU}), a, b)
	if m := oneOf(t, all, "net.path_mtu", forward); m.Value != 65535 || m.Labels["from"] != "a" {
		t.Errorf("%+v", m)
	}
}

// Another server on port 5201 is left alone.
func TestAStaleServerIsInNobodysWay(t *testing.T) {
	hosts := spaces(t, "a")
	a := hosts["a"]
	b := here("b")
	b.space = a.space
	old := here("old")
	old.space = a.space
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = old.Run(t.Context(), assay.Cmd{Argv: []string{"iperf3", "-s", "-p", "5201"}})
	}()
	until(t, "the old server listens", func() bool { return len(portsOf(t, a)) == 1 })
	inv := pair(network("lo", "127.0.0.1", "127.0.0.2"))
	tr := trial(t, inv, "a/link/lo:b", map[string]string{"mode": modeSingle})
	script, _ := run(t, tr, a, b)
	if argv := script.Step(stepMeasure).Argv; !slices.Contains(argv, "5202") {
		t.Errorf("measured with %q", argv)
	}
	// It is there although the first check missed it.
	looks := 0
	b.answer = func(argv []string) (assay.Output, error, bool) {
		if argv[0] != "grep" {
			return assay.Output{}, nil, false
		}
		looks++
		return assay.Output{Exit: 1}, nil, looks == 1
	}
	script, _ = run(t, tr, a, b)
	if argv := script.Step(stepMeasure).Argv; !slices.Contains(argv, "5202") {
		t.Errorf("measured with %q", argv)
	}
	if ports := portsOf(t, a); !slices.Equal(ports, []int{5201}) {
		t.Errorf("these listen afterwards: %v", ports)
	}
	select {
	case <-ended:
		t.Error("the old server was ended")
	default:
	}
	if n, err := old.Reap(t.Context(), old.mark); n == 0 || err != nil {
		t.Errorf("the old server could not be ended: %v", err)
	}
	<-ended
}

// IPv6 has longer headers and the same path.
func TestIPv6(t *testing.T) {
	hosts := spaces(t, "a", "b")
	a, b := hosts["a"], hosts["b"]
	cable(t, a, b, "storage", "fd00::1/64", "fd00::2/64")
	inv := pair(network("storage", "fd00::1", "fd00::2"))
	for metric, set := range map[string]map[string]string{
		"net.tcp.throughput": {"mode": modeSingle}, "net.rtt.median": {"mode": modeRTT}, "net.path_mtu": {"mode": modeMTU},
	} {
		_, all := run(t, trial(t, inv, "a/link/storage:b", set), a, b)
		m := oneOf(t, all, metric, forward)
		if metric == "net.path_mtu" && m.Value != 1500 {
			t.Errorf("path MTU %g", m.Value)
		}
		if got := []string{m.Labels["route"], m.Labels["interface"], m.Labels["peer_interface"], m.Labels["from_address"]}; !slices.Equal(got, []string{"direct", "storage", "storage", "fd00::1"}) {
			t.Errorf("%s: %v", metric, slices.Sorted(maps.Values(m.Labels)))
		}
	}
}

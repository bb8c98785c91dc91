package iperf3

import (
	"errors"
	"math"
	"strings"
	"testing"

	"assay"
)

// A ping of iputils with a slow first answer, a duplicate and a loss, and one of
// busybox. The figures are computed by hand from all answers but the first.
const (
	iputils = `PING 10.0.0.2 (10.0.0.2) from 10.0.0.1 : 56(84) bytes of data.
64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=9.75 ms
64 bytes from 10.0.0.2: icmp_seq=2 ttl=64 time=0.100 ms
64 bytes from 10.0.0.2: icmp_seq=2 ttl=64 time=0.900 ms (DUP!)
64 bytes from 10.0.0.2: icmp_seq=3 ttl=64 time=0.200 ms
64 bytes from 10.0.0.2: icmp_seq=5 ttl=64 time=0.600 ms

--- 10.0.0.2 ping statistics ---
5 packets transmitted, 4 received, +1 duplicates, 20% packet loss, time 204ms
rtt min/avg/max/mdev = 0.100/2.310/9.750/3.720 ms
`
	busybox = `PING 10.0.0.2 (10.0.0.2) from 10.0.0.1: 56 data bytes
64 bytes from 10.0.0.2: seq=0 ttl=64 time=1.000 ms
64 bytes from 10.0.0.2: seq=1 ttl=64 time=0.300 ms
64 bytes from 10.0.0.2: seq=2 ttl=64 time=0.100 ms

--- 10.0.0.2 ping statistics ---
3 packets transmitted, 3 packets received, 0% packet loss
round-trip min/avg/max = 0.100/0.466/1.000 ms
`
)

func pingScript(text string, argv ...string) assay.Transcript {
	return assay.Transcript{
		Settings: map[string]string{"mode": modeRTT, "from": "a", "to": "b", "from_address": "10.0.0.1", "to_address": "10.0.0.2"},
		Steps:    []assay.Step{{Name: stepMeasure, Argv: argv, Output: assay.Output{Stdout: []byte(text)}}},
	}
}

func TestParsePing(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want map[string]float64 // ms, and a share
		at   []float64          // s
		line int
	}{
		"iputils": {iputils, map[string]float64{"min": .1, "median": .2, "mean": .3, "max": .6, "stddev": math.Sqrt((.04 + .01 + .09) / 3), "loss": .2, "duplicates": .2}, []float64{.05, .1, .2}, 9},
		"busybox": {busybox, map[string]float64{"min": .1, "median": .2, "mean": .2, "max": .3, "stddev": .1, "loss": 0, "duplicates": 0}, []float64{.05, .1}, 7},
	} {
		all, err := New().Parse(pingScript(c.text, "ping", "-i", "0.05"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(all) != len(c.want) {
			t.Errorf("%s: %d figures", name, len(all))
		}
		for metric, want := range c.want {
			scale := 1e-3
			if metric == "loss" || metric == "duplicates" {
				scale = 1
			}
			m := oneOf(t, all, "net.rtt."+metric, forward)
			if math.Abs(m.Value-want*scale) > 1e-9 || m.Line != c.line || m.Labels["from"] != "a" || m.Labels["tool"] != "ping" {
				t.Errorf("%s: %s is %g on line %d, want %g on %d: %v", name, metric, m.Value, m.Line, want*scale, c.line, m.Labels)
			}
		}
		samples := oneOf(t, all, "net.rtt.median", forward).Samples
		for i, at := range c.at {
			if len(samples) != len(c.at) || math.Abs(samples[i].At-at) > 1e-9 {
				t.Errorf("%s: samples %v", name, samples)
				break
			}
		}
	}
}

func TestParsePingThatFailed(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"killed":         {strings.SplitAfter(iputils, "icmp_seq=3 ttl=64 time=0.200 ms\n")[0], "printed no statistics"},
		"no answer":      {"3 packets transmitted, 0 received, 100% packet loss\n", "0 of 3 echo requests"},
		"one answer":     {"64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=9.75 ms\n3 packets transmitted, 1 received\n", "1 of 3"},
		"more than sent": {strings.Replace(iputils, "4 received", "6 received", 1), "6 of 5"},
		"no number":      {strings.Replace(iputils, "time=0.200", "time=0.2.00", 1), "is impossible"},
		"no time":        {"64 bytes from x: seq=1 ttl=64 time=0 ms\n64 bytes from x: seq=2 ttl=64 time=0 ms\n2 packets transmitted, 2 received\n", "0 s is impossible"},
	} {
		if all, err := New().Parse(pingScript(c.text)); err == nil || !strings.Contains(err.Error(), c.want) || len(all) > 0 {
			t.Errorf("%s: %d figures, %v", name, len(all), err)
		}
	}
	if _, err := New().Parse(assay.Transcript{Settings: pingScript("").Settings}); !errors.Is(err, assay.ErrNoOutput) {
		t.Error(err)
	}
}

func FuzzPing(f *testing.F) {
	f.Add(iputils, "1472", modeRTT)
	f.Add(busybox, "x", modeMTU)
	f.Fuzz(func(t *testing.T, text, size, mode string) {
		script := pingScript(text, "ping", "-s", size, "-i", size)
		script.Settings["mode"] = mode
		script.Steps = append(script.Steps, assay.Step{Name: stepRoute, Output: script.Steps[0].Output}, assay.Step{Name: stepAddresses, Output: script.Steps[0].Output})
		all, err := New().Parse(script)
		if (err == nil) == (len(all) == 0) {
			t.Fatalf("%d measurements and error %v", len(all), err)
		}
		for _, m := range all {
			if known, ok := assay.Describe(m.Metric); !ok || known.Unit != m.Unit || math.IsNaN(m.Value) || math.IsInf(m.Value, 0) || m.Value < 0 {
				t.Errorf("%+v", m)
			}
		}
		New().Notes(script)
	})
}

package iperf3

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"assay"
)

// Whatever the path MTU, and whether or not it is reported, the search finds
// it, and soon if it is one of the usual sizes.
func TestEdge(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		top := rapid.SampledFrom([]int{1400, 1500, 4000, 9000, 9216, 65535}).Draw(r, "top")
		path := rapid.OneOf(rapid.IntRange(smallest, top-1), rapid.SampledFrom([]int{576, 1280, 1500, 1504})).Filter(func(p int) bool { return p < top }).Draw(r, "path")
		tells := rapid.Bool().Draw(r, "tells")
		best, tries := 0, 0
		s := &session{}
		err := s.edge(top, func(size int) (bool, int, error) {
			tries++
			if size <= path {
				best = max(best, size)
				return true, 0, nil
			}
			if tells {
				return false, path, nil
			}
			return false, 0, nil
		})
		if err != nil || best != path {
			r.Fatalf("found %d of %d below %d: %v", best, path, top, err)
		}
		if tries > mostTries-2 || path == ethernet && tries > 2 || path == ethernet+4 && tries > 6 {
			r.Fatalf("%d tries", tries)
		}
	})
}

func TestEdgeOfNothing(t *testing.T) {
	s := &session{link: link{from: end{"a", "10.0.0.1"}, to: end{"b", "10.0.0.2"}}}
	if err := s.edge(9000, func(int) (bool, int, error) { return false, 0, nil }); err == nil {
		t.Error("no answer at all is no path MTU")
	}
	broken := errors.New("the line is down")
	if err := s.edge(9000, func(int) (bool, int, error) { return false, 0, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func TestReadTry(t *testing.T) {
	l := link{from: end{"a", "10.0.0.1"}, to: end{"b", "10.0.0.2"}}
	for name, c := range map[string]struct {
		stdout, stderr string
		want           try
	}{
		"answered":                 {"PING 10.0.0.2\n1480 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=0.1 ms\n\n--- ping statistics ---\n2 packets transmitted, 2 received, 0% packet loss\n", "", try{size: 1500, ok: true, line: 5}},
		"lost":                     {"\n2 packets transmitted, 0 received, 100% packet loss, time 201ms\n", "", try{size: 1500, lost: true, line: 2}},
		"a router tells":           {"From 10.0.0.9 icmp_seq=1 Frag needed and DF set (mtu = 1400)\n2 packets transmitted, 0 received, +2 errors, 100% packet loss\n", "", try{size: 1500, lost: true, told: 1400, line: 2}},
		"the kernel tells":         {"2 packets transmitted, 0 received, +2 errors, 100% packet loss\n", "ping: local error: message too long, mtu=1420\n", try{size: 1500, lost: true, told: 1420, line: 1}},
		"IPv6 tells":               {"From fd00::9 icmp_seq=1 Packet too big: mtu=1280\n2 packets transmitted, 0 received, +2 errors\n", "", try{size: 1500, lost: true, told: 1280, line: 2}},
		"one of two":               {"2 packets transmitted, 1 received, 50% packet loss\n", "", try{size: 1500, ok: true, line: 1}},
		"busybox cannot":           {"", "ping: invalid option -- 'M'\n", try{size: 1500}},
		"told after it was cached": {"From 10.0.0.9 icmp_seq=1 Frag needed and DF set (mtu = 99999)\n2 packets transmitted, 0 received\n", "", try{size: 1500, lost: true, told: 99999, line: 2}},
	} {
		step := assay.Step{Argv: []string{"ping", "-s", "1472"}, Output: assay.Output{Stdout: []byte(c.stdout), Stderr: []byte(c.stderr)}}
		if got := readTry(step, l); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestBusyboxCannotForbidFragments(t *testing.T) {
	a, b, inv := loop(t)
	need(t, "busybox")
	a.answer = func(argv []string) (assay.Output, error, bool) {
		if argv[0] != "ping" {
			return assay.Output{}, nil, false
		}
		out, err := a.Place.Run(t.Context(), assay.Cmd{Argv: append([]string{"busybox"}, argv...)})
		return out, err, true
	}
	tr := trial(t, inv, "a/link/lo:b", map[string]string{"mode": modeMTU})
	_, err := New().Run(t.Context(), tr, assay.Bench{Place: a, Peer: b})
	if err == nil || assay.Hint(err) != "install iputils-ping (iputils) on a" {
		t.Errorf("%v, hint %q", err, assay.Hint(err))
	}
}

// A path takes less than its network's declared MTU.
func TestLessThanWasSaid(t *testing.T) {
	n := network("storage", "10.0.0.1", "10.0.0.2")
	n.MTU = 9000
	tr := trial(t, pair(n), "a/link/storage:b", map[string]string{"mode": modeMTU})
	script := assay.Transcript{Settings: tr.Settings, Steps: []assay.Step{
		{Name: stepInterfaceMTU, Output: assay.Output{Stdout: []byte("1500\n")}},
		{Name: stepMeasure, Argv: []string{"ping", "-s", "1472"}, Output: assay.Output{Stdout: []byte("2 packets transmitted, 2 received\n")}},
	}}
	if got := texts(New().Notes(script)); got != "link-mtu: the path MTU is 1500 B, but network storage is declared with 9000\n" {
		t.Error(got)
	}
}

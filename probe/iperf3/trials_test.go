package iperf3

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
)

func kase(set map[string]string) assay.Case {
	return assay.Case{Probe: tool, Name: "tcp-1", Title: "TCP, one flow", On: assay.KindLink, Set: set}
}

func TestTrials(t *testing.T) {
	n := network("storage", "10.0.0.1", "10.0.0.2", "10.0.0.3")
	n.MTU = 9000
	all, err := New().Trials(pair(n), kase(map[string]string{"mode": modeParallel, "streams": "4", "omit": "1"}))
	if err != nil || len(all) != 6 {
		t.Fatalf("%d trials of six links, %v", len(all), err)
	}
	tr := all[0]
	if tr.ID != "iperf3/tcp-1@a/link/storage:b" || tr.Peer != "b" || tr.Title != "TCP, one flow, a → b on storage" || tr.Risk != assay.Reads ||
		!slices.Equal(tr.Claims, []string{"a/link/storage:b"}) || tr.Overhead != flowOverhead+time.Second || tr.Absent != nil {
		t.Errorf("%+v", tr)
	}
	l, ok := linkOf(tr.Settings)
	if !ok || l.from != (end{"a", "10.0.0.1"}) || l.to != (end{"b", "10.0.0.2"}) || l.network != "storage" || l.mtu != 9000 || l.ownerOf("10.0.0.3") != "c" || len(l.owners) != 3 {
		t.Errorf("%+v", l)
	}
}

// Bidirectional tests are one trial per pair, whichever host comes first.
func TestBothWaysIsOneTrialForEachPair(t *testing.T) {
	all, err := New().Trials(pair(network("x", "10.0.0.1", "10.0.0.2", "10.0.0.3"), network("y", "10.1.0.1", "10.1.0.2")), kase(map[string]string{"mode": modeBoth}))
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, tr := range all {
		titles = append(titles, tr.Title[len("TCP, one flow, "):])
	}
	if want := []string{"a ↔ b on x", "a ↔ c on x", "b ↔ c on x", "a ↔ b on y"}; !slices.Equal(titles, want) {
		t.Errorf("%q, want %q", titles, want)
	}
}

// A pod has a new address when a run is resumed: the earlier trial gets it, and
// nothing else in it changes.
func TestReaddress(t *testing.T) {
	all, err := New().Trials(pair(network("pods", "10.0.0.1", "10.0.0.2")), kase(map[string]string{"mode": modeSingle}))
	if err != nil {
		t.Fatal(err)
	}
	was := all[0]
	is := New().Readdress(was, pair(network("pods", "10.0.0.7", "10.0.0.8")))
	l, ok := linkOf(is.Settings)
	if !ok || l.from != (end{"a", "10.0.0.7"}) || l.to != (end{"b", "10.0.0.8"}) || l.ownerOf("10.0.0.8") != "b" || l.ownerOf("10.0.0.2") != "" {
		t.Errorf("%+v", l)
	}
	if l, _ := linkOf(was.Settings); l.from.address != "10.0.0.1" {
		t.Errorf("the trial of before was changed: %+v", l)
	}
	if is.ID != was.ID || is.Settings["mode"] != modeSingle {
		t.Errorf("%+v", is)
	}
	if l, ok := linkOf(New().Readdress(was, pair(network("pods", "10.0.0.7"))).Settings); ok || l.to.address != "" {
		t.Errorf("without an address of one end: %+v", l)
	}
	if l, ok := linkOf(New().Readdress(was, pair(network("others", "10.0.0.7", "10.0.0.8"))).Settings); ok || l.to.address != "" {
		t.Errorf("without the network: %+v", l)
	}
}

func TestSettingsAreRefused(t *testing.T) {
	for _, c := range []struct {
		set  map[string]string
		want string
	}{
		{map[string]string{}, "case tcp-1: mode is missing"},
		{map[string]string{"mode": "sctp"}, `case tcp-1: mode: "sctp" is not one of tcp-single, `},
		{map[string]string{"mode": modeUDP}, "rate is missing"},
		{map[string]string{"mode": modeUDP, "rate": "fast"}, `rate: "fast" is not a number of bit/s`},
		{map[string]string{"mode": modeSingle, "rate": "1M"}, "rate has no effect when mode is tcp-single"},
		{map[string]string{"mode": modeParallel}, "streams is missing"},
		{map[string]string{"mode": modeParallel, "streams": "0"}, `streams: "0" is not a whole number from 1 to 128`},
		{map[string]string{"mode": modeSingle, "streams": "2"}, "streams has no effect when mode is tcp-single"},
		{map[string]string{"mode": modeSingle, "omit": "-1"}, `omit: "-1" is not a whole number from 0 to 60`},
		{map[string]string{"mode": modeRTT, "omit": "1"}, "omit has no effect when mode is rtt"},
	} {
		if _, err := New().Trials(assay.Inventory{}, kase(c.set)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.set, err, c.want)
		}
	}
	on := kase(map[string]string{"mode": modeRTT})
	on.On = assay.KindCPU
	if _, err := New().Trials(assay.Inventory{}, on); err == nil || !strings.Contains(err.Error(), `not a "cpu"`) {
		t.Error(err)
	}
}

func TestAbsent(t *testing.T) {
	tools := func(inv assay.Inventory, host string, tools ...assay.ToolFacts) {
		f := inv.Facts[host]
		f.Tools = tools
		inv.Facts[host] = f
	}
	for name, c := range map[string]struct {
		change func(inv assay.Inventory)
		mode   string
		want   string
	}{
		"no address":           {func(inv assay.Inventory) { delete(inv.Networks[0].Addresses, "b") }, modeSingle, "the address of b on network x is unknown"},
		"a name":               {func(inv assay.Inventory) { inv.Networks[0].Addresses["a"] = "-c;reboot" }, modeSingle, "is not an address"},
		"a link-local address": {func(inv assay.Inventory) { inv.Networks[0].Addresses["a"] = "fe80::1%eth0" }, modeSingle, "is not an address"},
		"no such network":      {func(inv assay.Inventory) { inv.Networks[0].Name = "y" }, modeSingle, "network x of a/link/x:b is unknown"},
		"a host that is down":  {func(inv assay.Inventory) { delete(inv.Facts, "b") }, modeRTT, "no facts were collected about b"},
		"no iperf3 here":       {func(inv assay.Inventory) { tools(inv, "a") }, modeSingle, "iperf3 is not installed on a"},
		"no iperf3 there":      {func(inv assay.Inventory) { tools(inv, "b") }, modeSingle, "iperf3 is not installed on b"},
		"an old one": {func(inv assay.Inventory) {
			tools(inv, "b", assay.ToolFacts{Name: "iperf3", Path: "/x", Version: "iperf 3.1.3"})
		}, modeSingle, "iperf3 on b is too old: found iperf 3.1.3, need 3.2 or later"},
		"one without --bidir": {func(inv assay.Inventory) {
			tools(inv, "b", assay.ToolFacts{Name: "iperf3", Path: "/x", Version: "iperf 3.6"})
		}, modeBoth, "cannot send both ways at once: found iperf 3.6, need 3.7 or later"},
		"no ping": {func(inv assay.Inventory) {
			tools(inv, "a", assay.ToolFacts{Name: "iperf3", Path: "/x", Version: "iperf 3.12"})
		}, modeMTU, "ping is not installed on a"},
	} {
		inv := pair(network("x", "10.0.0.1", "10.0.0.2"))
		c.change(inv)
		all, err := New().Trials(inv, kase(map[string]string{"mode": c.mode}))
		if err != nil || len(all) == 0 || all[0].Absent == nil || all[0].Absent.Word != assay.Unknown || !strings.Contains(all[0].Absent.Why, c.want) {
			t.Errorf("%s: %v, %+v", name, err, all)
		}
	}
}

// A trial without addresses, or with a missing place, does not panic.
func TestRunWithoutWhatItNeeds(t *testing.T) {
	tr := trial(t, pair(network("x", "10.0.0.1", "10.0.0.2")), "a/link/x:b", map[string]string{"mode": modeSingle})
	if _, err := New().Run(t.Context(), tr, assay.Bench{Place: here("a")}); err == nil || !strings.Contains(err.Error(), "no connection to b") {
		t.Error(err)
	}
	tr.Settings = map[string]string{"mode": modeSingle}
	if _, err := New().Run(t.Context(), tr, assay.Bench{Place: here("a"), Peer: here("b")}); err == nil || !strings.Contains(err.Error(), "do not name two addresses") {
		t.Error(err)
	}
}

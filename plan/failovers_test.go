package plan

import (
	"strings"
	"testing"

	"assay"
	"assay/stacks/failover"
)

// A plan lists every command that stops something, and its host, once.
func TestFailoversAreSaid(t *testing.T) {
	e := failover.Entry{
		Name: "vip", Host: "lb1", By: "lb9", Stop: "a\nb", Start: "c", Running: "d", Whole: "e", Address: "10.0.0.9", Observers: []string{"web1", "web2"},
	}
	trial := assay.Trial{Repeats: 3, Subject: assay.Subject{ID: "lb1/failover/vip", Kind: assay.KindFailover, Host: "lb1", Name: "vip", Params: e.Params()}}
	away := trial
	away.Absent, away.Subject.ID = &assay.Absence{}, "lb2/failover/vip"
	p := Plan{Trials: []assay.Trial{trial, trial, away}}
	p.sayFailovers()
	var said strings.Builder
	for _, n := range p.Notes {
		said.WriteString(n.Text + "\n")
	}
	const want = `vip: the run stops vip on lb1, 3 times, and puts it back; a guard on lb9 does so after 2m0s even if nobody asks (after a kill -9: assay cleanup)
vip: on lb9, to stop: a b
vip: on lb9, to put back: c
vip: on lb9, to check: d
vip: on web1, to observe: perl -e …, which pings 10.0.0.9 every 10ms
vip: on web2, to observe: perl -e …, which pings 10.0.0.9 every 10ms
vip: on web1, to see whether redundancy is whole: e
`
	if said.String() != want {
		t.Errorf("got\n%swant\n%s", said.String(), want)
	}
	e.Address, e.Command = "", "ceph -s"
	trial.Subject.Params, trial.Repeats = e.Params(), 1
	p = Plan{Trials: []assay.Trial{trial}}
	p.sayFailovers()
	if got := p.Notes[0].Text; !strings.Contains(got, "on lb1, once, and puts it back") {
		t.Errorf("got %q", got)
	}
	for i, host := range []string{"web1", "web2"} {
		if got, want := p.Notes[4+i].Text, "vip: on "+host+", to observe: perl -e …, which runs, again and again: ceph -s"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A trial has its helper hosts to itself.
func TestHelpersAreNeeded(t *testing.T) {
	got := Needs(assay.Trial{Subject: assay.Subject{Host: "a"}, Helpers: []string{"b", "c"}})
	if strings.Join(got, " ") != "host/a host/b host/c" {
		t.Errorf("needs %v", got)
	}
}

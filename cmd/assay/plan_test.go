package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/plan"
	"assay/report/term"
)

// clusterPlan returns a plan for four hosts: one directory each, every link on two
// networks, and a drive that one of them lacks.
func clusterPlan() plan.Plan {
	p := plan.Plan{Suite: "cluster", Budget: 3 * time.Minute, Estimate: 2 * time.Minute, Seed: 7}
	add := func(probe, name string, s assay.Subject, absent *assay.Absence) {
		t := assay.Trial{ID: probe + "/" + name + "@" + s.ID, Probe: probe, Case: name, Subject: s, Peer: s.Peer, Repeats: 6, Length: time.Second, Risk: assay.Reads, Absent: absent}
		p.Trials, p.Schedule = append(p.Trials, t), append(p.Schedule, plan.Slot{Trial: len(p.Trials)})
	}
	for i := range 4 {
		host := fmt.Sprint("pve", i+1)
		add("fio", "randread-4k", assay.Subject{Kind: assay.KindDirectory, Host: host, Name: "/srv"}, nil)
		add("sysbench", "cpu-1", assay.Subject{Kind: assay.KindCPU, Host: host, Name: "cpu"}, nil)
		var absent *assay.Absence
		if i == 3 {
			absent = &assay.Absence{Word: assay.NotSupported, Why: "no SMART data"}
		}
		add("smart", "health", assay.Subject{Kind: assay.KindDrive, Host: host, Name: "sda"}, absent)
		for k := range 4 {
			for _, network := range []string{"storage", "management"} {
				if k != i {
					add("iperf3", "tcp-1", assay.Subject{Kind: assay.KindLink, Host: host, Peer: fmt.Sprint("pve", k+1), Network: network}, nil)
				}
			}
		}
	}
	return p
}

func printed(t *testing.T, p plan.Plan, verbose bool) []string {
	t.Helper()
	var b bytes.Buffer
	if err := term.Render(&b, planDocument(p, verbose), term.Options{Width: 160}); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(b.String()), "\n")
}

// A plan for several hosts has one line per case; the full plan names the host in every
// line.
func TestThePlanOfSeveralHosts(t *testing.T) {
	p := clusterPlan()
	short := strings.Join(printed(t, p, false), "\n")
	for _, want := range []string{
		"fio/randread-4k  pve1, pve2, pve3, pve4", "iperf3/tcp-1", "24 links on storage, management",
		"smart/health     pve1, pve2, pve3  ", "not supported: no SMART data", "36 trials on 4 hosts; list them with --verbose",
	} {
		if !strings.Contains(short, want) {
			t.Errorf("%q is not in\n%s", want, short)
		}
	}
	if n := strings.Count(short, "\n"); n > 12 {
		t.Errorf("%d lines are no summary:\n%s", n, short)
	}
	named := 0
	for _, line := range printed(t, p, true) {
		if !strings.Contains(line, "/") || strings.HasPrefix(line, " ") {
			continue
		}
		if named++; !strings.Contains(line, "pve") {
			t.Errorf("%q does not say the host", line)
		}
	}
	if named != len(p.Trials) {
		t.Errorf("%d trials in the whole plan, want %d", named, len(p.Trials))
	}
}

// A plan for two drives of one host names the drive in each line; a plan for one drive need
// not.
func TestThePlanOfSeveralDrives(t *testing.T) {
	of := func(drives ...string) string {
		var p plan.Plan
		for _, d := range drives {
			s := assay.Subject{ID: "pve1/block/" + d, Kind: assay.KindBlock, Host: "pve1", Name: "/dev/disk/by-id/" + d}
			p.Trials = append(p.Trials, assay.Trial{ID: "fio/fill-1m@" + s.ID, Probe: "fio", Case: "fill-1m", Subject: s, Repeats: 1, Length: time.Second, Risk: assay.Writes})
		}
		return strings.Join(printed(t, p, false), "\n")
	}
	if two := of("ata-A", "ata-B"); !strings.Contains(two, "fio/fill-1m  ata-A") || !strings.Contains(two, "fio/fill-1m  ata-B") {
		t.Errorf("which drive is which?\n%s", two)
	}
	if one := of("ata-A"); !strings.Contains(one, "fio/fill-1m  block") {
		t.Errorf("%s", one)
	}
}

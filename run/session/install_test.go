package session

import (
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/plan/suite"
	probeall "assay/probe/all"
)

// Each host gets what the suites' cases need on it: no fio without storage, no
// iperf3 where no link ends.
func TestEachHostGetsWhatItNeeds(t *testing.T) {
	suites, err := suite.All()
	if err != nil {
		t.Fatal(err)
	}
	subject := func(host string, kind assay.SubjectKind, peer string) assay.Subject {
		return assay.Subject{ID: host + "/" + string(kind) + "/x" + peer, Host: host, Kind: kind, Name: "x", Peer: peer}
	}
	var there []assay.ToolFacts
	for _, name := range []string{"fio", "sysbench", "dd", "fincore"} {
		there = append(there, assay.ToolFacts{Name: name, Path: "/usr/bin/" + name, Version: map[string]string{"fio": "fio-2.1", "sysbench": "sysbench 1.0.20"}[name]})
	}
	look := &Session{probes: probeall.Probes(), inventory: assay.Inventory{Subjects: []assay.Subject{
		subject("nas", assay.KindDirectory, ""), subject("old", assay.KindDirectory, ""), subject("old", assay.KindCPU, ""),
		subject("left", assay.KindLink, "right"), subject("disk", assay.KindDrive, ""), subject("disk", assay.KindMemory, ""),
	}}}
	for _, c := range []struct {
		facts    assay.Facts
		packages string
		needed   string
	}{
		{assay.Facts{Host: "nas", Packager: "apt"}, "coreutils fio util-linux", "dd fio"},
		{assay.Facts{Host: "old", Packager: "dnf", Tools: there}, "fio", "fio"}, // too old
		{assay.Facts{Host: "left", Packager: "apt"}, "iperf3 iputils-ping", "iperf3"},
		{assay.Facts{Host: "right", Packager: "pacman"}, "iperf3 iputils", "iperf3"},
		{assay.Facts{Host: "disk", Packager: "apk"}, "fio smartmontools sysbench", "fio smartctl sysbench"}, // the suite layers reads drives
		{assay.Facts{Host: "nothing", Packager: "apt"}, "", ""},
	} {
		l := look.lacksOn(c.facts, suites)
		slices.Sort(l.Packages)
		slices.Sort(l.Needed)
		if strings.Join(l.Packages, " ") != c.packages || strings.Join(l.Needed, " ") != c.needed {
			t.Errorf("%s gets %q for %q, want %q for %q", c.facts.Host, l.Packages, l.Needed, c.packages, c.needed)
		}
	}
}

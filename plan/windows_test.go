package plan

import (
	"maps"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/plan/suite"
	probeall "assay/probe/all"
	"assay/probe/probetest"
)

// The plan refuses Linux-only probes if any host of a trial does not run Linux.
func TestProbesOfLinuxAreRefusedOnWindows(t *testing.T) {
	inv := assay.Inventory{Facts: map[string]assay.Facts{"win": {OS: assay.OSFacts{Windows: true}}, "pve1": {}}}
	spec := assay.Spec{Name: "iperf3"}
	for _, trial := range []assay.Trial{
		{Subject: assay.Subject{Host: "win"}},
		{Subject: assay.Subject{Host: "pve1"}, Peer: "win"},
		{Subject: assay.Subject{Host: "pve1"}, Helpers: []string{"pve1", "win"}},
	} {
		a := unable(inv, trial, spec)
		if a == nil || a.Word != assay.NotSupported || a.Why != "win runs Windows, and iperf3 measures hosts of Linux only" {
			t.Errorf("%+v: %+v", trial, a)
		}
		if unable(inv, trial, assay.Spec{Systems: assay.LinuxAndWindows}) != nil {
			t.Errorf("%+v is refused to a probe of Windows", trial)
		}
	}
	if unable(inv, assay.Trial{Subject: assay.Subject{Host: "pve1"}}, spec) != nil {
		t.Error("a host of Linux")
	}
	spec = assay.Spec{Name: "diskspd", Systems: assay.WindowsAlone}
	if a := unable(inv, assay.Trial{Subject: assay.Subject{Host: "pve1"}}, spec); a == nil || a.Why != "pve1 does not run Windows, and diskspd measures hosts of Windows only" {
		t.Errorf("%+v", a)
	}
	windows := assay.Facts{OS: assay.OSFacts{Windows: true}}
	if a := lacking(windows, assay.Spec{Tools: []assay.Tool{{Name: "fio"}}}); a == nil || !strings.Contains(a.Hint, "install fio in the guest, put its folder on") {
		t.Errorf("%+v", a)
	}
	var able []string
	for _, p := range probeall.Probes() {
		if s := p.Spec(); s.Systems.Include(true) {
			able = append(able, s.Name)
		}
	}
	if got := strings.Join(able, " "); got != "fio diskspd" {
		t.Errorf("%q say that they measure Windows", got)
	}
}

// A guest without fio is measured with DiskSpd, one with both with fio; one with neither gets
// a hint. The suite's case stays the same.
func TestDiskSpdWhereThereIsNoFio(t *testing.T) {
	fio, diskspd := assay.ToolFacts{Name: "fio", Path: `C:\fio.exe`, Version: "3.38"}, assay.ToolFacts{Name: "diskspd", Path: `C:\diskspd.exe`, Version: "2.1.0"}
	old := assay.ToolFacts{Name: "fio", Path: `C:\fio.exe`, Version: "2.1"}
	for name, tt := range map[string]struct {
		tools            []assay.ToolFacts
		set              map[string]string
		probe, why, hint string
	}{
		"both":       {tools: []assay.ToolFacts{fio, diskspd}, probe: "fio"},
		"fio":        {tools: []assay.ToolFacts{fio}, probe: "fio"},
		"diskspd":    {tools: []assay.ToolFacts{diskspd}, probe: "diskspd"},
		"old fio":    {tools: []assay.ToolFacts{old, diskspd}, probe: "diskspd"},
		"neither":    {probe: "fio", why: "fio is not installed, and diskspd is not installed", hint: "one of them is enough: install fio or diskspd in the guest"},
		"older both": {tools: []assay.ToolFacts{old, {Name: "diskspd", Path: `C:\diskspd.exe`, Version: "2.0.17a"}}, probe: "fio", why: "diskspd is too old: found 2.0.17a, need 2.0.20 or later"},
		"cannot":     {tools: []assay.ToolFacts{diskspd}, set: map[string]string{"engine": "psync", "direct": "0"}, probe: "diskspd", why: "DiskSpd has no engine psync", hint: "install fio"},
		"can":        {tools: []assay.ToolFacts{fio, diskspd}, set: map[string]string{"engine": "psync", "direct": "0"}, probe: "fio"},
	} {
		inv := probetest.Windows()
		f := inv.Facts["box"]
		f.Tools = tt.tools
		inv.Facts["box"] = f
		c := assay.Case{Probe: "fio", Name: "randread-4k", Title: "4 KiB random read", On: assay.KindDirectory, Seconds: 5, Set: map[string]string{"rw": "randread"}}
		maps.Copy(c.Set, tt.set)
		p, err := Make(inv, suite.Suite{Name: "test", Repeats: 2, Budget: time.Hour, Cases: []assay.Case{c}}, probeall.Probes(), Options{Seed: 1, Only: []string{"fio"}})
		if err != nil || len(p.Trials) != 1 {
			t.Errorf("%s: %+v, %v", name, p.Trials, err)
			continue
		}
		tr := p.Trials[0]
		if tr.Probe != tt.probe || tr.Case != "randread-4k" || tr.ID != tt.probe+`/randread-4k@box/directory/D:\a b` {
			t.Errorf("%s: %s with %s", name, tr.ID, tr.Probe)
		}
		switch a := tr.Absent; {
		case (a == nil) != (tt.why == ""):
			t.Errorf("%s: %+v", name, a)
		case a != nil && (!strings.Contains(a.Why, tt.why) || !strings.Contains(a.Hint, tt.hint)):
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// On Linux nothing replaces fio, which is packaged there.
func TestNothingStandsInOnLinux(t *testing.T) {
	inv := probetest.Inventory()
	f := inv.Facts["box"]
	f.Tools = []assay.ToolFacts{{Name: "diskspd", Path: "/usr/local/bin/diskspd"}}
	inv.Facts["box"] = f
	c := assay.Case{Probe: "fio", Name: "c", Title: "c", On: assay.KindDirectory, Set: map[string]string{"rw": "read"}}
	trials, err := trialsOf(inv, c, probeall.Probes())
	if err != nil || len(trials) != 1 || trials[0].Probe != "fio" || trials[0].Absent == nil || trials[0].Absent.Why != "fio is not installed" {
		t.Errorf("%+v, %v", trials, err)
	}
}

// Concurrent results of different tools are not added up.
func TestToolsAreNotAddedUp(t *testing.T) {
	a := assay.Trial{Probe: "fio", Subject: assay.Subject{Host: "a"}}
	b := assay.Trial{Probe: "diskspd", Subject: assay.Subject{Host: "b"}}
	if j := joint([]assay.Trial{a, b}); j.Absent == nil || !strings.Contains(j.Absent.Why, "fio and diskspd") {
		t.Errorf("%+v", j.Absent)
	}
}

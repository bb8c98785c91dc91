package plan

import (
	"strings"
	"testing"

	"assay"
	probeall "assay/probe/all"
)

// What runs on hosts of Linux alone is refused in the plan where any of a trial's hosts is none.
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
		if unable(inv, trial, assay.Spec{Windows: true}) != nil {
			t.Errorf("%+v is refused to a probe of Windows", trial)
		}
	}
	if unable(inv, assay.Trial{Subject: assay.Subject{Host: "pve1"}}, spec) != nil {
		t.Error("a host of Linux")
	}
	windows := assay.Facts{OS: assay.OSFacts{Windows: true}}
	if a := lacking(windows, assay.Spec{Tools: []assay.Tool{{Name: "fio"}}}); a == nil || !strings.Contains(a.Hint, "fio.exe on the system's PATH") {
		t.Errorf("%+v", a)
	}
	var able []string
	for _, p := range probeall.Probes() {
		if s := p.Spec(); s.Windows {
			able = append(able, s.Name)
		}
	}
	if got := strings.Join(able, " "); got != "fio" {
		t.Errorf("%q say that they measure Windows", got)
	}
}

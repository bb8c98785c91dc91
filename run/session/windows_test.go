package session

import (
	"os"
	"strings"
	"testing"

	"assay"
	"assay/probe/fio"
	"assay/probe/sysbench"
)

// A VM that says that it runs Windows is reached as one, others are not.
func TestTheWayToWindows(t *testing.T) {
	c, err := ParseCluster("x", []byte("hosts: {pve1: 10.0.0.1}\nvms: {win: {on: pve1, proxmox: 105, os: windows}, web: {on: pve1, libvirt: web}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"win": assay.Windows, "web": "", "pve1": ""} {
		at, err := placeOf(c, *c.Host(name), "")
		if err != nil {
			t.Fatal(err)
		}
		if got := at.Host(); got.OS != want || got.Name != name {
			t.Errorf("%+v", got)
		}
		_ = at.Close()
	}
}

// The README's windows.yaml is one: nobody here can type its commands.
func TestTheReadmesWindows(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```yaml\n# windows.yaml\n")
	block, _, ends := strings.Cut(rest, "```")
	if c, err := ParseCluster("windows.yaml", []byte(block)); !found || !ends || err != nil || !c.Host("win").Windows() {
		t.Errorf("%v in\n%s", err, block)
	}
}

// A guest of Windows lacks no tool that nothing measures it with.
func TestToolsOfWindows(t *testing.T) {
	s := &Session{probes: []assay.Probe{sysbench.New(), fio.New()}}
	tools := s.toolsOn(assay.Facts{OS: assay.OSFacts{Windows: true}})
	if len(tools) != 1 || tools[0].Tool != "fio" || tools[0].State != "missing" {
		t.Errorf("%+v", tools)
	}
	if tools := s.toolsOn(assay.Facts{}); len(tools) != 2 {
		t.Errorf("on Linux: %+v", tools)
	}
}

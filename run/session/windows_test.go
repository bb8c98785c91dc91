package session

import (
	"os"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/plan/suite"
	"assay/probe/diskspd"
	"assay/probe/fio"
	"assay/probe/sysbench"
)

// Only a VM declared to run Windows is reached as a Windows guest.
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

// The README's windows.yaml parses: its commands cannot be tried here.
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

// A Windows guest lacks no tool unless a probe can use that tool there.
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

// Either fio or DiskSpd is enough on Windows; if both are missing, both are reported. DiskSpd
// is not looked for on Linux.
func TestOneOfTwoToolsIsEnough(t *testing.T) {
	s := &Session{probes: []assay.Probe{sysbench.New(), fio.New(), diskspd.New()}}
	s.inventory.Subjects = []assay.Subject{{Kind: assay.KindDirectory, Host: "win"}}
	suites := []suite.Suite{{Cases: []assay.Case{{Probe: "fio", On: assay.KindDirectory}}}}
	there := map[string]assay.ToolFacts{"fio": {Name: "fio", Path: `C:\fio.exe`, Version: "3.38"}, "diskspd": {Name: "diskspd", Path: `C:\diskspd.exe`, Version: "2.1.0"}}
	for has, want := range map[string]string{
		"":            "fio missing, diskspd missing; lacks fio",
		"fio":         "fio ok, diskspd missing, not needed; lacks ",
		"diskspd":     "fio missing, not needed, diskspd ok; lacks ",
		"fio diskspd": "fio ok, diskspd ok; lacks ",
	} {
		f := assay.Facts{Host: "win", OS: assay.OSFacts{Windows: true}}
		for _, tool := range strings.Fields(has) {
			f.Tools = append(f.Tools, there[tool])
		}
		var told []string
		for _, tool := range s.toolsOn(f) {
			told = append(told, tool.Tool+" "+tool.State)
			if tool.State == "missing" && !strings.Contains(tool.Hint, "install "+tool.Tool+" in the guest") {
				t.Errorf("%s: %q", tool.Tool, tool.Hint)
			}
		}
		if got := strings.Join(told, ", ") + "; lacks " + strings.Join(s.lacksOn(f, suites).Needed, " "); got != want {
			t.Errorf("%q has %q: %s, want %s", "win", has, got, want)
		}
	}
	for _, tool := range s.toolsOn(assay.Facts{}) {
		if tool.Tool == "diskspd" {
			t.Errorf("on Linux: %+v", tool)
		}
	}
	if names := s.toolNames(); slices.Contains(names, "diskspd") || !slices.Contains(names, "fio") {
		t.Errorf("hosts of Linux are asked for %q", names)
	}
	if names := neededTools(assay.WindowsAlone); !slices.Equal(names, []string{"diskspd"}) {
		t.Errorf("hosts of Windows are asked for %q too", names)
	}
}

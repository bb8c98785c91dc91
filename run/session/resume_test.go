package session

import (
	"strings"
	"testing"

	"assay"
	"assay/plan"
)

// A drive that the run asks for its health must be the same one, even one that may come and
// go, such as a USB disk.
func TestAnotherDriveOfThatNameIsNotResumed(t *testing.T) {
	look := func(name string, bus assay.Bus, serial string) assay.Inventory {
		return assay.Inventory{Hosts: []assay.Host{{Name: "a"}}, Facts: map[string]assay.Facts{"a": {Host: "a",
			Block: []assay.BlockDevice{{Name: name, Path: "/dev/" + name, Kind: "disk", Bytes: 1e12, Bus: bus, Model: "WD", Serial: serial}}}}}
	}
	for _, c := range []struct {
		name    string
		bus     assay.Bus
		was, is string
		asked   bool
		refused string
	}{
		{"nvme0n1", assay.BusNVMe, "1", "2", true, "a: device nvme0n1 was WD, 1, is WD, 2"},
		{"nvme0n1", assay.BusNVMe, "1", "1", true, ""},
		{"nvme0n1", assay.BusNVMe, "1", "", true, ""},
		{"sdb", assay.BusUSB, "1", "2", true, "a: serial number of device sdb was 1, is 2"},
		{"sdb", assay.BusUSB, "1", "1", true, ""},
		{"sdb", assay.BusUSB, "", "2", true, ""},
		{"sdb", assay.BusUSB, "1", "2", false, ""},
	} {
		trial := assay.Trial{ID: "smart", Probe: "smart", Subject: assay.Subject{ID: "a/drive/" + c.name, Kind: assay.KindDrive, Host: "a", Name: c.name}}
		if !c.asked {
			trial.Subject.Kind = assay.KindCPU
		}
		u := &unfinished{run: assay.Run{ID: "r1", Inventory: look(c.name, c.bus, c.was)}, plan: plan.Plan{Trials: []assay.Trial{trial}}}
		_, err := u.ready(&Session{inventory: look(c.name, c.bus, c.is)})
		if (err != nil) != (c.refused != "") || err != nil && !strings.HasSuffix(err.Error(), ": "+c.refused) {
			t.Errorf("%s, %q then %q, asked %v: %v", c.name, c.was, c.is, c.asked, err)
		}
	}
}

package changes

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
)

func TestDeviceNames(t *testing.T) {
	disk := func(name, path string) assay.BlockDevice { return assay.BlockDevice{Name: name, Path: path} }
	host := func(device string, drives []string, block ...assay.BlockDevice) assay.Facts {
		return assay.Facts{Dirs: []assay.DirFacts{{Path: "/mnt/pvc", Device: device, Drives: drives}}, Block: block}
	}
	sda, sdb, sdc := disk("sda", "/dev/sda"), disk("sdb", "/dev/sdb"), disk("sdc", "/dev/sdc")
	for name, c := range map[string]struct {
		was, is assay.Facts
		want    map[string]string
	}{
		"nothing changed": {host("sdb", []string{"sdb"}, sda, sdb), host("sdb", []string{"sdb"}, sda, sdb), map[string]string{}},
		"another name":    {host("sdb", []string{"sdb"}, sda, sdb), host("sdc", []string{"sdc"}, sda, sdc), map[string]string{"sdc": "sdb"}},
		"the old name is another's": {host("sdb", []string{"sdb"}, sda, sdb), host("sdc", []string{"sdc"}, sda, sdb, sdc),
			map[string]string{"sdc": "sdb", "sdb": ""}},
		"exchanged": {
			assay.Facts{Dirs: []assay.DirFacts{{Path: "/a", Device: "sda"}, {Path: "/b", Device: "sdb"}}, Block: []assay.BlockDevice{sda, sdb}},
			assay.Facts{Dirs: []assay.DirFacts{{Path: "/a", Device: "sdb"}, {Path: "/b", Device: "sda"}}, Block: []assay.BlockDevice{sda, sdb}},
			map[string]string{"sda": "sdb", "sdb": "sda"},
		},
		"a partition and its drive": {host("sdb1", []string{"sdb"}), host("sdc1", []string{"sdc"}), map[string]string{"sdc1": "sdb1", "sdc": "sdb"}},
		"nobody knows where it is":  {host("sdb", []string{"sdb"}, sda, sdb), host("", nil, sda, sdb), map[string]string{"sdb": ""}},
		"a device by a path of its own": {
			assay.Facts{Block: []assay.BlockDevice{disk("loop1", "/dev/assay-usb")}},
			assay.Facts{Block: []assay.BlockDevice{disk("loop1", "/dev/loop1"), disk("loop4", "/dev/assay-usb")}},
			map[string]string{"loop4": "loop1", "loop1": ""},
		},
		"one that is where it was": {
			assay.Facts{Block: []assay.BlockDevice{disk("loop1", "/dev/assay-usb")}},
			assay.Facts{Block: []assay.BlockDevice{disk("loop1", "/dev/assay-usb")}},
			map[string]string{},
		},
		"a directory that is new": {assay.Facts{}, host("sdb", []string{"sdb"}, sdb), map[string]string{}},
	} {
		if diff := cmp.Diff(c.want, DeviceNames(c.was, c.is)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

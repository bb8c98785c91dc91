package reference

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDriveMatching(t *testing.T) {
	for _, c := range []struct {
		model string
		bytes int64
		want  string // vendor and model, "" for unknown
		read  float64
		tbw   float64
	}{
		{"Samsung SSD 980 PRO 2TB", 2000398934016, "Samsung 980 PRO", 7e9, 1200e12},
		{"Samsung SSD 980 PRO with Heatsink 2TB", 2000398934016, "Samsung 980 PRO", 7e9, 1200e12},
		{"Samsung SSD 980 1TB", 1000204886016, "Samsung 980", 3.5e9, 600e12},
		{"Samsung SSD 970 EVO 1TB", 1000204886016, "Samsung 970 EVO", 3.4e9, 600e12},
		{"Samsung SSD 970 EVO Plus 1TB", 1000204886016, "Samsung 970 EVO Plus", 3.5e9, 600e12},
		{"SAMSUNG MZVL21T0HCLR-00B00", 1024209543168, "Samsung PM9A1", 7e9, 600e12},
		{"PM9A1 NVMe Samsung 512GB", 512110190592, "Samsung PM9A1", 6.9e9, 300e12},
		{"Samsung PM9A1 512GB", 0, "Samsung PM9A1", 6.9e9, 300e12},
		{"PC611 NVMe SK hynix 512GB", 512110190592, "SK hynix PC611", 3.5e9, 300e12},
		{"WDC PC SN720 SDAPNTW-512G-1006", 512110190592, "Western Digital PC SN720", 3.4e9, 300e12},
		{"wdc pc sn720 512 gb", 0, "Western Digital PC SN720", 3.4e9, 300e12},
		{"Samsung SSD 870 EVO 500GB", 500107862016, "Samsung 870 EVO", .56e9, 300e12},
		{"Micron_9300_MTFDHAL3T2TDR", 3200631791616, "Micron 9300", 3.5e9, 0},
		{"KINGSTON SEDC600M960G", 960197124096, "Kingston DC600M", .56e9, 1752e12},
		{"Kingston SEDC600M/960G", 0, "Kingston DC600M", .56e9, 1752e12},

		{"Samsung SSD 980 EVO 1TB", 1000204886016, "", 0, 0}, // no such family: not a 980
		{"Samsung SSD 990 PRO 4TB", 4000787030016, "", 0, 0}, // a size nobody looked up
		{"Samsung SSD 870 QVO 1TB", 1000204886016, "", 0, 0}, // a sister
		{"Samsung SSD 980 PRO", 0, "", 0, 0},                 // which size?
		{"PC SN720 NVMe WDC 480GB", 480103981056, "", 0, 0},  // not that size
		{"KINGSTON SEDC600M480G", 480103981056, "", 0, 0},    // the number says which size
		{"KINGSTON SEDC600M7680G", 7681501126656, "", 0, 0},  //
		{"QEMU HARDDISK", 34359738368, "", 0, 0},             // no drive at all
		{"Virtual disk 9300", 3200000000000, "", 0, 0},       // begins with other words
		{"", 512110190592, "", 0, 0},                         //
		{"Samsung SSD", 512110190592, "", 0, 0},              // a vendor is no model
	} {
		got, ok := Drive(c.model, c.bytes)
		name := strings.TrimSpace(got.Vendor + " " + got.Model)
		if ok != (c.want != "") {
			t.Errorf("Drive(%q, %d) ok = %v (%s)", c.model, c.bytes, ok, name)
			continue
		}
		if ok && (name != c.want || got.Read != c.read || got.TBW != c.tbw) {
			t.Errorf("Drive(%q, %d) = %s read %v TBW %v, want %s %v %v", c.model, c.bytes, name, got.Read, got.TBW, c.want, c.read, c.tbw)
		}
	}
}

// Every entry can be found by its own name, names its source, and has figures
// that are possible for a drive.
func TestEveryEntry(t *testing.T) {
	all, err := readDrives(file(t, "drives.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("only %d families", len(all))
	}
	for _, f := range all {
		if f.Vendor == "" || f.Name == "" || f.Interface == "" || len(f.Source) < 10 || len(f.Sizes) == 0 {
			t.Errorf("%s %s: an entry needs vendor, name, interface, source and sizes", f.Vendor, f.Name)
		}
		for _, s := range f.Sizes {
			d, ok := Drive(f.Vendor+" "+f.Name, s.GB*1e9)
			if !ok || d.Model != f.Name || d.Bytes != s.GB*1e9 {
				t.Errorf("%s %d GB is not found by its own name: %+v", f.Name, s.GB, d)
			}
			if s.GB < 32 || s.Read < 100 || s.Read > 15000 || s.Write < 0 || s.Write > s.Read || s.ReadIOPS > 3e6 || s.TBW < 0 {
				t.Errorf("%s %d GB: implausible figures %+v", f.Name, s.GB, s)
			}
			for _, part := range s.Parts {
				if part != strings.ToUpper(part) {
					t.Errorf("%s: order numbers are in capitals: %s", f.Name, part)
				}
			}
		}
	}
}

func TestDrivesWithAnUnknownKeyAreRefused(t *testing.T) {
	if _, err := readDrives([]byte("- {vendor: A, name: B, speed: 3}")); err == nil {
		t.Error("an unknown key must be an error, or a typo would silently be 0")
	}
}

func TestDriveIsTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		Drive(rapid.String().Draw(t, "model"), rapid.Int64().Draw(t, "bytes"))
	})
}

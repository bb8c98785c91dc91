package analysis

import (
	"slices"
	"testing"

	"assay"
)

// fleet returns a run over drives of one model, each at its own fraction of the
// speed.
func fleet(facts []assay.BlockDevice, speed ...float64) assay.Run {
	run := assay.Run{Inventory: assay.Inventory{Hosts: []assay.Host{{Name: "pve1"}}, Facts: map[string]assay.Facts{"pve1": {Block: facts}}}}
	add := func(t assay.Trial, m assay.Measurement) {
		t.Repeats = 1
		run.Results = append(run.Results, assay.Result{Trial: t, Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{m}}}})
	}
	for i, f := range facts {
		s := assay.Subject{ID: "pve1/block/" + f.Name, Kind: assay.KindBlock, Host: "pve1", Name: "/dev/disk/by-id/" + f.Serial, Source: f.Path, Volume: "device"}
		for c, base := range map[string]float64{"syncwrite": 20000, "randread": 400000} {
			add(assay.Trial{ID: c + f.Name, Probe: "fio", Case: c, Subject: s}, assay.Measurement{Metric: "storage.write.iops", Value: base * speed[i], Unit: assay.PerSecond, Labels: map[string]string{"bs": "4k"}})
		}
		add(assay.Trial{ID: "smart" + f.Name, Probe: "smart", Case: "health", Subject: assay.Subject{ID: "pve1/drive/" + f.Name, Kind: assay.KindDrive, Host: "pve1", Name: f.Name}},
			assay.Measurement{Metric: "smart.available_spare", Value: 1 - float64(i)/8})
	}
	return run
}

func ssds(firmware ...string) []assay.BlockDevice {
	var all []assay.BlockDevice
	for i, f := range firmware {
		name := string(rune('a' + i))
		all = append(all, assay.BlockDevice{Name: "sd" + name, Path: "/dev/sd" + name, Serial: "S" + name, Model: "SM863", Firmware: f,
			Link: &assay.Link{Kind: "sata", Mode: "6.0 Gb/s", Ceiling: 600e6}})
	}
	return all
}

func TestTheOddDriveOut(t *testing.T) {
	devices := ssds("2.0", "2.0", "1.3", "2.0")
	devices[2].Link.Mode = "3.0 Gb/s"
	d := Of(fleet(devices, 1, 1.02, .5, .98)).Drives
	if d == nil || len(d.Drives) != 4 || len(d.Tests) != 2 {
		t.Fatalf("%+v", d)
	}
	if d.Drives[0].Name != "/dev/disk/by-id/Sb" || d.Drives[3].Name != "/dev/disk/by-id/Sc" {
		t.Errorf("ranked %+v", d.Drives)
	}
	for i, one := range d.Drives {
		if (one.Slow != nil) != (i == 3) {
			t.Errorf("%s: slow %+v", one.Name, one.Slow)
		}
	}
	s := d.Drives[3].Slow
	if s == nil || s.Share < .49 || s.Share > .51 || s.Twins != 3 {
		t.Fatalf("%+v", s)
	}
	want := []Unlikeness{{"firmware", "1.3", "2.0"}, {"link", "SATA 3.0 Gb/s", "SATA 6.0 Gb/s"}, {"spare", "75 %", "88 %"}}
	if len(s.Unlike) != 3 || s.Unlike[0] != want[0] || s.Unlike[1] != want[1] || s.Unlike[2] != want[2] {
		t.Errorf("%+v", s.Unlike)
	}
}

// Drives of different models may differ in speed without a fault; a single drive has
// nothing to compare with.
func TestOtherModelsAreNoTwins(t *testing.T) {
	devices := ssds("1", "1", "1")
	devices[2].Model = "850 EVO"
	d := Of(fleet(devices, 1, 1, .1)).Drives
	for _, one := range d.Drives {
		if one.Slow != nil {
			t.Errorf("%s: %+v", one.Name, one.Slow)
		}
	}
	devices[0].Model, devices[1].Model, devices[2].Model = "", "", ""
	for _, one := range Of(fleet(devices, 1, 1, .1)).Drives.Drives {
		if one.Slow != nil {
			t.Errorf("of an unknown model, %s: %+v", one.Name, one.Slow)
		}
	}
	if d := Of(fleet(ssds("1"), 1)).Drives; d != nil {
		t.Errorf("%+v", d)
	}
}

// How a drive was purged beforehand is reported once per drive, but not for drives of tiers or
// drives that were never lent.
func TestWhatWasDoneToDrivesBefore(t *testing.T) {
	on := func(name, tier, purge string, bytes int64) assay.Result {
		return assay.Result{
			Trial:   assay.Trial{Subject: assay.Subject{Kind: assay.KindBlock, Host: "h", Name: name, Tier: tier}},
			Scratch: assay.Scratch{Bytes: bytes, Purge: purge}, Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done}},
		}
	}
	b := &builder{run: assay.Run{Results: []assay.Result{on("a", "", "discard", 1), on("a", "", "discard", 1), on("b", "", "", 1), on("c", "usb", "", 1), on("d", "", "", 0)}}}
	if got := b.purges(); !slices.Equal(got, []Purge{{Host: "h", Name: "a", How: "discard"}, {Host: "h", Name: "b"}}) {
		t.Errorf("%+v", got)
	}
}

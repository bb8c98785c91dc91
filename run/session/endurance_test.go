package session

import (
	"strings"
	"testing"
	"time"

	"assay"
	"assay/plan"
	"assay/volume/device"
)

func worn(model string, trials ...assay.Trial) (*Session, plan.Plan) {
	s := &Session{inventory: assay.Inventory{Facts: map[string]assay.Facts{"pve1": {Block: []assay.BlockDevice{
		{Name: "nvme0n1", Path: "/dev/nvme0n1", Bytes: 512e9, Model: model, Link: &assay.Link{Kind: "pcie", Mode: "Gen3 x4", Ceiling: 3.9e9}},
	}}}}}
	p := plan.Plan{Budget: time.Hour, Prepare: 3 * time.Minute}
	for i, t := range trials {
		t.ID, t.Repeats, t.Risk = string(rune('a'+i)), 1, assay.Writes
		t.Subject = assay.Subject{ID: "pve1/block/x", Kind: assay.KindBlock, Host: "pve1", Name: "/dev/disk/by-id/x", Source: "/dev/nvme0n1", Volume: device.Kind}
		p.Trials = append(p.Trials, t)
	}
	return s, p
}

func writing(rw, bs, depth string, length time.Duration) assay.Trial {
	return assay.Trial{Probe: "fio", Settings: map[string]string{"rw": rw, "bs": bs, "iodepth": depth, "numjobs": "1"}, Length: length, Scratch: 4e9}
}

// The most that a run may write is announced with its share of the drive's life.
func TestEnduranceIsSaidBefore(t *testing.T) {
	s, p := worn("SAMSUNG MZVL21T0HCLR-00B00",
		writing("write", "1m", "32", 100*time.Second),   // at 3.9 GB/s, or as rated
		writing("randread", "4k", "32", 10*time.Second), // nothing
		writing("write", "4k", "1", 60*time.Second))     // 410 MB/s at most
	s.inventory.Facts["pve1"].Block[0].Bytes = 1024e9
	got := wears(p, s.inventory)
	if len(got) != 1 || got[0].TBW != 600e12 || got[0].Rate != 5100e6 {
		t.Fatalf("%+v", got)
	}
	if want := 4e9 + 510e9 + 60*409.6e6; got[0].Most < int64(want*.999) || got[0].Most > int64(want*1.001) {
		t.Errorf("%d, want %.0f", got[0].Most, want)
	}
	p, err := s.endure(p)
	if err != nil || len(p.Notes) != 1 || !strings.Contains(p.Notes[0].Text, "at most 539 GB to /dev/disk/by-id/x of pve1") || !strings.Contains(p.Notes[0].Text, "0.09 % of the 600 TB") {
		t.Errorf("%+v, %v", p.Notes, err)
	}
	for word, most := range map[string]int64{"100G": 100 << 30, "0.02%": 120e9} {
		if s.options.Endurance, err = ReadEndurance(word); err != nil {
			t.Fatal(err)
		}
		short, err := s.endure(p)
		if err != nil {
			t.Errorf("%s: %v", word, err)
			continue
		}
		if now := wears(short, s.inventory)[0]; now.Most > most || now.Most < most/2 {
			t.Errorf("%s: %d, want at most %d", word, now.Most, most)
		}
		if short.Trials[1].Length != 10*time.Second || p.Trials[0].Length != 100*time.Second {
			t.Errorf("%s: a read is shorter, or the plan that was given", word)
		}
	}
	s.options.Endurance = Endurance{Bytes: 5e9}
	if _, err := s.endure(p); err == nil || !strings.Contains(err.Error(), "is not enough") {
		t.Errorf("%v", err)
	}
}

// For an unknown drive, bytes can be limited but a share cannot.
func TestEnduranceOfAnUnknownDrive(t *testing.T) {
	s, p := worn("Nobody's SSD", writing("randrw", "64k", "32", 10*time.Second))
	p, err := s.endure(p)
	if err != nil || !strings.Contains(p.Notes[0].Text, "at 3.90 GB/s or less: PCIe Gen3 x4") || !strings.Contains(p.Notes[0].Text, "rated endurance is unknown") {
		t.Errorf("%+v, %v", p.Notes, err)
	}
	s.options.Endurance = Endurance{Share: .01}
	if _, err := s.endure(p); err == nil || !strings.Contains(err.Error(), "cannot take a share of it") {
		t.Errorf("%v", err)
	}
	for _, word := range []string{"0", "0%", "101%", "-5G", "much", "NaN%"} {
		if e, err := ReadEndurance(word); err == nil {
			t.Errorf("%s: %+v", word, e)
		}
	}
}

// Scratch space in directories is not counted: only overwritten drives are.
func TestEnduranceCountsOverwrittenDrivesOnly(t *testing.T) {
	s, p := worn("x", writing("write", "1m", "32", time.Second))
	p.Trials[0].Subject.Volume = "dir"
	if got := wears(p, s.inventory); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

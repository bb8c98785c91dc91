package analysis

import (
	"strings"
	"testing"
	"time"

	"assay"
)

// A slow directory is blamed on the media errors of the drives under it, by their last
// reading, and on no other drive of the host. A drive that was not read may have some.
func TestOnlyMeasuredDrivesAreFailing(t *testing.T) {
	type reading struct {
		drive  string
		errors float64
	}
	directory := func(f *assay.Facts, drives ...string) {
		f.Block = append(f.Block, assay.BlockDevice{Name: "sdb", Kind: "disk", Model: "Beta", Bytes: 4e12})
		f.Dirs = []assay.DirFacts{{Path: "/srv", Drives: drives, Bytes: 1e12, Free: 5e11}}
	}
	onSDA := func(f *assay.Facts) { directory(f, "sda") }
	for _, c := range []struct {
		name     string
		facts    func(*assay.Facts)
		on       []string // of the subject of its storage tests
		readings []reading
		want     string // evidence; "" where the drive is not blamed
	}{
		{"the measured drive", onSDA, nil, []reading{{"sda", 8}, {"sdb", 0}}, "its drive has 8 media errors"},
		{"another drive", onSDA, nil, []reading{{"sda", 0}, {"sdb", 8}}, ""},
		{"before and after", onSDA, nil, []reading{{"sda", 8}, {"sda", 9}}, "its drive has 9 media errors"},
		{"both drives under the directory", func(f *assay.Facts) { directory(f, "sda", "sdb") }, nil, []reading{{"sda", 3}, {"sdb", 4}}, "its drive has 7 media errors"},
		{"a drive that was not read", func(f *assay.Facts) { directory(f, "sda", "sdb") }, nil, []reading{{"sdb", 4}}, "its drive has 4 media errors"},
		{"drives that nobody knows", func(f *assay.Facts) { directory(f) }, nil, []reading{{"sda", 8}, {"sdb", 8}}, ""},
		{"a device without a directory", func(f *assay.Facts) { directory(f) }, []string{"pve3/drive/sdb"}, []reading{{"sda", 8}, {"sdb", 5}}, "its drive has 5 media errors"},
	} {
		run := alikeRun(c.facts)
		began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		read := func(host string, r reading) {
			began = began.Add(time.Minute)
			run.Results = append(run.Results, assay.Result{
				Trial: assay.Trial{ID: began.String(), Title: "drive health", Subject: assay.Subject{ID: host + "/drive/" + r.drive, Kind: assay.KindDrive, Host: host, Name: r.drive}},
				Repeats: []assay.Repeat{{N: 1, Started: began, Outcome: assay.Done, Measurements: []assay.Measurement{
					{Metric: "smart.media_errors", Value: r.errors},
				}}},
			})
		}
		for i := range run.Results {
			r := &run.Results[i]
			if s := r.Trial.Subject; s.Kind != assay.KindDirectory || s.Host != "pve3" {
				continue
			}
			r.Trial.Subject.On = c.on
			for k := range r.Repeats {
				r.Repeats[k].Measurements[0].Value /= 6
			}
		}
		for _, h := range []string{"pve1", "pve2", "pve4"} {
			read(h, reading{"sda", 0})
		}
		for _, r := range c.readings {
			read("pve3", r)
		}
		said, slow := "", false
		for _, o := range Of(run).Outliers {
			slow = slow || o.Host == "pve3" && o.Section == "storage"
			if o.Why.ID == "drive-failing" {
				said += strings.Join(o.Why.Evidence, "; ")
			}
		}
		if !slow || !strings.HasPrefix(said, c.want) || c.want == "" && said != "" {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
	}
}

// What drives count is unknown while some of them are unread and the others have no
// errors: that is no zero.
func TestMediaErrorsOfUnreadDrives(t *testing.T) {
	run := alikeRun(func(f *assay.Facts) {
		f.Block = append(f.Block, assay.BlockDevice{Name: "sdb", Kind: "disk", Bytes: 4e12})
		f.Dirs[0].Drives = []string{"sda", "sdb"}
	})
	for _, h := range []string{"pve2", "pve3"} {
		run.Results = append(run.Results, assay.Result{
			Trial:   assay.Trial{ID: h, Subject: assay.Subject{ID: h + "/drive/sda", Kind: assay.KindDrive, Host: h, Name: "sda"}},
			Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "smart.media_errors"}}}},
		})
	}
	counted := builderOf(run).counted()
	for host, want := range map[string]float64{"pve1": -1, "pve2": 0, "pve3": -1} {
		c, known := counted[host]
		if known && c.MediaErrors != want || !known && want >= 0 {
			t.Errorf("%s: %v, want %v", host, c.MediaErrors, want)
		}
	}
}

package analysis

import (
	"math/rand/v2"
	"slices"
	"testing"

	"assay"
)

// A slow directory is explained by the drives under it and by no other drive of the host,
// and what decides is measured in it.
func TestTheDirectoryThatIsSlow(t *testing.T) {
	yes := true
	ssd := assay.BlockDevice{Name: "sda", Kind: "disk", Model: "Alpha", Bytes: 1e12, Link: &assay.Link{Kind: "sata", Mode: "6.0 Gb/s", Ceiling: 6e8}}
	hdd := assay.BlockDevice{Name: "sdb", Kind: "disk", Model: "Beta", Bytes: 4e12, Rotational: &yes, Link: ssd.Link}
	other := func(b assay.BlockDevice) assay.BlockDevice {
		b.Model = "Gamma"
		return b
	}
	for _, c := range []struct {
		name   string
		drives []assay.BlockDevice // of pve3
		slow   string              // directory of pve3
		errors string              // drive of pve3 that counts media errors
		want   string
	}{
		{"one slot where the others have two", []assay.BlockDevice{ssd}, "/ssd", "", "storage-unexplained"},
		{"only a spinning disk", []assay.BlockDevice{hdd}, "/hdd", "", "storage-unexplained"},
		{"another drive beside it", []assay.BlockDevice{other(ssd), hdd}, "/hdd", "", "storage-unexplained"},
		{"another drive", []assay.BlockDevice{ssd, other(hdd)}, "/hdd", "", "drive-other"},
		{"errors of the drive beside it", []assay.BlockDevice{ssd, hdd}, "/hdd", "sda", "storage-unexplained"},
		{"errors of the drive", []assay.BlockDevice{ssd, hdd}, "/hdd", "sdb", "drive-failing"},
	} {
		w := world{dice: rand.New(rand.NewPCG(5, 6)), scatter: .05, hosts: .01, slow: func(_, _, _, _, _ string) float64 { return 1 }} // #nosec G404 -- a simulation
		run := w.run()
		run.Results = slices.DeleteFunc(run.Results, func(r assay.Result) bool { return r.Trial.Subject.Kind == assay.KindDirectory })
		for _, h := range run.Inventory.Hosts {
			f := assay.Facts{Host: h.Name, Block: []assay.BlockDevice{ssd, hdd}}
			if h.Name == "pve3" {
				f.Block = c.drives
			}
			for _, drive := range f.Block {
				path, typical := "/ssd", 2e4
				if drive.Name == "sdb" {
					path, typical = "/hdd", 2e2
				}
				f.Dirs = append(f.Dirs, assay.DirFacts{Path: path, Drives: []string{drive.Name}, Bytes: 1e12, Free: 5e11})
				if h.Name == "pve3" && path == c.slow {
					typical /= 8.7
				}
				r := w.result(h.Name, "", assay.KindDirectory, "4 KiB random read", "storage.read.iops", "", typical, nil)
				r.Trial.ID += path
				r.Trial.Subject.ID, r.Trial.Subject.Name = h.Name+"/directory"+path, path
				health := assay.Result{
					Trial:   assay.Trial{ID: h.Name + drive.Name, Subject: assay.Subject{ID: h.Name + "/drive/" + drive.Name, Kind: assay.KindDrive, Host: h.Name, Name: drive.Name}},
					Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{{Metric: "smart.media_errors"}}}},
				}
				if h.Name == "pve3" && drive.Name == c.errors {
					health.Repeats[0].Measurements[0].Value = 12
				}
				run.Results = append(run.Results, r, health)
			}
			run.Inventory.Facts[h.Name] = f
		}
		found := Of(run)
		said := ""
		for _, o := range found.Outliers {
			said += o.Why.ID
		}
		if said != c.want {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
		for _, q := range found.Questions() {
			if want := "pve3/directory" + c.slow; q.Tests[0].Subjects[0] != want {
				t.Errorf("%s: asks %v, want %s", c.name, q.Tests, want)
			}
		}
	}
}

package analysis

import (
	"testing"

	"assay"
)

// A drive that moves much while no test uses it is busy with other work, though its
// figures scatter too much to be called slow.
func TestADriveThatIsBusyWithOtherWork(t *testing.T) {
	for _, c := range []struct {
		name   string
		kind   assay.SubjectKind // of the trials meanwhile
		reads  int64             // B a second, of the drive of pve3
		others int64
		want   string
	}{
		{"during CPU trials", assay.KindCPU, 18e6, 0, "disk-busy"},
		{"reads beside writes", assay.KindDirectory, 18e6, 0, "disk-busy"},
		{"a log that is written", assay.KindCPU, 4e5, 0, ""},
		{"on all hosts", assay.KindCPU, 18e6, 15e6, ""},
	} {
		run := alikeRun(func(*assay.Facts) {})
		for i := range run.Results {
			r := &run.Results[i]
			if r.Trial.Subject.Kind != c.kind || len(r.Values("storage.read.iops")) > 0 {
				continue
			}
			moved := c.others
			if r.Trial.Subject.Host == "pve3" {
				moved = c.reads
			}
			for k := range r.Repeats {
				r.Repeats[k].Watch = &assay.Watch{
					Before: assay.Snapshot{Uptime: 10, Devices: map[string]assay.DeviceCounts{"sda": {}}},
					After:  assay.Snapshot{Uptime: 12, Devices: map[string]assay.DeviceCounts{"sda": {ReadBytes: 2 * moved, WriteBytes: 1000}}},
				}
			}
		}
		said := ""
		for _, o := range Of(run).Outliers {
			said += o.Host + " " + o.Why.ID
		}
		if want := c.want; want != "" && said != "pve3 "+want || want == "" && said != "" {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
	}
}

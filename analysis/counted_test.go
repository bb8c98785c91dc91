package analysis

import (
	"strings"
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

// A link that goes down now and then is named by the kernel's own count, though no figure
// shows it: also where it went down between the repeats. One that was down before the run,
// and another interface of the host, are no matter.
func TestALinkThatGoesDown(t *testing.T) {
	for _, c := range []struct {
		name     string
		nic      string
		during   int64 // changes within each repeat of pve3, and between two
		between  int64
		others   int64
		want     string
		evidence string
	}{
		{"in repeats", "eth1", 2, 0, 0, "pve3 link-flaps", "6 times"},
		{"between repeats", "eth1", 0, 2, 0, "pve3 link-flaps", "5 times"},
		{"of an interface that carries nothing", "veth9", 2, 0, 0, "", ""},
		{"on all hosts", "eth1", 2, 0, 2, "", ""},
		{"before", "eth1", 0, 0, 0, "", ""},
	} {
		run := alikeRun(func(*assay.Facts) {})
		seen := map[string]int64{}
		watch := func(host string, changes, then int64) *assay.Watch {
			if seen[host] == 0 {
				seen[host] = 7 // until the run
			}
			w := &assay.Watch{
				Before: assay.Snapshot{Uptime: 10, NICs: map[string]assay.NICCounts{c.nic: {RxBytes: 1, CarrierChanges: seen[host]}}},
				After:  assay.Snapshot{Uptime: 12, NICs: map[string]assay.NICCounts{c.nic: {RxBytes: 9, CarrierChanges: seen[host] + changes}}},
			}
			seen[host] += changes + then
			return w
		}
		repeats := 0
		for i := range run.Results {
			r := &run.Results[i]
			s := r.Trial.Subject
			if s.Kind != assay.KindLink || s.Network != "storage" {
				continue
			}
			for k := range r.Repeats {
				switch {
				case s.Host != "pve3":
					r.Repeats[k].Watch = watch(s.Host, c.others, 0)
				case repeats < 6:
					r.Repeats[k].Watch = watch(s.Host, c.during, c.between)
					repeats++
				}
			}
		}
		said, evidence := "", ""
		for _, o := range Of(run).Outliers {
			said += o.Host + " " + o.Why.ID
			evidence += strings.Join(o.Why.Evidence, "; ")
		}
		if said != c.want || !strings.Contains(evidence, c.evidence) {
			t.Errorf("%s: %q by %q, want %q by %q", c.name, said, evidence, c.want, c.evidence)
		}
	}
}

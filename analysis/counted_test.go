package analysis

import (
	"strings"
	"testing"
	"time"

	"assay"
)

// A drive that moves a lot of data while no test uses it is busy with other work,
// even if its figures scatter too much to be called slow.
func TestADriveThatIsBusyWithOtherWork(t *testing.T) {
	for _, c := range []struct {
		name   string
		kind   assay.SubjectKind // of the concurrent trials
		reads  int64             // B/s, of the drive of pve3
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

// The kernel's own counter reveals a flapping link even if no figure shows it and even if
// it went down between repeats. Links that went down before the run and other interfaces
// of the host do not count.
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
		for _, r := range storageLinks(run) {
			s := r.Trial.Subject
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

// What a host counted in one boot and what it counted in another are not compared: one that
// was restarted before the rest of a run lost no link, and its clock is right.
func TestAHostThatWasRestartedDuringARun(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after int64 // link state changes of pve3 since boot
	}{
		{"a counter of months", 30, 2},
		{"a boot that negotiates longer", 2, 6},
	} {
		run := alikeRun(func(*assay.Facts) {})
		asked := map[string]float64{}
		for _, r := range storageLinks(run) {
			s := r.Trial.Subject
			for k := range r.Repeats {
				at := asked[s.Host]
				asked[s.Host] += 10
				now, changes := assay.Snapshot{Asked: 1000 + at, Uptime: 600 + at}, int64(2)
				if s.Host == "pve3" {
					changes = c.before
				}
				if at >= 20 { // resumed half an hour later
					now.Asked += 1800
					now.Uptime += 1800
					if s.Host == "pve3" {
						now.Uptime, changes = 1700+at, c.after
					}
				}
				now.Answered = now.Asked + .1
				now.NICs = map[string]assay.NICCounts{"eth1": {RxBytes: 1, CarrierChanges: changes}}
				then := now
				then.Asked, then.Answered, then.Uptime = now.Asked+2, now.Answered+2, now.Uptime+2
				then.NICs = map[string]assay.NICCounts{"eth1": {RxBytes: 9, CarrierChanges: changes}}
				r.Repeats[k].Watch = &assay.Watch{Before: now, After: then}
			}
		}
		for _, o := range Of(run).Outliers {
			t.Errorf("%s: %s %s: %s", c.name, o.Host, o.Why.ID, strings.Join(o.Why.Evidence, "; "))
		}
	}
}

// A host that sends a lot while no test sends from it is named, even if no figure shows
// it. A host that only receives, or only acknowledges a test, is not, and neither is any
// host of a cluster that is busy throughout.
func TestALinkThatIsBusyWithOtherTraffic(t *testing.T) {
	for _, c := range []struct {
		name           string
		sends, others  int64 // B/s, outside the tests
		receives, test int64
		want           string
	}{
		{"it sends", 187e6, 0, 0, 0, "pve3 link-busy"},
		{"it sends while it receives a test", 187e6, 0, 0, 150e6, "pve3 link-busy"},
		{"it receives", 0, 0, 187e6, 0, ""},
		{"it acknowledges", 20e6, 0, 0, 600e6, ""},
		{"little", 9e6, 0, 0, 0, ""},
		{"all are busy", 187e6, 90e6, 0, 0, ""},
	} {
		run := alikeRun(func(*assay.Facts) {})
		for _, r := range storageLinks(run) {
			s := r.Trial.Subject
			sent, received := c.others, c.test
			if s.Peer == "pve3" {
				sent, received = c.sends, c.test+c.receives
			}
			between := func(now assay.NICCounts) *assay.Watch {
				return &assay.Watch{
					Before: assay.Snapshot{Uptime: 10, NICs: map[string]assay.NICCounts{"eth1": {}}},
					After:  assay.Snapshot{Uptime: 12, NICs: map[string]assay.NICCounts{"eth1": now}},
				}
			}
			for k := range r.Repeats {
				r.Repeats[k].Watch = between(assay.NICCounts{TxBytes: 2400e6}) // the test's sender sends much
				r.Repeats[k].Watches = map[string]*assay.Watch{s.Peer: between(assay.NICCounts{TxBytes: 2 * sent, RxBytes: 2 * received})}
			}
		}
		said := ""
		for _, o := range Of(run).Outliers {
			said += o.Host + " " + o.Why.ID
		}
		if said != c.want {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
	}
}

// A program that takes a good part of all CPUs of one host alongside the tests is named even
// if all figures are alike, as when hosts share busy processors.
func TestAHostThatIsBusyWithAProgram(t *testing.T) {
	for _, c := range []struct {
		name        string
		own, others float64 // CPU time of a program per second, s
		want        string
	}{
		{"a quarter of its CPUs", 8, 0, "pve3 process-busy"},
		{"one CPU of many", 1, 0, ""},
		{"everywhere", 8, 5, ""},
	} {
		run := alikeRun(func(*assay.Facts) {})
		for i := range run.Results {
			r := &run.Results[i]
			s := r.Trial.Subject
			if s.Kind == assay.KindLink {
				continue
			}
			used := c.others
			if s.Host == "pve3" {
				used = c.own
			}
			for k := range r.Repeats {
				r.Repeats[k].Elapsed = 2 * time.Second
				r.Repeats[k].Watch = &assay.Watch{Busiest: []assay.ProcessTime{{Name: "sh", CPU: used * 2}}}
			}
		}
		said := ""
		for _, o := range Of(run).Outliers {
			said += o.Host + " " + o.Why.ID
		}
		if said != c.want {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
	}
}

// storageLinks returns the results of the links of network storage.
func storageLinks(run assay.Run) (all []*assay.Result) {
	for i := range run.Results {
		if s := run.Results[i].Trial.Subject; s.Kind == assay.KindLink && s.Network == "storage" {
			all = append(all, &run.Results[i])
		}
	}
	return all
}

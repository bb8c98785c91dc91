package report_test

import (
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/report"
	"assay/report/reporttest"
)

// sentencesOf returns a verdict, which has at most six sentences and one about what
// is unknown.
func sentencesOf(t *testing.T, d report.Document) []string {
	t.Helper()
	if n := len(d.Verdict); n > 7 || n == 7 && !strings.HasPrefix(d.Verdict[6].Text, "Open: ") && !strings.HasPrefix(d.Verdict[6].Text, "All ") {
		t.Errorf("a verdict of %d sentences: %q", n, d.Verdict)
	}
	var all []string
	for _, s := range d.Verdict {
		all = append(all, s.Kind+": "+s.Text)
	}
	return all
}

func TestAVerdictOnTiersBeginsWithWhatTheyAreGoodFor(t *testing.T) {
	said := sentencesOf(t, reporttest.Tiers())
	for i, want := range []string{
		"limit: sd: good for blobs; for VM disks and container images under light load only; not for etcd, databases or backups: synchronous writes take 88.0 ms (p99), etcd wants at most 10 ms (etcd FAQ).",
		"bad: usb: not for databases, backups or blobs: random reads reach 2.51k IOPS, databases want at least 3,000 IOPS (Amazon RDS gp3 baseline); not measured: etcd, VM disks and container images.",
		"good: longhorn: good for databases, VM disks, container images, backups and blobs; for etcd under light load only.",
		"limit: garage@node1 and garage@node2: good for blobs; not for backups: PUTs of large objects reach 14.3 MB/s, ",
	} {
		if !strings.HasPrefix(said[i], want) {
			t.Errorf("sentence %d is %q, want %q", i+1, said[i], want)
		}
	}
}

// Faults come first, then what the storage is good for, which depends on the weakest
// host.
func TestAVerdictOnAClusterNamesTheWeakestHost(t *testing.T) {
	d := reporttest.Cluster()
	said := sentencesOf(t, d)
	at := slices.IndexFunc(said, func(s string) bool { return strings.Contains(s, "Storage on pve1, pve2, pve3 and pve4: ") }) // pve5 was down
	if at < 1 || !strings.HasPrefix(said[0], "limit: pve3 is 99 × slower") {
		t.Fatalf("%q", said)
	}
	if !strings.Contains(said[at], "not for databases or blobs: pve3's random reads reach 2.48k IOPS, databases want at least 3,000 IOPS (Amazon RDS gp3 baseline)") {
		t.Errorf("%q", said[at])
	}
	for _, u := range d.Fits[0].Uses {
		if known := u.Grade == "unfit"; known != (u.Use == "databases" || u.Use == "blobs") || known && u.Host != "pve3" {
			t.Errorf("%+v", u)
		}
	}
}

// Storage is that of all hosts only if none of them lacks its figures.
func TestStorageOfSomeHostsIsNotThatOfAll(t *testing.T) {
	measured := reporttest.ClusterRun()
	measured.Inventory.Hosts = measured.Inventory.Hosts[:3]
	measured.Results = slices.DeleteFunc(measured.Results, func(r assay.Result) bool {
		s := r.Trial.Subject
		return s.Kind != assay.KindDirectory || s.Host == "pve4"
	})
	without := func(host string, change func(*assay.Result) (keep bool)) assay.Run {
		run := measured
		run.Results = nil
		for _, r := range measured.Results {
			if r.Trial.Subject.Host != host || change(&r) {
				run.Results = append(run.Results, r)
			}
		}
		return run
	}
	broken := func(r *assay.Result) bool {
		r.Repeats = []assay.Repeat{{N: 1, Outcome: assay.Broke, Error: "fio: input/output error"}}
		return true
	}
	absent := func(r *assay.Result) bool {
		r.Repeats, r.Trial.Absent = nil, &assay.Absence{Word: assay.Unknown, Why: "fio is not installed"}
		return true
	}
	gone := func(*assay.Result) bool { return false }
	down := without("pve3", gone)
	down.Inventory.Hosts = slices.Clone(down.Inventory.Hosts)
	down.Inventory.Hosts[2].Absent = &assay.Absence{Word: assay.Unknown, Why: "no answer in time"}
	alone := down
	alone.Results = slices.DeleteFunc(slices.Clone(down.Results), func(r assay.Result) bool { return r.Trial.Subject.Host == "pve2" })
	single := alone
	single.Inventory.Hosts = alone.Inventory.Hosts[:1]
	for _, c := range []struct {
		name string
		run  assay.Run
		want string
	}{
		{"all were measured", measured, "Storage on all hosts"},
		{"fio broke on one", without("pve3", broken), "Storage on pve1 and pve2"},
		{"one has no fio", without("pve2", absent), "Storage on pve1 and pve3"},
		{"one has no directory to measure", without("pve3", gone), "Storage on all hosts"},
		{"one is down", down, "Storage on pve1 and pve2"},
		{"one of several is left", alone, "Storage on pve1"},
		{"there is only one", single, "Storage"},
	} {
		said := sentencesOf(t, report.Build(c.run))
		if !slices.ContainsFunc(said, func(s string) bool { _, of, _ := strings.Cut(s, ": "); return strings.HasPrefix(of, c.want+": ") }) {
			t.Errorf("%s: nothing begins with %q: %q", c.name, c.want, said)
		}
	}
}

// A stick is good for backups at most, and without measurements nothing is good.
func TestOneGoodUseAndNone(t *testing.T) {
	run := reporttest.TiersRun()
	run.Findings = nil
	for i := range run.Results {
		r := &run.Results[i]
		for j := range r.Repeats {
			for k := range r.Repeats[j].Measurements {
				switch m := &r.Repeats[j].Measurements[k]; {
				case r.Trial.Subject.Tier != "sd":
				case r.Trial.Case == "seqwrite-1m" && m.Metric == "storage.write.bandwidth":
					m.Value = 40e6
				case r.Trial.Case == "seqread-1m" && m.Metric == "storage.read.bandwidth":
					m.Value = 41e6
				case m.Metric == "storage.read.iops" || m.Metric == "storage.write.iops":
					m.Value = 20
				}
			}
		}
	}
	run.Results = slices.DeleteFunc(run.Results, func(r assay.Result) bool { return r.Trial.Subject.Tier == "usb" })
	d := report.Build(run)
	if first := d.Verdict[0].Text; !strings.HasPrefix(first, "sd: backups at most; not for etcd, databases, VM disks, container images or blobs: ") {
		t.Errorf("%q", first)
	}
	if slices.ContainsFunc(d.Fits, func(f report.Fit) bool { return f.Name == "usb" }) {
		t.Errorf("usb was not measured: %+v", d.Fits)
	}
}

// Hosts with several directories have each of them judged on its own: a slow one for backups
// says nothing about the fast one.
func TestEachDirectoryOfSeveralHosts(t *testing.T) {
	run := reporttest.ClusterRun()
	run.Inventory.Hosts = run.Inventory.Hosts[:2]
	run.Results = slices.DeleteFunc(run.Results, func(r assay.Result) bool {
		s := r.Trial.Subject
		return s.Kind != assay.KindDirectory || s.Host == "pve3" || s.Host == "pve4"
	})
	for _, c := range []struct {
		hosts []string // with a second directory
		where string
	}{
		{[]string{"pve1", "pve2"}, "/srv/hdd on all hosts"},
		{[]string{"pve2"}, "/srv/hdd on pve2"},
	} {
		both := run
		both.Results = slices.Clone(run.Results)
		for _, r := range run.Results {
			if !slices.Contains(c.hosts, r.Trial.Subject.Host) {
				continue
			}
			r.Trial.ID += "/hdd"
			r.Trial.Subject.ID, r.Trial.Subject.Name = r.Trial.Subject.ID+"/hdd", "/srv/hdd"
			r.Repeats = slices.Clone(r.Repeats)
			for k := range r.Repeats {
				r.Repeats[k].Measurements = slices.Clone(r.Repeats[k].Measurements)
				for i := range r.Repeats[k].Measurements {
					if m := &r.Repeats[k].Measurements[i]; strings.Contains(m.Metric, "latency") {
						m.Value *= 200
					} else if strings.HasPrefix(m.Metric, "storage.") {
						m.Value /= 200
					}
				}
			}
			both.Results = append(both.Results, r)
		}
		said := sentencesOf(t, report.Build(both))
		for _, want := range []string{"good: /srv on all hosts: good for blobs; not measured: ", "bad: " + c.where + ": not for databases, container images or blobs: "} {
			if !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, want) }) {
				t.Errorf("nothing begins with %q: %q", want, said)
			}
		}
	}
}

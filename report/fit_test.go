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
	at := slices.IndexFunc(said, func(s string) bool { return strings.Contains(s, "Storage on all hosts: ") })
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

package report_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/report"
	"assay/report/reporttest"
)

// The labels of the suites' loads.
var (
	syncLabels = map[string]string{"pattern": "randwrite", "bs": "4096", "iodepth": "1", "jobs": "1", "sync": "1", "direct": "1", "engine": "io_uring"}
	readLabels = map[string]string{"pattern": "randread", "bs": "4096", "iodepth": "32", "jobs": "2", "sync": "0", "direct": "1", "engine": "io_uring"}
	seqLabels  = map[string]string{"pattern": "read", "bs": "1048576", "iodepth": "16", "jobs": "1", "sync": "0", "direct": "1", "engine": "io_uring"}
	flowLabels = map[string]string{"protocol": "tcp", "streams": "1"}
)

// measured returns a result of six repeats on a subject.
func measured(s assay.Subject, name, title string, labels map[string]string, metrics map[string]float64) assay.Result {
	s.ID = s.Host + "/" + string(s.Kind) + "/" + s.Name + s.Peer
	r := assay.Result{Trial: assay.Trial{ID: "fio/" + name + "@" + s.ID, Probe: "fio", Case: name, Title: title, Subject: s, Repeats: 6}}
	for n := range 6 {
		rep := assay.Repeat{N: n + 1, Outcome: assay.Done}
		for metric, v := range metrics {
			m, _ := assay.Describe(metric)
			rep.Measurements = append(rep.Measurements, assay.Measurement{Metric: metric, Value: v * (1 + .001*float64(n)), Unit: m.Unit, Labels: labels})
		}
		r.Repeats = append(r.Repeats, rep)
	}
	return r
}

func directory(host string) assay.Subject {
	return assay.Subject{Kind: assay.KindDirectory, Host: host, Name: "/srv"}
}

// one returns a run of one host with a Samsung 870 EVO below /srv.
func one(results ...assay.Result) assay.Run {
	return runOf([]string{"pve1"}, results...)
}

func runOf(hosts []string, results ...assay.Result) assay.Run {
	run := assay.Run{Results: results, Inventory: assay.Inventory{Facts: map[string]assay.Facts{}}}
	for _, h := range hosts {
		run.Inventory.Hosts = append(run.Inventory.Hosts, assay.Host{Name: h})
		run.Inventory.Facts[h] = assay.Facts{
			Host:  h,
			Dirs:  []assay.DirFacts{{Path: "/srv", FileSystem: "ext4", Source: "/dev/sda1", Drives: []string{"sda"}}},
			Block: []assay.BlockDevice{{Name: "sda", Kind: "disk", Model: "Samsung SSD 870 EVO 500GB", Bytes: 500107862016}},
			NICs:  []assay.NICFacts{{Name: "eno1", MTU: 1500}},
		}
	}
	return run
}

func TestFiguresArePlacedAmongOthers(t *testing.T) {
	d := report.Build(one(
		measured(directory("pve1"), "syncwrite-4k", "4 KiB synchronous write", syncLabels, map[string]float64{"storage.write.iops": 1180, "storage.write.bandwidth": 1180 * 4096}),
		measured(directory("pve1"), "randread-4k", "4 KiB random read", readLabels, map[string]float64{"storage.read.iops": 81e3}),
		measured(directory("pve1"), "seqread-1m", "1 MiB sequential read", seqLabels, map[string]float64{"storage.read.iops": 500, "storage.read.bandwidth": 530e6}),
		measured(directory("pve1"), "randread-qd1", "4 KiB random read, one at a time", with(readLabels, "iodepth", "1"), map[string]float64{"storage.read.iops": 9e3}),
	))
	want := []string{
		"4 KiB synchronous write: 1.18k IOPS ± 0.25 % (n=6), like a consumer SSD without PLP (195–1.86k IOPS, 17 published), far from a Micron 9300 (51.0k IOPS)",
		"4 KiB random read: 81.2k IOPS ± 0.25 % (n=6), like a SATA SSD (rated ",
		"1 MiB sequential read: 531 MB/s ± 0.25 % (n=6), like a SATA SSD (rated ",
	}
	if len(d.Among) != len(want) {
		t.Fatalf("%d lines: %+v", len(d.Among), d.Among)
	}
	for i, a := range d.Among {
		if got := a.Title + ": " + a.Text; !strings.HasPrefix(got, want[i]) {
			t.Errorf("%s\nwant %s", got, want[i])
		}
		if len(a.Nearest) == 0 || len(a.Nearest[0].Sources) == 0 || a.N != 1 || a.Low != a.High {
			t.Errorf("%+v", a)
		}
	}
	if !strings.Contains(d.Among[1].Text, "this model, Samsung 870 EVO 500 GB, is rated at 98.0k IOPS") {
		t.Errorf("its own rating is not told: %s", d.Among[1].Text)
	}
	if !strings.HasPrefix(d.Among[0].Apart, "on the bare device; some ") || d.Among[1].Apart != "" {
		t.Errorf("%q, %q", d.Among[0].Apart, d.Among[1].Apart)
	}
}

func with(labels map[string]string, key, value string) map[string]string {
	labels = maps.Clone(labels)
	labels[key] = value
	return labels
}

// Impossible figures, and those of no real storage, are not placed.
func TestWhatIsDoubtedHasNoPlace(t *testing.T) {
	sync := func() assay.Result {
		return measured(directory("pve1"), "syncwrite-4k", "4 KiB synchronous write", syncLabels, map[string]float64{"storage.write.iops": 1180})
	}
	finding := func(severity assay.Severity, rule string) assay.Finding {
		return assay.Finding{Rule: rule, Severity: severity, Subject: sync().Trial.ID, Metrics: []string{"storage.write.iops"}}
	}
	for name, c := range map[string]struct {
		change func(run *assay.Run)
		lines  int
	}{
		"as it is":             {func(*assay.Run) {}, 1},
		"a warning of scatter": {func(run *assay.Run) { run.Findings = []assay.Finding{finding(assay.Warns, "cov")} }, 1},
		"rejected":             {func(run *assay.Run) { run.Findings = []assay.Finding{finding(assay.Rejects, "device-reconcile")} }, 0},
		"a flush too fast":     {func(run *assay.Run) { run.Findings = []assay.Finding{finding(assay.Warns, "flush-too-fast")} }, 0},
		"on a tmpfs": {func(run *assay.Run) {
			f := run.Inventory.Facts["pve1"]
			f.Dirs[0].FileSystem = "tmpfs"
		}, 0},
		"nothing was measured": {func(run *assay.Run) {
			run.Results[0].Repeats = nil
			run.Results[0].Trial.Absent = &assay.Absence{Word: assay.Failed}
		}, 0},
		"labels are missing": {func(run *assay.Run) {
			for i := range run.Results[0].Repeats {
				run.Results[0].Repeats[i].Measurements[0].Labels = nil
			}
		}, 0},
	} {
		run := one(sync())
		c.change(&run)
		d := report.Build(run)
		if len(d.Among) != c.lines {
			t.Errorf("%s: %d lines, want %d: %+v", name, len(d.Among), c.lines, d.Among)
		}
	}
}

// Volumes of replicated storage are compared with others of their kind.
func TestAReplicatedVolumeIsToldFromADrive(t *testing.T) {
	run := one(measured(directory("pve1"), "syncwrite-4k", "4 KiB synchronous write", syncLabels, map[string]float64{"storage.write.iops": 140}))
	drive := report.Build(run)
	run.Inventory.Facts["pve1"].Dirs[0].Source = "/dev/drbd1000"
	volume := report.Build(run)
	if len(drive.Among) != 1 || strings.Contains(drive.Among[0].Text, "LINSTOR") {
		t.Errorf("a drive: %+v", drive.Among)
	}
	if len(volume.Among) != 1 || !strings.Contains(volume.Among[0].Text, "like a LINSTOR volume") {
		t.Errorf("a volume: %+v", volume.Among)
	}
}

// Ten hosts of a kind share a line; the odd one has its own.
func TestHostsInOnePlaceShareALine(t *testing.T) {
	var hosts []string
	var results []assay.Result
	for i := range 10 {
		host := fmt.Sprintf("pve%d", i)
		hosts = append(hosts, host)
		value := 600 + 10*float64(i)
		if i == 7 {
			value = 30e3
		}
		results = append(results, measured(directory(host), "syncwrite-4k", "4 KiB synchronous write", syncLabels, map[string]float64{"storage.write.iops": value}))
	}
	d := report.Build(runOf(hosts, results...))
	if len(d.Among) != 2 {
		t.Fatalf("%d lines: %+v", len(d.Among), d.Among)
	}
	many, odd := d.Among[0], d.Among[1]
	if many.N != 9 || many.Title != "4 KiB synchronous write" || !strings.HasPrefix(many.Text, "602–692 IOPS on pve0, pve1, pve2, pve3, pve4 and 4 more, like a consumer SSD") {
		t.Errorf("%+v", many)
	}
	if odd.N != 1 || odd.Title != "pve7: 4 KiB synchronous write" || !strings.Contains(odd.Text, "like a SATA SSD with PLP") {
		t.Errorf("%+v", odd)
	}
}

// Links of one speed share a line; bidirectional flows have none.
func TestLinksArePlaced(t *testing.T) {
	run := reporttest.ClusterRun()
	flows := 0
	for _, r := range run.Results {
		for _, rep := range r.Repeats {
			for i := range rep.Measurements {
				if m := &rep.Measurements[i]; m.Metric == "net.tcp.throughput" {
					maps.Copy(m.Labels, flowLabels)
					flows++
				}
			}
		}
	}
	if flows == 0 {
		t.Fatal("the run has no links")
	}
	d := report.Build(run)
	var texts []string
	for _, a := range d.Among {
		texts = append(texts, fmt.Sprintf("%s %d %s", a.Title, a.N, a.Text))
	}
	for _, want := range []string{"Gbit/s on 20 links, like 10 GbE (9.36–9.39 Gbit/s, 2 published)", "links, like 1 GbE (930 Mbit/s)"} {
		if !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("no line says %q:\n%s", want, strings.Join(texts, "\n"))
		}
	}
}

// A figure like a class and one below all of it are two lines.
func TestLessThanAClassIsNotLikeIt(t *testing.T) {
	a := measured(directory("a"), "seqread-1m", "1 MiB sequential read", seqLabels, map[string]float64{"storage.read.bandwidth": 22e6})
	b := measured(directory("b"), "seqread-1m", "1 MiB sequential read", seqLabels, map[string]float64{"storage.read.bandwidth": 9e6})
	d := report.Build(runOf([]string{"a", "b"}, a, b))
	if len(d.Among) != 2 || !strings.Contains(d.Among[0].Text, ", like a USB stick (") || !strings.Contains(d.Among[1].Text, ", below every published figure") {
		t.Errorf("%+v", d.Among)
	}
}

package report_test

import (
	"strings"
	"testing"

	"assay"
	"assay/report"
	"assay/report/reporttest"
)

func TestWhatBinds(t *testing.T) {
	facts := func(host string, do func(*assay.Facts)) func(*assay.Run) {
		return func(run *assay.Run) {
			f := run.Inventory.Facts[host]
			f.Host = host
			if f.Stack != nil {
				s := *f.Stack
				f.Stack = &s
			}
			do(&f)
			run.Inventory.Facts[host] = f
		}
	}
	link := func(from, to string, bits float64) func(*assay.Run) {
		return func(run *assay.Run) {
			s := assay.Subject{ID: from + "/link/lan:" + to, Kind: assay.KindLink, Host: from, Peer: to, Name: "lan", Network: "lan"}
			run.Results = append(run.Results, assay.Result{
				Trial: assay.Trial{ID: "iperf3/tcp-1@" + s.ID, Probe: "iperf3", Case: "tcp-1", Title: "TCP, one flow", Subject: s},
				Repeats: []assay.Repeat{{N: 1, Outcome: assay.Done, Measurements: []assay.Measurement{
					{Metric: "net.tcp.throughput", Value: bits / 8, Unit: assay.BytesPerSecond}}}},
			})
		}
	}
	given := func(run *assay.Run) {
		run.Inventory.Networks = []assay.Network{{Name: "lan", Addresses: map[string]string{"node1": "10.0.0.1"}, Rate: 2.5e9, MTU: 9000}}
	}
	// Nor does any other pod on its node.
	noNIC := func(run *assay.Run) {
		for _, pod := range []string{"sd", "usb", "longhorn", "garage@node1"} {
			facts(pod, func(f *assay.Facts) { f.NICs = nil })(run)
		}
	}
	all := func(changes ...func(*assay.Run)) func(*assay.Run) {
		return func(run *assay.Run) {
			for _, c := range changes {
				c(run)
			}
		}
	}
	const write, read = "storage.write.bandwidth", "storage.read.bandwidth"
	for name, k := range map[string]struct {
		change         func(*assay.Run)
		column, metric string
		kind, want     string
	}{
		"a link that was measured goes first": {link("longhorn", "node2", 934e6), "longhorn", write, "limit", "at 91 % of 934 Mbit/s measured with two remote replicas (58.4 MB/s)"},
		"on the node of the pod":              {all(noNIC, link("node1", "node2", 934e6)), "longhorn", write, "limit", "at 91 % of 934 Mbit/s measured with two remote"},
		"from another pod of the node":        {all(noNIC, link("sd", "garage@node2", 934e6)), "longhorn", write, "limit", "at 91 % of 934 Mbit/s measured with two remote"},
		"only the way that was taken":         {all(noNIC, link("node2", "node1", 934e6)), "longhorn", write, "next", "can't tell what limits sequential writes; missing: speed and MTU of node1's network interface"},
		"reads come the other way":            {all(noNIC, link("node2", "node1", 934e6)), "longhorn", read, "note", "with two of three replicas remote (175 MB/s)"},
		"the interface of the node":           {all(noNIC, facts("node1", func(f *assay.Facts) { f.NICs = []assay.NICFacts{{Name: "eno1", Speed: 1e9, MTU: 9000}} })), "longhorn", write, "limit", "at 86 % of 1 GbE with two remote replicas (61.9 MB/s)"},
		"a network as given":                  {all(noNIC, given), "longhorn", write, "note", "at 34 % of 2.5 GbE as given with two remote replicas (155 MB/s), less than half of every known hardware limit: check software, clients or queue depth"},
		"a veth knows no speed":               {all(noNIC, facts("longhorn", func(f *assay.Facts) { f.NICs = []assay.NICFacts{{Name: "eth0", Speed: 10e9, MTU: 1450, Virtual: true}} })), "longhorn", write, "next", "speed and MTU of node1's network interface"},
		"which of two interfaces": {all(noNIC, facts("longhorn", func(f *assay.Facts) {
			f.NICs = []assay.NICFacts{{Name: "eth0", Speed: 1e9, MTU: 1500}, {Name: "eth1", Speed: 1e9, MTU: 1500}}
		})), "longhorn", write, "next", "speed and MTU"},
		"how many copies elsewhere":         {facts("longhorn", func(f *assay.Facts) { f.Stack.Remote = 0 }), "longhorn", write, "next", "missing: replicas on other nodes"},
		"one copy, at home":                 {facts("longhorn", func(f *assay.Facts) { f.Stack.Remote, f.Stack.Copies = 0, 1 }), "longhorn", write, "next", "link of the drive under its replica"},
		"drbd reads at home":                {facts("longhorn", func(f *assay.Facts) { f.Stack.Kind = "drbd" }), "longhorn", read, "next", "link of the drive under its replica"},
		"another stack":                     {facts("longhorn", func(f *assay.Facts) { f.Stack.Kind = "garage" }), "longhorn", write, "next", "how garage uses the network"},
		"a claim of which nothing is known": {facts("longhorn", func(f *assay.Facts) { f.Stack = nil }), "longhorn", write, "next", "how the storage class stores its data"},
		"more than it allows":               {facts("longhorn", func(f *assay.Facts) { f.Stack.Remote = 3 }), "longhorn", write, "doubt", "at 135 % of 1 GbE with three remote replicas"},
		"the link of a card":                {func(*assay.Run) {}, "sd", read, "limit", "sd: sequential reads at 87 % of SD SDR104 (104 MB/s)"},
		"a drive may be slow itself":        {func(*assay.Run) {}, "sd", write, "note", "check the drive itself, software or queue depth"},
		"the link of a device":              {func(*assay.Run) {}, "usb", read, "note", "at 67 % of USB 480 Mb/s (53.2 MB/s), the nearest known limit"},
		"no link":                           {facts("usb", func(f *assay.Facts) { f.Block = nil }), "usb", read, "next", "missing: link of the underlying drive"},
		"the queue depth": {func(run *assay.Run) {
			alter(run, "sd", "seqwrite-1m", func(r *assay.Result) {
				for i := range r.Repeats {
					r.Repeats[i].Measurement("storage.write.latency.min").Value = .55
				}
			})
		}, "sd", write, "limit", "at 95 % of its queue depth (30.5 MB/s)"},
		"a client's link": {func(*assay.Run) {}, "garage@node1", "object.get.throughput", "note", "GETs of 1 MiB at 39 % of 1 GbE of the client (118 MB/s)"},
		"a client that is busy": {func(run *assay.Run) {
			run.Findings = append(run.Findings, assay.Finding{Rule: "client-saturated", Severity: assay.Rejects, Subject: "s3/put-1m@garage@node1/bucket/garage"})
		}, "garage@node1", "object.put.throughput", "limit", "are limited by the client's own CPU [2]"},
		"a store on the same machine": {func(run *assay.Run) {
			alter(run, "garage@node1", "put-1m", func(r *assay.Result) {
				r.Trial.Subject.Store = &assay.ObjectStore{Endpoints: []string{"http://127.0.0.1:3900"}}
			})
		}, "garage@node1", "object.put.throughput", "next", "between a client and a store on the same machine"},
	} {
		t.Run(name, func(t *testing.T) {
			run := reporttest.TiersRun()
			k.change(&run)
			b := bindOf(t, report.Build(run), k.column, k.metric)
			if b.Kind != k.kind || !strings.Contains(b.Text, k.want) {
				t.Errorf("%s: %s\nwant %s: %s", b.Kind, b.Text, k.kind, k.want)
			}
		})
	}
}

func TestSynchronousWritesAgainstEtcd(t *testing.T) {
	p99 := func(host string, v ...float64) func(*assay.Run) {
		return func(run *assay.Run) {
			alter(run, host, "syncwrite-4k", func(r *assay.Result) {
				for i := range r.Repeats {
					r.Repeats[i].Measurement("storage.write.latency.p99").Value = v[i%len(v)]
				}
			})
		}
	}
	with := func(name, value string) func(*assay.Run) {
		return func(run *assay.Run) {
			alter(run, "sd", "syncwrite-4k", label(name, value))
			alter(run, "longhorn", "syncwrite-4k", label(name, value))
		}
	}
	reject := func(rule string) func(*assay.Run) {
		return func(run *assay.Run) {
			run.Findings = append(run.Findings, assay.Finding{Rule: rule, Severity: assay.Rejects, Subject: "fio/syncwrite-4k@longhorn/directory//assay"})
		}
	}
	for name, k := range map[string]struct {
		change func(*assay.Run)
		want   string // grades of sd and longhorn
	}{
		"as published":        {func(*assay.Run) {}, "unfit, light load"},
		"both":                {p99("sd", 2e-3), "light load, light load"},
		"neither":             {p99("longhorn", 12e-3), "unfit, unfit"},
		"it cannot be told":   {p99("longhorn", 9e-3, 9.5e-3, 11e-3), "unfit, borderline"},
		"nothing was flushed": {with("sync", "0"), "not measured, not measured"},
		"several in flight":   {with("iodepth", "4"), "not measured, not measured"},
		"faster than durable": {func(run *assay.Run) {
			run.Findings = append(run.Findings, assay.Finding{Rule: "flush-too-fast", Severity: assay.Warns, Subject: "fio/syncwrite-4k@longhorn/directory//assay"})
		}, "unfit, not measured"},
		"not true":                      {reject("device-reconcile"), "unfit, not measured"},
		"scattered, and all are enough": {reject("cov"), "unfit, light load"},
		"scattered across": {func(run *assay.Run) {
			p99("longhorn", 8e-3, 8e-3, 8e-3, 8e-3, 8e-3, 13e-3)(run)
			reject("cov")(run)
		}, "unfit, borderline"},
		"scattered and for another reason": {func(run *assay.Run) { reject("cov")(run); reject("device-reconcile")(run) }, "unfit, not measured"},
	} {
		t.Run(name, func(t *testing.T) {
			run := reporttest.TiersRun()
			k.change(&run)
			got := map[string]string{}
			for _, f := range report.Build(run).Fits {
				got[f.Name] = f.Uses[0].Grade
			}
			if grades := got["sd"] + ", " + got["longhorn"]; grades != k.want {
				t.Errorf("%s, want %s", grades, k.want)
			}
		})
	}
}

func TestNotesOfTiers(t *testing.T) {
	run := reporttest.TiersRun()
	f := run.Inventory.Facts["longhorn"]
	f.Stack = &assay.StackFacts{Kind: "longhorn", Health: "degraded", Copies: 3, Remote: 2}
	run.Inventory.Facts["longhorn"] = f
	text := strings.Join(report.Build(run).Tiers.Notes, "\n")
	for _, want := range []string{
		"usb is a raw block device", "io_uring (sd, usb), libaio (longhorn)", "longhorn reports that it is degraded",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the notes do not say %q:\n%s", want, text)
		}
	}
	for i := range run.Results {
		run.Results[i].Trial.Subject.Kind = assay.KindBlock
	}
	if text := strings.Join(report.Build(run).Tiers.Notes, "\n"); strings.Contains(text, "unlike the others") {
		t.Errorf("all are raw block devices, and the notes say:\n%s", text)
	}
	if well := strings.Join(reporttest.Tiers().Tiers.Notes, "\n"); strings.Contains(well, "says of itself") {
		t.Errorf("what is healthy is doubted:\n%s", well)
	}
}

package alerts_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"assay"
	"assay/inventory/cluster"
	"assay/monitoring/alerts"
)

const drive = "fio/syncwrite-4k@pve1/directory//srv"

// measured returns a run of one host with everything that rules derive from.
func measured(suite string) *assay.Run {
	dir := assay.Subject{Host: "pve1", Name: "/srv", Kind: assay.KindDirectory}
	link := assay.Subject{Host: "pve1", Peer: "pve2", Network: "storage", Kind: assay.KindLink, Name: "pve1 → pve2"}
	result := func(t assay.Trial, figures map[string]float64) assay.Result {
		r := assay.Repeat{N: 1, Outcome: assay.Done}
		for name, v := range figures {
			r.Measurements = append(r.Measurements, assay.Measurement{Metric: name, Value: v})
		}
		return assay.Result{Trial: t, Repeats: []assay.Repeat{r}}
	}
	return &assay.Run{
		ID: "r1", Suite: suite, Started: time.Date(2026, 11, 25, 3, 0, 0, 0, time.UTC),
		Inventory: assay.Inventory{Facts: map[string]assay.Facts{"pve1": {
			Block: []assay.BlockDevice{{Name: "sda", Kind: "disk", Model: "ACME 1T"}, {Name: "md0", Kind: "raid"}},
			Dirs:  []assay.DirFacts{{Path: "/srv", Drives: []string{"sda"}, Dataset: "tank/srv"}},
			NICs:  []assay.NICFacts{{Name: "eth0", State: "up", Speed: 1e10}, {Name: "eth1", State: "down", Speed: 1e9}, {Name: "br0", Virtual: true, State: "up", Speed: 1e10}},
		}}},
		Results: []assay.Result{
			result(assay.Trial{ID: drive, Probe: "fio", Case: "syncwrite-4k", Subject: dir, Settings: map[string]string{"sync": "1"}},
				map[string]float64{"storage.write.latency.mean": .002, "storage.write.latency.p99": .004}),
			result(assay.Trial{ID: "smart", Probe: "smart", Case: "health", Subject: assay.Subject{Host: "pve1", Name: "sda"}}, map[string]float64{"smart.temperature": 46}),
			result(assay.Trial{ID: "etcd", Probe: "fio", Case: "wal-etcd", Subject: dir}, map[string]float64{"storage.sync.latency.p99": .0071}),
			result(assay.Trial{ID: "link", Probe: "iperf3", Case: "tcp-1", Subject: link, Peer: "pve2"}, map[string]float64{"net.tcp.throughput": 1.1e9, "net.rtt.median": 1e-4}),
		},
	}
}

// everywhere returns a cluster with everything there are rules for.
func everywhere(run *assay.Run) alerts.Cluster {
	c := alerts.Of(cluster.Cluster{Hosts: []cluster.Host{{Name: "pve1", Address: "10.0.0.1"}}, Kubernetes: &cluster.Kubernetes{}}, run)
	c.Ceph, c.Longhorn, c.DRBD = true, true, true
	return c
}

func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("no %s here", name)
	}
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// files writes the rules and their unit tests.
func files(t *testing.T, rules []alerts.Rule) (ruleFile, testFile string) {
	t.Helper()
	var r, u bytes.Buffer
	if err := alerts.Write(&r, rules, "Rules: a test."); err != nil {
		t.Fatal(err)
	}
	if err := alerts.WriteTests(&u, rules, "rules.yaml", "Tests."); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ruleFile, testFile = filepath.Join(dir, "rules.yaml"), filepath.Join(dir, "rules_test.yaml")
	for name, text := range map[string][]byte{ruleFile: r.Bytes(), testFile: u.Bytes()} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return ruleFile, testFile
}

// Real Prometheus loads every rule; each fires on its fault, and on nothing else.
func TestEachRuleFiresAndStaysQuiet(t *testing.T) {
	seen := map[string]bool{}
	for _, suite := range []string{"cluster", "watch"} {
		rules := everywhere(measured(suite)).Rules()
		for _, r := range rules {
			seen[r.Alert] = true
			if r.Exporter == "" || r.Reason == "" || r.Next == "" || len(r.Fires) == 0 || len(r.Quiet) == 0 {
				t.Errorf("%s is not whole: %+v", r.Alert, r)
			}
		}
		ruleFile, testFile := files(t, rules)
		tool(t, "promtool", "check", "rules", ruleFile)
		tool(t, "promtool", "test", "rules", testFile)
	}
	if len(seen) < 28 {
		t.Errorf("%d alerts: %v", len(seen), seen)
	}
}

// A drive that is merely too hot is not failing, whatever its SMART status says.
func TestADriveThatIsTooHotIsNotFailing(t *testing.T) {
	rules := slices.DeleteFunc(everywhere(measured("cluster")).Rules(), func(r alerts.Rule) bool { return r.Alert != "DriveFailing" })
	if len(rules) != 1 {
		t.Fatalf("%d rules", len(rules))
	}
	rules[0].Quiet = []alerts.Series{
		{Series: `smartctl_device_smart_status{instance="a",device="nvme0"}`, Values: "0+0x60"},
		{Series: `smartctl_device_critical_warning{instance="a",device="nvme0"}`, Values: "2+0x60"},
	}
	ruleFile, testFile := files(t, rules)
	tool(t, "promtool", "check", "rules", ruleFile)
	tool(t, "promtool", "test", "rules", testFile)
}

// Hosts may report any name: Prometheus accepts the file and shows names verbatim, and
// the suggested next command stays a single command.
func TestNamesAreNoTemplates(t *testing.T) {
	const odd = `{{ query "up" }}{{`
	run := measured("cluster")
	facts := run.Inventory.Facts["pve1"]
	facts.Dirs[0].Path = "/srv/" + odd
	facts.NICs[0].Name = "e;reboot"
	facts.Block[0].Name, facts.Dirs[0].Drives[0] = odd, odd
	run.Results[0].Trial.Subject.Name = facts.Dirs[0].Path
	rules := everywhere(run).Rules()
	named, next := false, false
	for _, r := range rules {
		named = named || strings.Contains(r.Reason, odd)
		next = next || r.Next == "ethtool 'e;reboot'"
	}
	if !named || !next {
		t.Errorf("named %v, quoted %v", named, next)
	}
	ruleFile, testFile := files(t, rules)
	text, err := os.ReadFile(ruleFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if strings.Contains(line, "reason:") && strings.Contains(strings.ReplaceAll(line, "{{`{{`}}", ""), "{{") {
			t.Errorf("a name is a template: %s", line)
		}
	}
	tool(t, "promtool", "check", "rules", ruleFile)
	tool(t, "promtool", "test", "rules", testFile)
}

// The generated unit tests can fail: a broken rule does not pass them.
func TestUnitTestsFindASpoiltRule(t *testing.T) {
	if _, err := exec.LookPath("promtool"); err != nil {
		t.Skip("no promtool here")
	}
	rules := everywhere(measured("watch")).Rules()
	silent, loud := slices.Clone(rules), slices.Clone(rules)
	for i := range rules {
		silent[i].Expr = "(" + silent[i].Expr + ") and vector(1) == 2"
		loud[i].Quiet = loud[i].Fires
	}
	for what, spoilt := range map[string][]alerts.Rule{"never fires": silent, "fires where it should be quiet": loud} {
		_, file := files(t, spoilt)
		out, _ := exec.Command("promtool", "test", "rules", file).CombinedOutput()
		for _, r := range rules {
			if !strings.Contains(string(out), "alertname: "+r.Alert+",") {
				t.Errorf("%s: a rule that %s passes its tests", r.Alert, what)
			}
		}
	}
}

// Thresholds derive from what was measured, and say how.
func TestThresholdsFollowFromTheBaseline(t *testing.T) {
	rules := everywhere(measured("cluster")).Rules()
	for alert, want := range map[string]struct{ expr, reason string }{
		"DiskWritesSlow":         {`{instance=~"(pve1|10\\.0\\.0\\.1)(:[0-9]+)?",device=~"sda"}[5m]) > 0.02 and`, "10 times the 2.00 ms that a synchronous write took in /srv when run r1 measured it"},
		"LinkSlowerThanMeasured": {`device="eth0"} < 1.25e+09`, "10.0 Gbit/s when run r1"},
		"DriveHot":               {"> 61", "15 °C more than the hottest drive had in run r1 (46 °C)"},
		"EtcdFsyncSlow":          {"> 0.0142", "twice the 7.1 ms measured in run r1"},
	} {
		i := slices.IndexFunc(rules, func(r alerts.Rule) bool { return r.Alert == alert })
		if i < 0 {
			t.Errorf("no %s", alert)
		} else if r := rules[i]; !strings.Contains(r.Expr, want.expr) || !strings.Contains(r.Reason, want.reason) {
			t.Errorf("%s: %s\nbecause %s\nwant %s\nbecause %s", alert, r.Expr, r.Reason, want.expr, want.reason)
		}
	}
	if n := strings.Count(exprs(rules), "node_network_speed_bytes"); n != 1 {
		t.Errorf("%d rules on link speeds; only one port is up and real", n)
	}
	watched := exprs(everywhere(measured("watch")).Rules())
	for _, want := range []string{
		`assay_storage_write_latency_seconds{case="fio/syncwrite-4k",host="pve1",quantile="0.99",subject="/srv",suite="watch"} > 0.02`,
		`assay_net_tcp_throughput_bytes_per_second{case="iperf3/tcp-1",host="pve1",network="storage",peer="pve2",subject="pve1 → pve2",suite="watch"} < 5.5e+08`,
	} {
		if !strings.Contains(watched, want) {
			t.Errorf("lacks %s in\n%s", want, watched)
		}
	}
}

// A watch of more directories or hosts has longer intervals. One outlier among its rounds
// raises no alert, nor does the time between two of them.
func TestRulesFollowTheInterval(t *testing.T) {
	run := measured("watch")
	for i := range run.Results {
		run.Results[i].Trial.Repeats, run.Results[i].Trial.Length = 1, time.Second
	}
	for i := range 7 { // with the one to pve2, 8 s of the links of pve1
		link := run.Results[3]
		link.Trial.Peer = fmt.Sprintf("pve%d", 3+i)
		run.Results = append(run.Results, link)
	}
	rules := everywhere(run).Rules()
	var slow []alerts.Rule
	for _, r := range rules {
		switch r.Alert {
		case "AssayStorageSlow", "AssayRoundTripSlow", "AssayLinkSlow":
			slow = append(slow, r)
			if r.For != "202m" { // 1.5 times 135 min
				t.Errorf("%s has to hold for %s", r.Alert, r.For)
			}
		}
	}
	if len(slow) < 3 {
		t.Errorf("%d rules on figures", len(slow))
	}
	ruleFile, testFile := files(t, slow)
	tool(t, "promtool", "check", "rules", ruleFile)
	tool(t, "promtool", "test", "rules", testFile)
}

// Figures that the audit rejected are no baseline.
func TestRejectedFiguresAreNoBaseline(t *testing.T) {
	run := measured("watch")
	run.Findings = []assay.Finding{{Severity: assay.Rejects, Subject: drive}}
	all := exprs(everywhere(run).Rules())
	if strings.Contains(all, "node_disk_write_time") || strings.Contains(all, "assay_storage_write_latency") {
		t.Errorf("a rule rests on a rejected figure:\n%s", all)
	}
}

// A cluster gets rules for what it has and nothing else.
func TestOnlyWhatThereIs(t *testing.T) {
	hosts := cluster.Cluster{Hosts: []cluster.Host{{Name: "a"}}}
	all := exprs(alerts.Of(hosts, nil).Rules())
	if wrong := regexp.MustCompile(`ceph|longhorn|drbd|kubelet|etcd|node_zfs|node_md|smartctl|assay_`).FindString(all); wrong != "" || !strings.Contains(all, "node_filesystem_readonly") {
		t.Errorf("a cluster of which only a host is known has a rule on %q:\n%s", wrong, all)
	}
	for kind, want := range map[string]string{"longhorn": "longhorn_", "drbd": "drbd_", "ceph": "ceph_"} {
		run := assay.Run{ID: "r", Inventory: assay.Inventory{Facts: map[string]assay.Facts{"a": {Stack: &assay.StackFacts{Kind: kind}}}}}
		all := exprs(alerts.Of(hosts, &run).Rules())
		if !strings.Contains(all, want) {
			t.Errorf("%s: no rule on %s*", kind, want)
		}
		if kind == "drbd" && strings.Contains(all, "ceph_") {
			t.Error("DRBD is taken for RBD")
		}
	}
}

func TestAlertmanagerTakesTheRoute(t *testing.T) {
	file := filepath.Join(t.TempDir(), "alertmanager.yml")
	if err := os.WriteFile(file, []byte(alerts.Route), 0o600); err != nil {
		t.Fatal(err)
	}
	tool(t, "amtool", "check-config", file)
	for labels, want := range map[string]string{"source=assay severity=critical": "at-once", "source=assay severity=warning": "daily"} {
		args := append([]string{"config", "routes", "test", "--config.file=" + file}, strings.Fields(labels)...)
		if got := strings.TrimSpace(tool(t, "amtool", args...)); !strings.HasSuffix(got, want) { // a warning may come first
			t.Errorf("%s goes to %q, want %s", labels, got, want)
		}
	}
}

func exprs(rules []alerts.Rule) string {
	var all []string
	for _, r := range rules {
		all = append(all, r.Expr)
	}
	return strings.Join(all, "\n")
}

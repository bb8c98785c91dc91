package alerts

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"assay"
	"assay/internal/quantity"
	"assay/internal/shell"
	"assay/stats"
)

// node returns the rules on node_exporter's metrics of every host.
func (c Cluster) node() []Rule {
	if len(c.Hosts) == 0 {
		return nil
	}
	one := `{instance="pve1:9100"}`
	at := map[string]string{"instance": "pve1:9100"}
	all := []Rule{
		{
			Alert: "FilesystemReadOnly", Expr: `node_filesystem_readonly{fstype=~"ext4|xfs|btrfs|zfs"} == 1`, For: "2m", Severity: "critical",
			Summary: "{{ $labels.mountpoint }} on {{ $labels.instance }} is read-only",
			Reason:  "these file systems turn read-only after an I/O error; exclude what is mounted read-only on purpose",
			Next:    "assay diagnose",
			Fires:   []Series{constant(`node_filesystem_readonly{instance="pve1:9100",fstype="ext4",mountpoint="/var"}`, "1")},
			Labels:  map[string]string{"instance": "pve1:9100", "fstype": "ext4", "mountpoint": "/var"},
			Quiet:   []Series{constant(`node_filesystem_readonly{instance="pve1:9100",fstype="ext4",mountpoint="/var"}`, "0"), constant(`node_filesystem_readonly{instance="pve1:9100",fstype="squashfs",mountpoint="/snap"}`, "1")},
		},
		{
			Alert: "OutOfMemoryKill", Expr: `increase(node_vmstat_oom_kill[15m]) > 0`, For: "0m", Severity: "warning",
			Summary: "{{ $labels.instance }} ran out of memory: the kernel killed a process",
			Reason:  "a storage engine that is killed looks like a failed disk to its clients, so even one kill matters",
			Next:    "assay diagnose",
			Fires:   []Series{rising("node_vmstat_oom_kill"+one, "1")}, Labels: at,
			Quiet: []Series{constant("node_vmstat_oom_kill"+one, "3")},
		},
		{
			Alert: "MemoryUncorrectable", Expr: `increase(node_edac_uncorrectable_errors_total[1h]) > 0`, For: "0m", Severity: "critical",
			Summary: "{{ $labels.instance }} has uncorrectable memory errors at controller {{ $labels.controller }}",
			Reason:  "data that was in this memory may have been written to disk corrupted",
			Next:    "assay diagnose",
			Fires:   []Series{rising(`node_edac_uncorrectable_errors_total{instance="pve1:9100",controller="0"}`, "1")},
			Labels:  map[string]string{"instance": "pve1:9100", "controller": "0"},
			Quiet:   []Series{constant(`node_edac_uncorrectable_errors_total{instance="pve1:9100",controller="0"}`, "2")},
		},
		{
			Alert: "ClockNotSynchronised", Expr: `node_timex_sync_status == 0`, For: "30m", Severity: "warning",
			Summary: "the clock of {{ $labels.instance }} is not synchronised",
			Reason:  "Ceph warns of clock skew above 50 ms, and logs from several hosts can't be correlated unless their clocks agree",
			Next:    "timedatectl",
			Fires:   []Series{constant("node_timex_sync_status"+one, "0")}, Labels: at,
			Quiet: []Series{constant("node_timex_sync_status"+one, "1")},
		},
		{
			Alert: "LinkFlaps", Expr: `increase(node_network_carrier_changes_total{device!~"veth.*|tap.*|fwbr.*|fwln.*|fwpr.*|cali.*|lxc.*"}[15m]) > 3`, For: "0m", Severity: "warning",
			Summary: "{{ $labels.device }} of {{ $labels.instance }} is flapping",
			Reason:  "two drops in 15 minutes (four carrier changes) are not somebody replugging a cable once: suspect cable, transceiver or port",
			Next:    "assay diagnose",
			Fires:   []Series{rising(`node_network_carrier_changes_total{instance="pve1:9100",device="eth0"}`, "2")},
			Labels:  map[string]string{"instance": "pve1:9100", "device": "eth0"},
			Quiet:   []Series{constant(`node_network_carrier_changes_total{instance="pve1:9100",device="eth0"}`, "6"), rising(`node_network_carrier_changes_total{instance="pve1:9100",device="veth1"}`, "2")},
		},
		{
			Alert: "TCPRetransmits", Expr: `rate(node_netstat_Tcp_RetransSegs[15m]) / rate(node_netstat_Tcp_OutSegs[15m]) > 0.01 and rate(node_netstat_Tcp_OutSegs[15m]) > 100`, For: "15m", Severity: "warning",
			Summary: "{{ $labels.instance }} retransmits more than 1 % of its TCP segments",
			Reason:  "a healthy local network loses less than 0.01 %; hosts that send fewer than 100 segments a second are excluded, because a few unreachable peers would dominate",
			Next:    "assay run -i cluster.yaml --suite network",
			Fires:   []Series{rising("node_netstat_Tcp_RetransSegs"+one, "1200"), rising("node_netstat_Tcp_OutSegs"+one, "60000")}, Labels: at,
			Quiet: []Series{rising("node_netstat_Tcp_RetransSegs"+one, "6"), rising("node_netstat_Tcp_OutSegs"+one, "60000")},
		},
	}
	for _, h := range c.Hosts {
		if h.Facts != nil {
			all = append(all, c.speeds(h)...)
			all = append(all, c.slowWrites(h)...)
		}
	}
	return from("node_exporter", all)
}

func from(exporter string, rules []Rule) []Rule {
	for i := range rules {
		rules[i].Exporter = exporter
	}
	return rules
}

// matcher returns a regular expression for the instances of this host, by its name or its
// address, with or without a port.
func (h Host) matcher() string {
	names := []string{regexp.QuoteMeta(h.Name)}
	if h.Address != "" && h.Address != h.Name {
		names = append(names, regexp.QuoteMeta(h.Address))
	}
	return "(" + strings.Join(names, "|") + ")(:[0-9]+)?"
}

// speeds returns a rule for each port of a host, which should not become slower than
// it was.
func (c Cluster) speeds(h Host) (all []Rule) {
	for _, n := range h.Facts.NICs {
		if n.Virtual || n.Speed <= 0 || n.State != "up" {
			continue
		}
		instance := h.Name + ":9100"
		series := fmt.Sprintf(`node_network_speed_bytes{instance=%q,device=%q}`, instance, n.Name)
		was := quantity.Amount(n.Speed, assay.BitsPerSecond)
		all = append(all, Rule{
			Alert:    "LinkSlowerThanMeasured",
			Expr:     fmt.Sprintf(`node_network_speed_bytes{instance=~%q,device=%q} < %s`, h.matcher(), n.Name, number(n.Speed/8)),
			For:      "5m",
			Severity: "warning",
			Summary:  "{{ $labels.device }} of {{ $labels.instance }} negotiated less than the " + was + " it had",
			Reason:   fmt.Sprintf("it had %s when run %s measured it", was, c.Run.ID),
			Next:     "ethtool " + shell.Quote(n.Name),
			Fires:    []Series{constant(series, number(n.Speed/80))},
			Labels:   map[string]string{"instance": instance, "device": n.Name},
			Quiet:    []Series{constant(series, number(n.Speed/8))},
		})
	}
	return all
}

// How far a drive may be from its measured latency, and what never counts as
// slow.
const (
	slowWrites      = 10.
	leastSlowWrites = .01 // s: etcd's hardware guide's limit for a disk flush
)

// slowWrites returns rules on the drives under each directory with measured synchronous
// writes.
func (c Cluster) slowWrites(h Host) (all []Rule) {
	for _, d := range h.Facts.Dirs {
		latency, known := c.syncWrite(h.Name, d.Path)
		if !known || len(d.Drives) == 0 {
			continue
		}
		limit := math.Max(leastSlowWrites, slowWrites*latency)
		var names []string
		for _, drive := range d.Drives {
			names = append(names, regexp.QuoteMeta(drive))
		}
		labels := map[string]string{"instance": h.Name + ":9100", "device": d.Drives[0]}
		of := fmt.Sprintf(`{instance=%q,device=%q}`, labels["instance"], labels["device"])
		match := fmt.Sprintf(`{instance=~%q,device=~%q}`, h.matcher(), strings.Join(names, "|"))
		writes := rising("node_disk_writes_completed_total"+of, "6000")
		all = append(all, Rule{
			Alert: "DiskWritesSlow",
			Expr: "rate(node_disk_write_time_seconds_total" + match + "[5m]) / rate(node_disk_writes_completed_total" + match + "[5m]) > " + number(limit) +
				" and rate(node_disk_writes_completed_total" + match + "[5m]) > 1",
			For: "10m", Severity: "warning",
			Summary: "writes to {{ $labels.device }} of {{ $labels.instance }} take more than " + quantity.Amount(limit, assay.Seconds) + " on average",
			Reason: fmt.Sprintf("%g times the %s that a synchronous write took in %s when run %s measured it, and at least %s",
				slowWrites, quantity.Amount(latency, assay.Seconds), d.Path, c.Run.ID, quantity.Amount(leastSlowWrites, assay.Seconds)),
			Next:  "assay diagnose",
			Fires: []Series{rising("node_disk_write_time_seconds_total"+of, number(6000*limit*2)), writes}, Labels: labels,
			Quiet: []Series{rising("node_disk_write_time_seconds_total"+of, number(6000*limit/2)), writes},
		})
	}
	return all
}

// syncWrite returns the mean latency of a synchronous write in dir, as measured in
// the run.
func (c Cluster) syncWrite(host, dir string) (seconds float64, known bool) {
	for _, r := range c.Run.Results {
		s := r.Trial.Subject
		if s.Host != host || s.Name != dir || r.Trial.Settings["sync"] != "1" || c.rejected(r.Trial.ID, "storage.write.latency.mean") {
			continue
		}
		if v := r.Values("storage.write.latency.mean"); len(v) > 0 {
			return stats.Median(v), true
		}
	}
	return 0, false
}

func (c Cluster) rejected(trial, metric string) bool {
	return slices.ContainsFunc(c.Run.Findings, func(f assay.Finding) bool {
		return f.Severity == assay.Rejects && f.Subject == trial && (len(f.Metrics) == 0 || slices.Contains(f.Metrics, metric))
	})
}

// number formats a threshold with three digits: more would suggest false
// precision.
func number(v float64) string { return fmt.Sprintf("%.3g", v) }

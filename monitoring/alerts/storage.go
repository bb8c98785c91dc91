package alerts

import (
	"fmt"
	"math"
	"strings"

	"assay"
)

// raid returns the rules on md arrays and ZFS pools, which are also
// node_exporter's.
func (c Cluster) raid() (all []Rule) {
	if c.any(func(f assay.Facts) bool { return hasBlock(f, "raid") }) {
		of := `{instance="pve1:9100",device="md0",state="failed"}`
		all = append(all, Rule{
			Alert: "MDDiskFailed", Expr: `node_md_disks{state="failed"} > 0`, For: "1m", Severity: "critical",
			Summary: "{{ $labels.device }} of {{ $labels.instance }} has a failed disk",
			Reason:  "an md array with a failed disk has lost redundancy",
			Next:    "mdadm --detail /dev/DEVICE",
			Fires:   []Series{constant("node_md_disks"+of, "1")}, Labels: map[string]string{"instance": "pve1:9100", "device": "md0", "state": "failed"},
			Quiet: []Series{constant("node_md_disks"+of, "0"), constant(`node_md_disks{instance="pve1:9100",device="md0",state="active"}`, "2")},
		})
	}
	if c.any(hasZFS) {
		of := `{instance="pve1:9100",zpool="tank",state="degraded"}`
		all = append(all, Rule{
			Alert: "ZFSPoolNotOnline", Expr: `node_zfs_zpool_state{state!="online"} == 1`, For: "1m", Severity: "critical",
			Summary: "pool {{ $labels.zpool }} of {{ $labels.instance }} is {{ $labels.state }}",
			Reason:  "a pool that is not ONLINE has lost redundancy or data",
			Next:    "zpool status -v",
			Fires:   []Series{constant("node_zfs_zpool_state"+of, "1")}, Labels: map[string]string{"instance": "pve1:9100", "zpool": "tank", "state": "degraded"},
			Quiet: []Series{constant("node_zfs_zpool_state"+of, "0"), constant(`node_zfs_zpool_state{instance="pve1:9100",zpool="tank",state="online"}`, "1")},
		})
	}
	return from("node_exporter", all)
}

func hasBlock(f assay.Facts, kind string) bool {
	for _, b := range f.Block {
		if b.Kind == kind {
			return true
		}
	}
	return false
}

func hasZFS(f assay.Facts) bool {
	for _, d := range f.Dirs {
		if d.Dataset != "" || d.FileSystem == "zfs" {
			return true
		}
	}
	return len(f.Pools) > 0
}

// How far above its measured temperature a drive is too hot, and the bounds of that
// limit.
const (
	hotter    = 15. // °C
	leastHot  = 55. // °C: most spinning disks are rated for 60 at most
	hottest   = 70. // °C: where NVMe drives begin to throttle
	wornDrive = 90  // % of the rated endurance
)

// smartctl returns the rules on what drives report about themselves.
func (c Cluster) smartctl() []Rule {
	physical := func(f assay.Facts) bool {
		for _, b := range f.Block {
			if b.Kind == "disk" && b.Model != "" {
				return true
			}
		}
		return false
	}
	if !c.any(physical) {
		return nil
	}
	of := `{instance="pve1:9633",device="nvme0"}`
	at := map[string]string{"instance": "pve1:9633", "device": "nvme0"}
	hotOne := `{instance="pve1:9633",device="nvme1"}`
	hot, why := c.hot()
	current := `smartctl_device_temperature{instance="pve1:9633",device="nvme0",temperature_type="current"}`
	return from("smartctl_exporter", []Rule{
		{
			Alert: "DriveFailing", Expr: `smartctl_device_smart_status == 0 unless on (instance, device) (smartctl_device_critical_warning == 0 or smartctl_device_critical_warning == 2)`, For: "5m", Severity: "critical",
			Summary: "{{ $labels.device }} of {{ $labels.instance }} predicts its own failure",
			Reason:  "SMART status failed; for NVMe drives a critical warning other than temperature (2) is required too: old exporters report 0 for all of them, and cooling ends that one",
			Next:    "smartctl -x /dev/DEVICE",
			Fires:   []Series{constant("smartctl_device_smart_status"+of, "0")}, Labels: at,
			Quiet: []Series{constant("smartctl_device_smart_status"+of, "0"), constant("smartctl_device_critical_warning"+of, "0")},
		},
		{
			Alert: "DriveTooHot", Expr: `smartctl_device_critical_warning == 2`, For: "5m", Severity: "warning",
			Summary: "{{ $labels.device }} of {{ $labels.instance }} reports that it is too hot",
			Reason:  "its temperature is the only critical warning, for which SMART status fails too: give it a heat sink or airflow",
			Next:    "smartctl -x /dev/DEVICE",
			Fires:   []Series{constant("smartctl_device_critical_warning"+hotOne, "2")}, Labels: map[string]string{"instance": "pve1:9633", "device": "nvme1"},
			Quiet: []Series{constant("smartctl_device_critical_warning"+hotOne, "4")},
		},
		{
			Alert: "DriveMediaErrors", Expr: `increase(smartctl_device_media_errors[1d]) > 0`, For: "0m", Severity: "critical",
			Summary: "{{ $labels.device }} of {{ $labels.instance }} returned unrecovered read errors",
			Reason:  "each one is lost data; growth matters, not the absolute count",
			Next:    "assay diagnose",
			Fires:   []Series{rising("smartctl_device_media_errors"+of, "1")}, Labels: at,
			Quiet: []Series{constant("smartctl_device_media_errors"+of, "519")},
		},
		{
			Alert: "DriveWornOut", Expr: fmt.Sprintf(`smartctl_device_percentage_used >= %d`, wornDrive), For: "1h", Severity: "warning",
			Summary: fmt.Sprintf("{{ $labels.device }} of {{ $labels.instance }} has used %d %% of its rated endurance", wornDrive),
			Reason:  "the rated endurance is nearly used up: order a replacement",
			Next:    "smartctl -x /dev/DEVICE",
			Fires:   []Series{constant("smartctl_device_percentage_used"+of, "97")}, Labels: at,
			Quiet: []Series{constant("smartctl_device_percentage_used"+of, "12")},
		},
		{
			Alert: "DriveHot", Expr: `smartctl_device_temperature{temperature_type="current"} > ` + number(hot), For: "15m", Severity: "warning",
			Summary: "{{ $labels.device }} of {{ $labels.instance }} is hotter than " + number(hot) + " °C",
			Reason:  why,
			Next:    "assay diagnose",
			Fires:   []Series{constant(current, number(hot+5))}, Labels: map[string]string{"instance": "pve1:9633", "device": "nvme0", "temperature_type": "current"},
			Quiet: []Series{constant(current, number(hot-5))},
		},
	})
}

// hot returns the temperature at which a drive of this cluster is too hot, and
// why.
func (c Cluster) hot() (limit float64, why string) {
	most := 0.
	for _, r := range c.Run.Results {
		for _, v := range r.Values("smart.temperature") {
			most = max(most, v)
		}
	}
	if most == 0 {
		return hottest, fmt.Sprintf("NVMe drives begin to throttle near %g °C; no run has measured the drives' own temperature", hottest)
	}
	limit = math.Round(max(leastHot, min(hottest, most+hotter)))
	return limit, fmt.Sprintf("%g °C more than the hottest drive had in run %s (%.0f °C), but no less than %g and no more than %g °C", hotter, c.Run.ID, most, leastHot, hottest)
}

// ceph returns the rules on the metrics of Ceph's mgr.
func (c Cluster) ceph() []Rule {
	if !c.Ceph {
		return nil
	}
	mgr := map[string]string{"instance": "ceph-mgr:9283"}
	one := `{instance="ceph-mgr:9283"}`
	osd := `{instance="ceph-mgr:9283",ceph_daemon="osd.3"}`
	at := map[string]string{"instance": "ceph-mgr:9283", "ceph_daemon": "osd.3"}
	limit, why := 50., "50 ms: an SSD with power-loss protection commits in 1 to 2 ms, a spinning disk in 10 to 20"
	return from("ceph", []Rule{
		{
			Alert: "CephHealthError", Expr: `ceph_health_status == 2`, For: "5m", Severity: "critical",
			Summary: "Ceph is in HEALTH_ERR", Reason: "Ceph reports that data is unavailable or at risk", Next: "ceph health detail",
			Fires: []Series{constant("ceph_health_status"+one, "2")}, Labels: mgr, Quiet: []Series{constant("ceph_health_status"+one, "1")},
		},
		{
			Alert: "CephOSDDown", Expr: `ceph_osd_up == 0`, For: "5m", Severity: "warning",
			Summary: "{{ $labels.ceph_daemon }} is down", Reason: "after ten minutes (mon_osd_down_out_interval) Ceph starts to copy its data elsewhere", Next: "ceph osd tree",
			Fires: []Series{constant("ceph_osd_up"+osd, "0")}, Labels: at, Quiet: []Series{constant("ceph_osd_up"+osd, "1")},
		},
		{
			Alert: "CephSlowOps", Expr: `ceph_healthcheck_slow_ops > 0`, For: "1m", Severity: "warning",
			Summary: "Ceph has slow operations", Reason: "an operation waited longer than osd_op_complaint_time (30 s by default)", Next: "ceph health detail",
			Fires: []Series{constant("ceph_healthcheck_slow_ops"+one, "4")}, Labels: mgr, Quiet: []Series{constant("ceph_healthcheck_slow_ops"+one, "0")},
		},
		{
			Alert: "CephOSDCommitSlow", Expr: `avg_over_time(ceph_osd_commit_latency_ms[10m]) > ` + number(limit), For: "10m", Severity: "warning",
			Summary: "{{ $labels.ceph_daemon }} takes more than " + number(limit) + " ms to commit a write", Reason: why, Next: "ceph osd perf",
			Fires: []Series{constant("ceph_osd_commit_latency_ms"+osd, "120")}, Labels: at, Quiet: []Series{constant("ceph_osd_commit_latency_ms"+osd, "3")},
		},
	})
}

// longhorn returns the rules on the metrics of Longhorn's manager. Robustness is a number
// up to 1.8 and a label in later versions.
func (c Cluster) longhorn() []Rule {
	if !c.Longhorn {
		return nil
	}
	rule := func(alert, state, number, severity, wait, why string) Rule {
		labels := map[string]string{"volume": "pvc-1", "node": "worker-2", "state": state}
		return Rule{
			Alert:   alert,
			Expr:    fmt.Sprintf(`longhorn_volume_robustness{state=%q} == 1 or longhorn_volume_robustness{state=""} == %s`, state, number),
			For:     wait,
			Summary: "Longhorn volume {{ $labels.volume }} on {{ $labels.node }} is " + state, Severity: severity, Reason: why,
			Next:   "kubectl -n longhorn-system get volumes.longhorn.io,replicas.longhorn.io",
			Fires:  []Series{constant(fmt.Sprintf(`longhorn_volume_robustness{volume="pvc-1",node="worker-2",state=%q}`, state), "1")},
			Labels: labels,
			Quiet: []Series{
				constant(fmt.Sprintf(`longhorn_volume_robustness{volume="pvc-1",node="worker-2",state=%q}`, state), "0"),
				constant(`longhorn_volume_robustness{volume="pvc-1",node="worker-2",state="healthy"}`, "1"),
				constant(`longhorn_volume_robustness{volume="pvc-2",node="worker-2"}`, "1"),
			},
		}
	}
	return from("longhorn", []Rule{
		rule("LonghornVolumeDegraded", "degraded", "2", "warning", "15m", "a replica is missing: one more failure away from I/O errors; rebuilds of a few minutes are normal after a reboot"),
		rule("LonghornVolumeFaulted", "faulted", "3", "critical", "1m", "no replica is left: the volume's /dev/sdX gives I/O errors, as a broken disk would"),
	})
}

// drbd returns the rules on drbd-reactor's metrics.
func (c Cluster) drbd() []Rule {
	if !c.DRBD {
		return nil
	}
	rule := func(alert, metric, op, wait, severity, summary, why, fires, quiet string) Rule {
		of := `{instance="pve1:9942",name="r0"}`
		return Rule{
			Alert: alert, Expr: metric + " " + op, For: wait, Severity: severity, Summary: summary, Reason: why, Next: "drbdadm status",
			Fires: []Series{constant(metric+of, fires)}, Labels: map[string]string{"instance": "pve1:9942", "name": "r0"}, Quiet: []Series{constant(metric+of, quiet)},
		}
	}
	return from("drbd-reactor", []Rule{
		rule("DRBDLostItsDisk", "drbd_device_unintentionaldiskless", "== 1", "1m", "critical", "a DRBD device of {{ $labels.instance }} has lost its disk",
			"DRBD detaches a disk that gave an I/O error and goes on over the network", "1", "0"),
		rule("DRBDNoQuorum", "drbd_device_quorum", "== 0", "1m", "critical", "a DRBD device of {{ $labels.instance }} has no quorum",
			"without quorum its writes wait or fail", "0", "1"),
		rule("DRBDOutOfSync", "drbd_peerdevice_outofsync_bytes", "> 0", "30m", "warning", "a DRBD peer of {{ $labels.instance }} lacks data",
			"half an hour is enough to resync after a reboot; after that the peer won't come back by itself", "1048576", "0"),
	})
}

// kubernetes returns the rules on etcd and the kubelet.
func (c Cluster) kubernetes() []Rule {
	if !c.Kubernetes {
		return nil
	}
	limit, why := c.fsync()
	fsync := func(le, by string) Series {
		return rising(fmt.Sprintf(`etcd_disk_wal_fsync_duration_seconds_bucket{instance="cp1:2381",le=%q}`, le), by)
	}
	claim := `{instance="worker-2:10250",namespace="db",persistentvolumeclaim="data"}`
	pleg := func(le, by string) Series {
		return rising(fmt.Sprintf(`kubelet_pleg_relist_duration_seconds_bucket{instance="worker-2:10250",le=%q}`, le), by)
	}
	all := from("etcd", []Rule{{
		Alert: "EtcdFsyncSlow", Expr: `histogram_quantile(0.99, sum by (instance, le) (rate(etcd_disk_wal_fsync_duration_seconds_bucket[5m]))) > ` + number(limit), For: "10m", Severity: "warning",
		Summary: "the p99 of etcd's WAL fsync on {{ $labels.instance }} is above " + number(1000*limit) + " ms", Reason: why,
		Next:   "assay run --suite sync",
		Fires:  []Series{fsync("0.008", "0"), fsync("4.096", "600"), fsync("8.192", "600"), fsync("+Inf", "600")},
		Labels: map[string]string{"instance": "cp1:2381"},
		Quiet:  []Series{fsync("0.001", "600"), fsync("0.008", "600"), fsync("4.096", "600"), fsync("+Inf", "600")},
	}})
	return append(all, from("kubelet", []Rule{
		{
			Alert: "VolumeNearlyFull", Expr: `kubelet_volume_stats_available_bytes / kubelet_volume_stats_capacity_bytes < 0.05`, For: "5m", Severity: "critical",
			Summary: "claim {{ $labels.persistentvolumeclaim }} in {{ $labels.namespace }} has less than 5 % left",
			Reason:  "databases stop, and copy-on-write storage slows down, before a volume is full",
			Next:    "kubectl -n NAMESPACE get pvc",
			Fires:   []Series{constant("kubelet_volume_stats_available_bytes"+claim, "1e9"), constant("kubelet_volume_stats_capacity_bytes"+claim, "1e11")},
			Labels:  map[string]string{"instance": "worker-2:10250", "namespace": "db", "persistentvolumeclaim": "data"},
			Quiet:   []Series{constant("kubelet_volume_stats_available_bytes"+claim, "5e10"), constant("kubelet_volume_stats_capacity_bytes"+claim, "1e11")},
		},
		{
			Alert: "KubeletRelistSlow", Expr: `histogram_quantile(0.99, sum by (instance, le) (rate(kubelet_pleg_relist_duration_seconds_bucket[5m]))) >= 5`, For: "10m", Severity: "warning",
			Summary: "the kubelet on {{ $labels.instance }} takes more than 5 s to relist its pods",
			Reason:  "after 3 min without a list the node is NotReady; the usual cause is a disk that keeps the container runtime waiting",
			Next:    "assay diagnose",
			Fires:   []Series{pleg("1", "0"), pleg("10", "60"), pleg("+Inf", "60")}, Labels: map[string]string{"instance": "worker-2:10250"},
			Quiet: []Series{pleg("1", "60"), pleg("10", "60"), pleg("+Inf", "60")},
		},
	})...)
}

// fsync returns how long 99 % of the flushes of etcd's log may take, and why.
func (c Cluster) fsync() (limit float64, why string) {
	const guide = .01 // s, from etcd's hardware guide
	worst := 0.
	if c.Run != nil {
		for _, r := range c.Run.Results {
			if strings.Contains(r.Trial.Case, "etcd") {
				for _, v := range r.Values("storage.sync.latency.p99") {
					worst = max(worst, v)
				}
			}
		}
	}
	if 2*worst > guide {
		return 2 * worst, fmt.Sprintf("twice the %.1f ms measured in run %s, since these drives never reach the 10 ms of etcd's guide: they are too slow for etcd", 1000*worst, c.Run.ID)
	}
	return guide, "10 ms: etcd's hardware guide asks for a p99 below that"
}

package watch

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay"
)

const basics = "H 100\nG 4096\nU 1\nC cpu 1 2 3 4\n"

// Lines of a 6.18 with both cgroup hierarchies mounted, of a 6.8 with only the
// second in a pod that has limits, and of a 4.19 without PSI.
const (
	lines618 = basics + `proc/loadavg:9.41 9.92 11.98 5/275 5278
proc/pressure/cpu:some avg10=72.51 avg60=76.96 avg300=69.21 total=3277449751
proc/pressure/cpu:full avg10=0.00 avg60=0.00 avg300=0.00 total=0
proc/pressure/io:some avg10=2.30 avg60=5.36 avg300=7.85 total=442488572
proc/pressure/io:full avg10=0.06 avg60=0.44 avg300=1.29 total=27452481
proc/pressure/memory:some avg10=0.00 avg60=0.00 avg300=0.00 total=0
proc/pressure/memory:full avg10=0.00 avg60=0.00 avg300=0.00 total=0
proc/vmstat:pswpin 7
proc/vmstat:pswpout 12
proc/vmstat:oom_kill 0
proc/spl/kstat/zfs/arcstats:demand_data_hits                4    56220773
proc/spl/kstat/zfs/arcstats:demand_data_iohits              4    252050
proc/spl/kstat/zfs/arcstats:demand_data_misses              4    1220652
proc/spl/kstat/zfs/arcstats:prefetch_data_misses            4    48141873
proc/net/dev:    lo: 1272755457  142877    0    0    0     0          0         0 1272755457  142877    0    0    0     0       0          0
proc/net/dev:  eth0: 765268020   45538    1    2    0     0          0         0  3410629   33922    3    4    0     0       0          0
sys/class/net/eth0/carrier_changes:6
sys/class/net/lo/carrier_changes:0
sys/class/net/gone/carrier_changes:9
proc/net/snmp:Ip: 2 64 426455 0 0 0 0 0 426273 380182 0 209 0 0 0 0 0 0 0 380182
proc/net/snmp:Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors
proc/net/snmp:Tcp: 1 200 120000 -1 6308 1907 466 987 1 419705 423387 339 0 3117 0
sys/fs/cgroup/cpu/cpu.stat:nr_periods 40
sys/fs/cgroup/cpu/cpu.stat:nr_throttled 31
sys/fs/cgroup/cpu/cpu.stat:throttled_time 2500000000
sys/fs/cgroup/unified/cpu.stat:usage_usec 7632453972
`
	lines68 = basics + `proc/loadavg:0.20 0.18 0.12 1/80 11206
proc/pressure/cpu:some avg10=0.00 avg60=0.00 avg300=0.00 total=5
proc/pressure/io:some avg10=0.00 avg60=0.00 avg300=0.00 total=6
proc/pressure/io:full avg10=0.00 avg60=0.00 avg300=0.00 total=4
proc/pressure/memory:some avg10=0.00 avg60=0.00 avg300=0.00 total=3
proc/pressure/memory:full avg10=0.00 avg60=0.00 avg300=0.00 total=2
sys/fs/cgroup/kubepods.slice:cri-containerd:abc/cpu.stat:usage_usec 100
sys/fs/cgroup/kubepods.slice:cri-containerd:abc/cpu.stat:nr_periods 10
sys/fs/cgroup/kubepods.slice:cri-containerd:abc/cpu.stat:nr_throttled 4
sys/fs/cgroup/kubepods.slice:cri-containerd:abc/cpu.stat:throttled_usec 1500000
sys/fs/cgroup/kubepods.slice:cri-containerd:abc/memory.events.local:high 0
sys/fs/cgroup/kubepods.slice:cri-containerd:abc/memory.events.local:max 9
sys/fs/cgroup/kubepods.slice:cri-containerd:abc/memory.events.local:oom_kill 1
sys/fs/cgroup/cpu.stat:usage_usec 300
sys/fs/cgroup/memory.events.local:high 2
sys/fs/cgroup/memory.events.local:max 1
`
	lines419 = basics + "proc/loadavg:0.20 0.18 0.12 2/80 11206\nproc/net/dev:eth0:1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
)

func TestParseCounters(t *testing.T) {
	full := func(v float64) *float64 { return &v }
	resent := int64(339)
	for name, c := range map[string]struct {
		in   string
		want assay.Snapshot
	}{
		"6.18, both hierarchies": {lines618, assay.Snapshot{
			Runnable: 5, Retransmits: &resent,
			Pressure: &assay.Pressure{CPU: 3277.449751, IO: 442.488572, IOFull: full(27.452481), MemoryFull: full(0)},
			Quota:    &assay.QuotaCounts{Periods: 40, Throttled: 31, Time: 2.5},
			Swap:     &assay.SwapCounts{In: 7 << 12, Out: 12 << 12},
			ARC:      &assay.ARCCounts{Reads: 56220773 + 252050 + 1220652, Drive: 1220652 + 48141873},
			NICs: map[string]assay.NICCounts{"eth0": {RxBytes: 765268020, RxPackets: 45538, RxErrors: 1, RxDrops: 2,
				TxBytes: 3410629, TxPackets: 33922, TxErrors: 3, TxDrops: 4, CarrierChanges: 6}},
		}},
		"6.8, in a pod with limits": {lines68, assay.Snapshot{
			Runnable: 1,
			Pressure: &assay.Pressure{CPU: 5e-6, IO: 6e-6, IOFull: full(4e-6), Memory: 3e-6, MemoryFull: full(2e-6)},
			Quota:    &assay.QuotaCounts{Periods: 10, Throttled: 4, Time: 1.5},
			Limits:   &assay.LimitCounts{High: 2, Max: 10, OOMKills: 1},
		}},
		"4.19, without PSI": {lines419, assay.Snapshot{
			Runnable: 2,
			NICs: map[string]assay.NICCounts{"eth0": {RxBytes: 1, RxPackets: 2, RxErrors: 3, RxDrops: 4,
				TxBytes: 9, TxPackets: 10, TxErrors: 11, TxDrops: 12}},
		}},
		"no limit, the controllers off": {basics + "sys/fs/cgroup/user.slice/cpu.stat:usage_usec 5\n", assay.Snapshot{Quota: &assay.QuotaCounts{}}},
		"nothing":                       {basics, assay.Snapshot{}},
		"what cannot be read": {basics + "proc/pressure/cpu:some total=\nproc/loadavg:1 2 3\nproc/vmstat:pswpin x\nproc/vmstat:pswpout 5\n" +
			"sys/fs/cgroup/cpu.stat:nr_throttled -5\nelsewhere/cpu.stat:nr_throttled 5\nproc/net/dev:eth0: 1 2\nsys/class/net/eth0/carrier_changes:-1\nsys/class/net/carrier_changes:4\nproc/net/snmp:Tcp: RetransSegs\nproc/net/snmp:Tcp: x\n", assay.Snapshot{}},
	} {
		got, _, err := parseSnapshot([]byte(c.in))
		if err != nil {
			t.Fatal(err)
		}
		// The rest has its own tests.
		c.want.Uptime, c.want.CPU, c.want.Kernel, c.want.Throttles, c.want.Devices = got.Uptime, got.CPU, got.Kernel, got.Throttles, got.Devices
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestTicksHavePressure(t *testing.T) {
	ticks := ParseTicks([]byte("H 100\nU 1\nproc/loadavg:1 1 1 4/9 8\nproc/pressure/cpu:some total=10\nproc/pressure/io:some total=20\nproc/pressure/memory:some total=30\n.\nU 2\n.\n"), nil)
	if len(ticks) != 2 {
		t.Fatalf("%d ticks", len(ticks))
	}
	if diff := cmp.Diff(&assay.Pressure{CPU: 10e-6, IO: 20e-6, Memory: 30e-6}, ticks[0].Pressure); diff != "" || ticks[0].Runnable != 4 {
		t.Errorf("%d runnable, pressure %s", ticks[0].Runnable, diff)
	}
	if ticks[1].Pressure != nil || ticks[1].Runnable != 0 {
		t.Errorf("the second look saw none of it, and has %+v", ticks[1])
	}
}

func TestInterfacesThatMovedNothingAreLeftOut(t *testing.T) {
	before, after := moved(
		map[string]assay.NICCounts{"eth0": {RxBytes: 1}, "veth1": {TxBytes: 5}, "gone": {TxBytes: 1}},
		map[string]assay.NICCounts{"eth0": {RxBytes: 1, RxDrops: 2}, "veth1": {TxBytes: 5}, "new": {RxBytes: 9}})
	if diff := cmp.Diff([]map[string]assay.NICCounts{{"eth0": {RxBytes: 1}}, {"eth0": {RxBytes: 1, RxDrops: 2}}}, []map[string]assay.NICCounts{before, after}); diff != "" {
		t.Error(diff)
	}
}

func TestBusiest(t *testing.T) {
	read := func(lines string) processes {
		_, p, err := parseSnapshot([]byte(basics + lines))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	before := read("N 10 100 5000 mysqld\nN 11 100 9000 idle one\nN 12 100 700 ids are used again\nN 13 1\nN x\n")
	after := read("N 10 100 5410 mysqld\nN 11 100 9001 idle one\nN 12 900 60 N 1 2 3 (cron)\nN 14 950 30 dpkg\nN 15 951 25 least\n" +
		"N 16 950 15 worker\nN 17 950 15 worker\nN 18 950 14 worker\n")
	// Many processes of one name that each use little are added up.
	want := []assay.ProcessTime{{Name: "mysqld", CPU: 4.1}, {Name: "N 1 2 3 (cron)", CPU: .6}, {Name: "worker", CPU: .44}}
	nearly := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
	if diff := cmp.Diff(want, after.since(before), nearly); diff != "" {
		t.Error(diff)
	}
}

// Groups above the one the commands run in may have a limit too; a group that is
// invisible in this container has no counters here.
func TestControlGroupsAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		self string
		want string // sum of the counters' numbers
	}{
		"v2":                           {"0::/user.slice/my app:1.scope\n", "16+8+4+"},
		"v2, the root":                 {"0::/\n", "4+"},
		"v2, outside of this one":      {"0::/../../other\n", "4+"},
		"v1, without a namespace":      {"4:cpuset:/x\n3:cpu,cpuacct:/docker/abc\n", "2+"},
		"v1, in a group of its own":    {"3:cpu,cpuacct:/batch\n", "1+2+"},
		"no control groups in it":      {"", ""},
		"cpuset is not the controller": {"4:cpuset:/batch\n", ""},
	} {
		root := filepath.Join(t.TempDir(), `a "fake" tree`)
		for file, text := range map[string]string{
			"proc/uptime": "1.00 1.00\n", "proc/stat": "cpu 1 2 3 4\n", "proc/self/cgroup": c.self,
			"sys/fs/cgroup/cpu.stat":                           "usage_usec 9\nnr_throttled 4\n",
			"sys/fs/cgroup/user.slice/cpu.stat":                "nr_throttled 8\n",
			"sys/fs/cgroup/user.slice/my app:1.scope/cpu.stat": "nr_throttled 16\nnr_bursts 7\n",
			"sys/fs/cgroup/cpu,cpuacct/cpu.stat":               "nr_throttled 2\n",
			"sys/fs/cgroup/cpu,cpuacct/batch/cpu.stat":         "nr_throttled 1\n",
			"sys/fs/cgroup/cpuset/batch/cpu.stat":              "nr_throttled 32\n",
		} {
			path := filepath.Join(root, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, shell := range []string{"sh", "dash", "bash", "busybox"} {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Logf("%s is not installed: not tested under it", shell)
				continue
			}
			args := []string{"-s", "--", "once", "", ""}
			if shell == "busybox" {
				args = append([]string{"sh"}, args...)
			}
			cmd := exec.Command(path, args...)
			cmd.Env = append(os.Environ(), "ASSAY_ROOT="+root)
			cmd.Stdin = strings.NewReader(string(script))
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s: %v", shell, err)
			}
			got := ""
			for _, line := range strings.Split(string(out), "\n") {
				if _, n, is := strings.Cut(line, ":nr_throttled "); is {
					got += n + "+"
				}
			}
			if got != c.want {
				t.Errorf("%s under %s: %s, want %s\n%s", name, shell, got, c.want, out)
			}
			s, _, err := parseSnapshot(out)
			if err != nil {
				t.Fatal(err)
			}
			sum := int64(0)
			for _, n := range strings.Split(strings.TrimSuffix(c.want, "+"), "+") {
				var v int64
				_, _ = fmt.Sscan(n, &v)
				sum += v
			}
			if (s.Quota != nil) != (c.want != "") || s.Quota != nil && s.Quota.Throttled != sum {
				t.Errorf("%s under %s: %+v, want %d", name, shell, s.Quota, sum)
			}
		}
	}
}

func TestOfThisMachine(t *testing.T) {
	out, err := exec.Command("sh", "-c", "exec sh -s -- once '' '' <watch.sh").Output()
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := parseSnapshot(out)
	if err != nil {
		t.Fatal(err)
	}
	if s.Runnable < 1 {
		t.Errorf("%d tasks run, and one of them asks", s.Runnable)
	}
	if _, err := os.Stat("/proc/pressure/cpu"); err == nil && s.Pressure == nil {
		t.Error("/proc/pressure is there and was not read")
	}
	if s.Retransmits == nil || len(s.NICs) == 0 && !alone(t) {
		t.Errorf("retransmits %v, interfaces %v", s.Retransmits, s.NICs)
	}
}

// alone reports whether this machine has no interface except lo.
func alone(t *testing.T) bool {
	t.Helper()
	all, err := os.ReadDir("/sys/class/net")
	return err != nil || len(all) <= 1
}

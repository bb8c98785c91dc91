package hosts

import (
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/lab/internal/turns"
)

func TestStandardHosts(t *testing.T) {
	for n := 1; n <= 8; n++ {
		all := Standard(n)
		if err := check(all); err != nil {
			t.Errorf("%d: %v", n, err)
		}
		slow, hot, still, lazy := 0, 0, 0, 0
		for _, h := range all {
			slow += one(h.Link == gigabit)
			hot += one(h.Rise > 10 && h.Labels["cooling"] == "stock")
			still += one(!h.Sudo)
			lazy += one(h.Disk.Rate < 100*mebibyte)
		}
		if slow != 1 || hot != 1 || still != 1 || lazy != 1 {
			t.Errorf("%d hosts: %d slow links, %d hot, %d without sudo, %d slow disks; want one of each", n, slow, hot, still, lazy)
		}
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestHostsThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		name  string
		wrong func([]Host)
	}{
		{"cannot be the name", func(h []Host) { h[0].Name = "a;reboot" }},
		{"cannot be the name", func(h []Host) { h[0].Name = "../x" }},
		{"cannot be the name", func(h []Host) { h[1].Name = laptop }},
		{"two hosts", func(h []Host) { h[1].Name = "host1" }},
		{"a link of 0", func(h []Host) { h[1].Link = 0 }},
		{"a disk of 1", func(h []Host) { h[1].Disk.Bytes = 1 }},
	} {
		all := Standard(2)
		c.wrong(all)
		if err := check(all); err == nil || !strings.Contains(err.Error(), c.name) {
			t.Errorf("got %v, want %q", err, c.name)
		}
	}
	if check(nil) == nil || check(Standard(most+1)) == nil {
		t.Error("no host at all, or more than there are addresses for")
	}
}

func TestLogIn(t *testing.T) {
	t.Parallel()
	l := up(t, Standard(4))
	config, err := os.ReadFile(l.Config())
	if err != nil || strings.Contains(string(config), "StrictHostKeyChecking no") || strings.Contains(string(config), "/dev/null") {
		t.Errorf("host keys are not checked: %v\n%s", err, config)
	}
	boots := map[string]string{}
	for _, h := range l.Hosts() {
		got := mustSSH(t, l, h.Name, "hostname; id -un; cat /etc/hostname")
		if want := h.Name + "\n" + User + "\n" + h.Name; got != want {
			t.Errorf("%s: got %q, want %q", h.Name, got, want)
		}
		out, err := ssh(t, l, h.Name, "sudo -n id -u")
		if h.Sudo && (err != nil || out != "0") || !h.Sudo && err == nil {
			t.Errorf("%s: sudo %v: %q, %v", h.Name, h.Sudo, out, err)
		}
		if got := mustSSH(t, l, "root@"+l.Address(h.Name, Management), "id -u"); got != "0" {
			t.Errorf("%s: root is %s", h.Name, got)
		}
		boot := mustSSH(t, l, h.Name, "cat /proc/sys/kernel/random/boot_id")
		if boots[boot] != "" {
			t.Errorf("%s and %s have the same boot id", h.Name, boots[boot])
		}
		boots[boot] = h.Name
	}
}

func TestHostsAreApart(t *testing.T) {
	l := up(t, Standard(2))
	ctx := testContext(t)
	if _, err := l.Run(ctx, "host1", "sh", "-c", "setsid sleep 4242 </dev/null >/dev/null 2>&1 & echo x >/usr/bin/of-host1; echo x >/etc/of-host1; rm /usr/bin/env"); err != nil {
		t.Fatal(err)
	}
	if got := mustSSH(t, l, "host1", "ps -eo args; ls /usr/bin/of-host1; ls /usr/bin/env || echo none"); !strings.Contains(got, "sleep 4242") || !strings.Contains(got, "none") {
		t.Fatalf("host1 does not see its own doings:\n%s", got)
	}
	if got := mustSSH(t, l, "host2", "ps -eo args; ls /usr/bin/of-host1 /etc/of-host1; /usr/bin/env true && echo env || :"); strings.Contains(got, "sleep 4242") ||
		strings.Count(got, "No such file") != 2 || !strings.Contains(got, "env") {
		t.Errorf("host2 sees what host1 does:\n%s", got)
	}
	for _, file := range []string{"/usr/bin/of-host1", "/etc/of-host1"} {
		if _, err := os.Stat(file); err == nil {
			t.Errorf("a host wrote %s on this machine", file)
		}
	}
	if _, err := os.Stat("/usr/bin/env"); err != nil {
		t.Error(err)
	}
	own := loopOf(l.file("host1", "img"))
	out, err := l.Run(ctx, "host1", "sh", "-c", "find /dev -type b; ls /sys/class/block /sys/block")
	if want := "/dev/" + own + "\n/sys/block:\n" + own + "\n\n/sys/class/block:\n" + own + "\n"; err != nil || out != want {
		t.Errorf("the block devices of host1: %v\n%swant\n%s", err, out, want)
	}
	if out, err := l.Run(ctx, "host1", "ip", "route", "get", "192.0.2.1"); err == nil {
		t.Errorf("a host has a way out: %s", out)
	}
}

func TestNetworks(t *testing.T) {
	t.Parallel()
	l := up(t, Standard(4))
	for _, h := range l.Hosts() {
		var pings []string
		for _, other := range l.Hosts() {
			for _, network := range []string{Management, Storage, Ring} {
				pings = append(pings, "ping -q -n -c1 -W5 "+l.Address(other.Name, network))
			}
		}
		mustSSH(t, l, h.Name, strings.Join(pings, " && "))
	}
	for _, c := range []struct{ from, to, want string }{
		{"host1", "host2", "dev " + nextNIC + " src"},
		{"host1", "host4", "dev " + previousNIC + " src"},
		{"host1", "host3", "via " + l.Address("host2", Ring)},
		{"host4", "host1", "dev " + nextNIC + " src"},
	} {
		got := mustSSH(t, l, c.from, "ip route get "+l.Address(c.to, Ring))
		if !strings.Contains(got, c.want) {
			t.Errorf("%s to %s on the ring: %s; want %s", c.from, c.to, got, c.want)
		}
	}
	for host, want := range map[string]string{"host1": "10000 10000 10000 1000", "host3": "10000 10000 1000 10000", "host4": "1000 1000 1000 1000"} {
		got := strings.Join(strings.Fields(mustSSH(t, l, host, "cd /sys/class/net; cat eth0/speed eth1/speed eth2/speed eth3/speed")), " ")
		if got != want {
			t.Errorf("%s: the links say %s Mb/s, want %s", host, got, want)
		}
	}
}

func TestLinkRates(t *testing.T) {
	l := up(t, Standard(4))
	if _, err := exec.LookPath("iperf3"); err != nil {
		t.Skip("no iperf3")
	}
	// Goodput of a 1 Gb/s cable: 1448 B of each 1538 B on the wire.
	const ceiling = 1e9 * 1448 / 1538
	// What the slow cable can't carry; a busy machine falls far short of 10 Gb/s.
	const beyond = 1.1 * ceiling
	slow := bits(t, l, "host1", "host4", Storage, ceiling/2)
	fast := bits(t, l, "host1", "host2", Storage, beyond)
	ring := bits(t, l, "host3", "host4", Ring, ceiling/2)
	for name, got := range map[string]float64{"host4": slow, "host4 on the ring": ring} {
		if got > ceiling*1.005 || got < ceiling*0.5 {
			t.Errorf("to %s: %.3g bit/s; a link of 1 Gb/s carries %.4g", name, got, ceiling)
		}
	}
	if fast < beyond || fast > 10.05*ceiling {
		t.Errorf("to host2: %.3g bit/s over 10 Gb/s; over 1 Gb/s, host4 got %.3g", fast, slow)
	}
}

// bits returns TCP goodput in bit/s: the best of several tries until it reaches
// enough, as others may use the CPU.
func bits(t *testing.T, l *Lab, from, to, network string, enough float64) (best float64) {
	t.Helper()
	for range tries {
		if best = max(best, bitsOnce(t, l, from, to, network)); best >= enough {
			break
		}
	}
	return best
}

// tries is how often to repeat measurements that a busy machine slows down.
const tries = 6

// bitsOnce returns TCP goodput as counted by the receiver.
func bitsOnce(t *testing.T, l *Lab, from, to, network string) float64 {
	t.Helper()
	address := l.Address(to, network)
	mustSSH(t, l, to, "iperf3 -s -1 -D --bind "+address+" --pidfile /tmp/server; until [ -s /tmp/server ]; do sleep 0.02; done")
	var report struct {
		End struct {
			Sum struct {
				Bits float64 `json:"bits_per_second"`
			} `json:"sum_received"`
		} `json:"end"`
	}
	text := mustSSH(t, l, from, "iperf3 -J -t 2 -O 1 -c "+address)
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return report.End.Sum.Bits
}

func TestDiskRates(t *testing.T) {
	l := up(t, Standard(3))
	const size = 32 * mebibyte
	times := map[string]time.Duration{}
	for _, host := range []string{"host3", "host1"} {
		for range tries {
			began := time.Now()
			mustSSH(t, l, host, "dd if=/dev/zero of="+BenchDir+"/f bs=1M count=32 conv=fsync")
			times[host] = time.Since(began)
			mustSSH(t, l, host, "rm "+BenchDir+"/f")
			if host == "host3" || times[host] < times["host3"] {
				break
			}
		}
	}
	slowest := time.Duration(float64(size) / float64(l.Hosts()[2].Disk.Rate) * float64(time.Second))
	if times["host3"] < slowest*8/10 {
		t.Errorf("the slow disk took %v for what its bound gives %v", times["host3"], slowest)
	}
	if times["host1"] > times["host3"] {
		t.Errorf("the slow disk took %v, another %v", times["host3"], times["host1"])
	}
}

func TestTheHotHostGetsHot(t *testing.T) {
	turns.NotQuick(t, "the hot host")
	t.Parallel()
	l := up(t, Standard(2))
	const sensor = "/sys/class/hwmon/hwmon0/"
	celsius := func(host string) int {
		n, err := strconv.Atoi(mustSSH(t, l, host, "cat "+sensor+"temp1_input"))
		if err != nil {
			t.Fatal(err)
		}
		return n / 1000
	}
	if got := mustSSH(t, l, "host2", "cat "+sensor+"temp1_label"); !strings.Contains(got, "fake") {
		t.Errorf("nothing says that the sensor is made up: %q", got)
	}
	load := "for i in $(seq $(nproc)); do setsid sh -c 'while :; do :; done' </dev/null >/dev/null 2>&1 & done"
	mustSSH(t, l, "host1", load)
	eventually(t, "host1 rises by 20 K", func() bool { return celsius("host1") > 58 })
	if cool := celsius("host2"); cool > 43 {
		t.Errorf("host2 does nothing and has %d °C", cool)
	}
	mustSSH(t, l, "host2", load)
	eventually(t, "host2 rises by 6 K", func() bool { return celsius("host2") > 44 })
	if warm := celsius("host2"); warm > 48 {
		t.Errorf("host2 rose to %d °C: by more than 10 K", warm)
	}
}

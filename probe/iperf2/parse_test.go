package iperf2

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

const (
	mb = 1 << 20
	gb = 1 << 30
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		file, job string
		rate      float64 // bit/s
		rest      map[string]float64
		labels    string // key=value, "key=" for none
		samples   int
		line      int
	}{
		{"tcp-2.0.5.txt", "", 942e6, map[string]float64{"net.tcp.bytes": 1.10 * gb, "tool.duration": 10},
			"tool=iperf2 protocol=tcp role=client side=sender direction=forward streams=1 from=10.0.0.50 to=10.0.0.126 job=", 0, 7},
		{"dual-2.0.5.txt", "forward", 938e6, map[string]float64{"net.tcp.bytes": 1.09 * gb, "tool.duration": 10}, "side=sender from=10.0.0.50 to=10.0.0.126", 0, 12},
		{"dual-2.0.5.txt", "reverse", 930e6, map[string]float64{"net.tcp.bytes": 1.08 * gb, "tool.duration": 10}, "side=receiver from=10.0.0.126 to=10.0.0.50 role=client", 0, 13},
		{"interval-2.0.14.txt", "", (1.35 + 1.80 + 1.80 + 1.62 + 1.69) * 1e9 / 5, map[string]float64{"net.tcp.bytes": (161 + 214 + 215 + 193 + 201) * mb, "tool.duration": 5}, "summary=none", 5, 11},
		{"server-parallel-2.1.txt", "", 36.8e9, map[string]float64{"net.tcp.bytes": 42.9 * gb, "tool.duration": 10.0119}, "streams=8 side= from= direction=", 0, 12},
		{"interval-2.1.8.txt", "", 15.8e9, map[string]float64{"net.tcp.bytes": 5.54 * gb, "net.tcp.mss": 32741, "tool.duration": 3.0159}, "summary=", 3, 10},
		{"parallel-2.1.8.txt", "", 39e9, map[string]float64{"net.tcp.bytes": 9.09 * gb, "net.tcp.mss": 32741, "tool.duration": 2.0014}, "streams=2", 2, 16},
		{"kbytes-2.1.8.txt", "", 3287160 * 1024 * 8, map[string]float64{"net.tcp.bytes": 6588544 * 1024, "net.tcp.mss": 32741, "tool.duration": 2.0043}, "", 0, 7},
		{"udp-2.1.8.txt", "", 52.4e6, map[string]float64{"net.udp.jitter": 0, "net.udp.loss": 0, "tool.duration": 2}, "protocol=udp side=receiver role=client", 2, 14},
		{"udp-parallel-2.1.8.txt", "", 42e6, map[string]float64{"net.udp.jitter": 0, "net.udp.loss": 0, "tool.duration": 2.0009}, "streams=2 side=receiver", 0, 19},
		{"server-udp-parallel-2.1.8.txt", "", 42e6, map[string]float64{"net.udp.jitter": 1e-6, "net.udp.loss": 0, "tool.duration": 2.0009}, "streams=2 side=receiver role=server", 0, 11},
		{"enhanced-2.1.8.txt", "", 14.3e9, map[string]float64{"net.tcp.bytes": 3.33 * gb, "net.tcp.retransmits": 11, "net.tcp.cwnd": 1023 << 10, "net.tcp.rtt": 341e-6, "net.tcp.mss": 32741, "tool.duration": 2.0023}, "from=127.0.0.1", 2, 11},
		{"enhanced-2.2.1.txt", "", 23.1e9, map[string]float64{"net.tcp.bytes": 5.38 * gb, "net.tcp.retransmits": 8, "net.tcp.cwnd": 895 << 10, "net.tcp.rtt": 51e-6, "net.tcp.mss": 32741, "tool.duration": 2.0009}, "", 2, 12},
		{"enhanced-udp-2.2.1.txt", "", 21e6, map[string]float64{"net.udp.jitter": 0, "net.udp.loss": 0, "tool.duration": 2.0010}, "", 2, 15},
		{"dual-2.1.8.txt", "forward", 19.8e9, map[string]float64{"net.tcp.bytes": 4.64 * gb, "net.tcp.mss": 32741, "tool.duration": 2.0159}, "from=127.0.0.1 to=127.0.0.2 side=sender", 2, 17},
		{"dual-2.1.8.txt", "reverse", 18.9e9, map[string]float64{"net.tcp.bytes": 4.41 * gb, "net.tcp.mss": 32741, "tool.duration": 2.0008}, "to=127.0.0.1 side=receiver", 2, 16},
		{"server-dual-2.1.8.txt", "reverse", 18.8e9, map[string]float64{"net.tcp.bytes": 4.41 * gb, "net.tcp.mss": 32741, "tool.duration": 2.0149}, "to=127.0.0.1 side=sender role=server", 0, 13},
		{"tradeoff-2.1.8.txt", "reverse", 22.2e9, map[string]float64{"net.tcp.bytes": 5.17 * gb, "net.tcp.mss": 32741, "tool.duration": 2.0001}, "side=receiver role=client", 0, 14},
		{"server-tradeoff-2.1.8.txt", "forward", 22.2e9, map[string]float64{"net.tcp.bytes": 5.18 * gb, "net.tcp.mss": 32741, "tool.duration": 2.0003}, "side=receiver role=server", 0, 7},
		{"fullduplex-2.1.8.txt", "reverse", 10.4e9, map[string]float64{"net.tcp.bytes": 2.42 * gb, "net.tcp.mss": 32741, "tool.duration": 2.0021}, "side=receiver role=client", 2, 11},
		{"server-fullduplex-2.1.8.txt", "forward", 10.4e9, map[string]float64{"net.tcp.bytes": 2.43 * gb, "tool.duration": 2.0020}, "side=receiver role=server", 0, 7},
		{"reverse-2.1.8.txt", "", 22.4e9, map[string]float64{"net.tcp.bytes": 5.21 * gb, "net.tcp.mss": 32741, "tool.duration": 2.0010}, "direction=reverse side=receiver role=client", 2, 9},
		{"server-reverse-2.1.8.txt", "", 22.2e9, map[string]float64{"net.tcp.bytes": 5.21 * gb, "tool.duration": 2.0118}, "direction=reverse side=sender role=server", 0, 7},
		{"server-twice-2.1.8.txt", "2", 13.4e9, map[string]float64{"net.tcp.bytes": 1.56 * gb, "tool.duration": 1.0005}, "from=127.0.0.3 to=127.0.0.2 side=receiver", 0, 10},
		{"comma-parallel-2.1.8.txt", "", 826184087 + 315669000, map[string]float64{"net.tcp.bytes": 223608892 + 87160078, "tool.duration": 2.2}, "streams=2 direction=forward side= role=", 0, 6},
		{"comma-server-2.1.8.txt", "3", 316476920, map[string]float64{"net.tcp.bytes": 87160078, "tool.duration": 2.2}, "streams=1 from=127.0.0.1 side=", 0, 3},
		{"comma-tradeoff-2.0.5.txt", "2", 41999020136, map[string]float64{"net.tcp.bytes": 52551090200, "tool.duration": 10}, "direction=reverse side=", 0, 2},
		{"comma-udp-2.1.8.txt", "", 16330668, map[string]float64{"tool.duration": 2.3}, "protocol=udp", 0, 1},
		{"comma-server-udp-2.1.8.txt", "", 13038612, map[string]float64{"net.udp.jitter": 2e-6, "net.udp.loss": 679. / 3243, "tool.duration": 2.3}, "protocol=udp", 0, 1},
		{"interrupted-2.1.8.txt", "", 21.4e9, map[string]float64{"net.tcp.bytes": 5.98 * gb, "net.tcp.mss": 32741, "tool.duration": 2.4018}, "", 3, 10},
	} {
		t.Run(c.file+c.job, func(t *testing.T) {
			all, err := New().Parse(captured.Output(captured.Text(t, c.file), ""))
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]assay.Measurement{}
			for _, m := range all {
				if m.Labels["job"] == c.job {
					got[m.Metric] = m
				}
			}
			head := got["net.tcp.throughput"]
			if head.Metric == "" {
				head = got["net.udp.throughput"]
			}
			near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
			if !near(head.Value*8, c.rate) || head.Line != c.line || len(head.Samples) != c.samples || len(got) != len(c.rest)+1 {
				t.Errorf("%v bit/s on line %d with %d samples and %d more, want %v on %d with %d and %d",
					head.Value*8, head.Line, len(head.Samples), len(got)-1, c.rate, c.line, c.samples, len(c.rest))
			}
			for metric, want := range c.rest {
				if m, ok := got[metric]; !ok || !near(m.Value, want) {
					t.Errorf("%s = %v, want %v", metric, m.Value, want)
				}
			}
			for _, pair := range strings.Fields(c.labels) {
				if key, want, _ := strings.Cut(pair, "="); head.Labels[key] != want {
					t.Errorf("label %s is %q, want %q", key, head.Labels[key], want)
				}
			}
		})
	}
}

func TestCommand(t *testing.T) {
	for command, want := range map[string]string{
		"":                                 "",
		"iperf -c h -u":                    "1048576",
		"iperf -c h -u -b 0":               "",
		"iperf -c h -b1g -u":               "1000000000",
		"iperf -u --bandwidth=50m,2m -c h": "50000000",
	} {
		all, err := New().Parse(captured.Output(captured.Text(t, "udp-2.1.8.txt"), command))
		if err != nil || all[0].Labels["target_bitrate"] != want {
			t.Errorf("%s: %q, want %q; %v", command, all[0].Labels["target_bitrate"], want, err)
		}
	}
}

func TestNoise(t *testing.T) {
	plain, err := New().Parse(captured.Output(captured.Text(t, "dual-2.0.5.txt"), ""))
	if err != nil {
		t.Fatal(err)
	}
	noisy := strings.ReplaceAll(captured.Text(t, "dual-2.0.5.txt"), "\n", "\r\n") +
		"chad:~$ ping 10.0.0.126\r\nIt reaches 940 Mbits/sec! [1] see below 5.0 MBytes/sec\r\nrtt min/avg/max/mdev = 0.1/0.2/0.3/0.1 ms\r\n"
	got, err := New().Parse(captured.Output(noisy, ""))
	if err != nil || len(got) != len(plain) {
		t.Fatalf("%d measurements, want %d; %v", len(got), len(plain), err)
	}
	for i := range got {
		if got[i].Value != plain[i].Value || got[i].Line != plain[i].Line {
			t.Errorf("%v, want %v", got[i], plain[i])
		}
	}
}

// With only the sum, the number of streams is unknown.
func TestOnlyTheSum(t *testing.T) {
	all, err := New().Parse(captured.Output("[SUM] 0.0000-10.0119 sec  42.9 GBytes  36.8 Gbits/sec\n", ""))
	if err != nil || all[0].Value*8 != 36.8e9 || all[0].Labels["streams"] != "" {
		t.Errorf("%v, %v", all, err)
	}
}

// A UDP client that got no report back knows what it sent, not what arrived.
func TestWithoutReport(t *testing.T) {
	text, _, _ := strings.Cut(captured.Text(t, "udp-2.1.8.txt"), "[  1] Server Report:")
	all, err := New().Parse(captured.Output(text+"[  1] WARNING: did not receive ack of last datagram after 10 tries.\n", ""))
	if err != nil || all[0].Labels["side"] != "sender" || len(all) != 2 {
		t.Errorf("%v, %v", all, err)
	}
}

func TestTruncated(t *testing.T) {
	for _, name := range []string{"interval-2.1.8.txt", "dual-2.1.8.txt", "udp-2.1.8.txt"} {
		whole := captured.Text(t, name)
		for n := range len(whole) {
			all, err := New().Parse(captured.Output(whole[:n], ""))
			if (err == nil) == (len(all) == 0) {
				t.Fatalf("%s cut at %d: %d measurements and %v", name, n, len(all), err)
			}
		}
	}
	whole := captured.Text(t, "interval-2.1.8.txt")
	all, err := New().Parse(captured.Output(whole[:strings.LastIndex(whole, "[  1]")], ""))
	if err != nil || math.Abs(all[0].Value*8/((7.06+14.2+26.4)*1e9/3)-1) > 1e-9 || all[0].Labels["summary"] != "none" {
		t.Errorf("without its last line: %v, %v", all, err)
	}
}

func TestParseRefuses(t *testing.T) {
	tcp := captured.Text(t, "tcp-2.0.5.txt")
	for name, c := range map[string]struct{ text, says string }{
		"no server":      {captured.Text(t, "error-2.1.8.txt"), "line 5: tcp connect failed: Connection refused"},
		"no server, new": {captured.Text(t, "error-2.2.1.txt"), "line 5: [  1] tcp connect to 127.0.0.1 port 1 failed (Connection refused)"},
		"nothing moved":  {strings.NewReplacer("1.10 GBytes", "0.00 Bytes", "942 Mbits", "0.00 bits").Replace(tcp), "line 7: nothing was transferred"},
		"only a head":    {tcp[:strings.Index(tcp, "[ ID]")], "the output has no line of its table"},
		"backwards":      {strings.ReplaceAll(tcp, " 0.0-10.0", "20.0-10.0"), "before it starts"},
		"negative loss":  {strings.ReplaceAll(captured.Text(t, "udp-2.1.8.txt"), "0/8910", "-7/8910"), "-7 of 8910 datagrams lost"},
		"huge":           {strings.ReplaceAll(tcp, "942 Mbits", strings.Repeat("9", 400)+" Mbits"), "is not a valid measurement"},
		"both protocols": {tcp + captured.Text(t, "udp-2.1.8.txt"), "TCP and UDP in one output"},
		"empty":          {"", "printed no usable output"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := New().Parse(captured.Output(c.text, ""))
			if err == nil {
				t.Fatalf("gave %v", got)
			}
			if !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "iperf2") {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
	if _, err := New().Parse(assay.Transcript{}); !errors.Is(err, assay.ErrNoOutput) {
		t.Errorf("no step: %v", err)
	}
}

// cut splits a log into outputs as a reader that knows only this format does.
func cut(log string) []string {
	var all []string
	var open strings.Builder
	for line := range strings.Lines(log) {
		bare := strings.TrimRight(line, "\n")
		if begins(bare) && open.Len() > 0 && splits([]byte(open.String()), bare) {
			all = append(all, open.String())
			open.Reset()
		}
		if begins(bare) || open.Len() > 0 {
			open.WriteString(line)
		}
	}
	return append(all, open.String())
}

func TestSplits(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		if n := len(cut(captured.Text(t, filepath.Base(file)))); n != 1 {
			t.Errorf("%s is %d outputs", file, n)
		}
	}
	var got []int
	for _, text := range cut(captured.Text(t, "tcp-2.0.5.txt") + captured.Text(t, "dual-2.0.5.txt") + captured.Text(t, "tcp-2.1.8.txt") + captured.Text(t, "dual-2.1.8.txt")) {
		all, err := New().Parse(captured.Output(text, ""))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, m := range all {
			if m.Metric == "net.tcp.throughput" {
				n++
			}
		}
		got = append(got, n)
	}
	if !slices.Equal(got, []int{1, 2, 1, 2}) {
		t.Errorf("flows of each output: %v", got)
	}
}

func TestBegins(t *testing.T) {
	for _, line := range []string{
		"Client connecting to 10.0.0.1, TCP port 5001", "Server listening on UDP port 5001", "Client connecting to 127.0.0.1, TCP port 42946 with pid 13618 (1/0 flows/load)",
		"[  3] local 10.0.0.1 port 54678 connected with 10.0.0.2 port 5001", "[ *2] local 127.0.0.1%lo port 41224 connected with 127.0.0.1 port 49517 (reverse)",
		"[  3]  0.0-10.0 sec  1.10 GBytes   942 Mbits/sec", "[  3] 10.0-20.0 sec  1.10 GBytes   942 Mbits/sec",
		"[ *1] 0.0000-1.0000 sec  1.20 GBytes  10.3 Gbits/sec", "[SUM] 0.0000-1.0000 sec  4.01 GBytes  34.5 Gbits/sec", "[  1] 0.00-1.00 sec   161 MBytes  1.35 Gbits/sec",
	} {
		if !begins(line) {
			t.Errorf("does not open: %q", line)
		}
	}
	for _, line := range []string{
		"", "Connecting to host 10.0.0.1, port 5201", "Server listening on 5201", "Client connecting to the server failed", "iperf -s",
		"[  5] local 10.0.0.1 port 54678 connected to 10.0.0.2 port 5201", "[ ID] Interval       Transfer     Bandwidth",
		"[  5]   0.00-1.00   sec  1.09 GBytes  9.38 Gbits/sec   33   1.21 MBytes", "[  5]   9.00-10.00  sec  1.09 GBytes  9.38 Gbits/sec",
		"[  5] 100.00-101.00 sec  1.09 GBytes  9.38 Gbits/sec    0   1.21 MBytes", "[ 5] 0.00-1.00 sec 1.09 GBytes 9.38 Gbits/sec 33 1.21 MBytes",
		"[  5] 0.00-60.01 sec  12.9 GBytes  1.85 Gbits/sec  0.000 ms  0/9514987 (0%)   sender", "[ 15] 0.00-10.00 sec  9.43 GBytes  8103 Mbits/sec           receiver",
		"We got [1] 0.0-10.0 sec of it", "------------------------------------------------------------",
	} {
		if begins(line) {
			t.Errorf("opens: %q", line)
		}
	}
}

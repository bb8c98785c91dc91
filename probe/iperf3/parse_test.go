package iperf3

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

const (
	kb = 1 << 10
	mb = 1 << 20
	gb = 1 << 30
)

// expected is what a human reads in one direction of a file.
type expected struct {
	file, job string
	rate      float64 // bit/s
	rest      map[string]float64
	labels    string // key=value, "key=" for none
	samples   int
	line      int
}

var expectations = []expected{
	{"tcp-3.12.txt", "", 25.2e9, map[string]float64{"net.tcp.retransmits": 4, "net.tcp.bytes": 8.79 * gb, "net.tcp.cwnd": 895 * kb, "tool.duration": 3},
		"tool=iperf3 protocol=tcp role=client side=receiver direction=forward streams=1 from=127.0.0.1 to=127.0.0.1 summary= job= omit=", 3, 10},
	{"lacp-1.txt", "", 9.37e9, map[string]float64{"net.tcp.retransmits": 34, "net.tcp.bytes": 10.9 * gb, "net.tcp.cwnd": 1.29 * mb, "tool.duration": 10},
		"from=10.100.3.101 to=10.100.3.103 direction=forward side=receiver", 10, 17},
	{"lacp-2.txt", "", 9.39e9, map[string]float64{"net.tcp.retransmits": 0, "net.tcp.bytes": 10.9 * gb, "net.tcp.cwnd": 1.98 * mb, "tool.duration": 10}, "from=10.100.3.102 to=10.100.3.101", 10, 17},
	{"lacp-3.txt", "", 9.36e9, map[string]float64{"net.tcp.retransmits": 34, "net.tcp.bytes": 10.9 * gb, "net.tcp.cwnd": 1.35 * mb, "tool.duration": 10}, "from=10.100.3.102 to=10.100.3.103", 10, 17},
	{"parallel-3.12.txt", "", 28e9, map[string]float64{"net.tcp.retransmits": 51, "net.tcp.bytes": 6.54 * gb, "net.tcp.cwnd": (895 + 895 + 1023) * kb / 3., "tool.duration": 2}, "streams=3", 2, 24},
	{"bidir-parallel-3.12.txt", "forward", 20.5e9, map[string]float64{"net.tcp.retransmits": 0, "net.tcp.bytes": 4.77 * gb, "net.tcp.cwnd": 767 * kb, "tool.duration": 2}, "streams=2 direction=forward bidir=1", 2, 27},
	{"bidir-parallel-3.12.txt", "reverse", 2.75e9, map[string]float64{"net.tcp.retransmits": 0, "net.tcp.bytes": 665 * mb, "tool.duration": 2}, "streams=2 direction=reverse side=receiver", 2, 33},
	{"bidir-3.18.txt", "reverse", 21.8e9, map[string]float64{"net.tcp.retransmits": 0, "net.tcp.bytes": 5.09 * gb, "tool.duration": 2}, "streams=1", 2, 14},
	{"reverse-3.12.txt", "", 25.9e9, map[string]float64{"net.tcp.retransmits": 4, "net.tcp.bytes": 6.02 * gb, "tool.duration": 2}, "direction=reverse role=client job=", 2, 10},
	{"udp-3.12.txt", "", 200e6, map[string]float64{"net.udp.jitter": 5e-6, "net.udp.loss": 0, "tool.duration": 2}, "protocol=udp side=receiver", 2, 9},
	{"udp-parallel-3.12.txt", "", 100e6, map[string]float64{"net.udp.jitter": 10e-6, "net.udp.loss": 0, "tool.duration": 2}, "streams=2", 2, 19},
	{"udp-bidir-3.9.txt", "reverse", 49.7e6, map[string]float64{"net.udp.jitter": 12e-6, "net.udp.loss": 3. / 390, "tool.duration": 2.04}, "streams=1", 2, 14},
	{"udp-block-3.1.7.txt", "", 1.16e6, map[string]float64{"net.udp.jitter": 28.487952, "net.udp.loss": 0, "tool.duration": .1}, "derived=", 1, 7},
	{"udp-lossy-3.1.txt", "", 1.25e9 * (1 - 3166489./12941338), map[string]float64{"net.udp.jitter": 43e-6, "net.udp.loss": 3166489. / 12941338, "tool.duration": 120}, "streams=5 side=receiver from= role= direction=", 0, 13},
	{"blocks-3.1.txt", "", 93.2e6 * (1 - 102./996), map[string]float64{"net.udp.jitter": 93e-6, "net.udp.loss": 102. / 996, "tool.duration": .7}, "from=192.168.16.240", 1, 7},
	{"udp-folded-3.19.txt", "", 1.61e9, map[string]float64{"net.udp.jitter": 7e-6, "net.udp.loss": 1247650. / 9514406, "tool.duration": 60}, "side=receiver summary= derived=", 0, 3},
	{"udp-cut-server-3.1.txt", "", (55.1 + 33 + 28.4 + 31.1) * 1e6 / 4, map[string]float64{"net.udp.jitter": .198e-3, "net.udp.loss": (476. + 567 + 517) / (841 + 979 + 1000 + 992), "tool.duration": 10}, "summary=none side=receiver", 4, 9},
	{"omit-3.12.txt", "", 22.2e9, map[string]float64{"net.tcp.retransmits": 0, "net.tcp.bytes": 5.16 * gb, "net.tcp.cwnd": 895 * kb, "tool.duration": 2}, "omit=1", 2, 10},
	{"verbose-3.12.txt", "", 23.2e9, map[string]float64{"net.tcp.retransmits": 3, "net.tcp.bytes": 5.41 * gb, "net.tcp.cwnd": 895 * kb, "net.tcp.mss": 32768, "net.cpu": .801, "tool.duration": 2}, "version=3.12 block=131072 congestion=bbr omit=", 2, 17},
	{"verbose-3.1.7.txt", "", (888 + 941 + 941 + 942 + 942) * 1e6 / 5, map[string]float64{"net.tcp.retransmits": 0, "net.tcp.bytes": (106 + 4*112) * mb, "net.tcp.cwnd": 2.58 * mb, "net.tcp.mss": 1448, "tool.duration": 5}, "summary=none side=sender version=3.1.7", 5, 15},
	{"mbytes-3.12.txt", "", 2665 * mb * 8, map[string]float64{"net.tcp.retransmits": 7, "net.tcp.bytes": 5.21 * gb, "net.tcp.cwnd": 1023 * kb, "tool.duration": 2}, "", 2, 9},
	{"kbits-3.12.txt", "", 24418388e3, map[string]float64{"net.tcp.retransmits": 2, "net.tcp.bytes": 5.69 * gb, "net.tcp.cwnd": 895 * kb, "tool.duration": 2}, "", 2, 9},
	{"server-output-3.12.txt", "", 23.7e9, map[string]float64{"net.tcp.retransmits": 0, "net.tcp.bytes": 5.52 * gb, "net.tcp.cwnd": 3.62 * mb, "tool.duration": 2}, "role=client", 2, 9},
	{"title-3.18.txt", "", 21.6e9, map[string]float64{"net.tcp.retransmits": 11, "net.tcp.bytes": 5.04 * gb, "net.tcp.cwnd": 2.25 * mb, "tool.duration": 2}, "role=client from=127.0.0.1", 2, 9},
	{"windows-3.1.3.txt", "", 16e6, map[string]float64{"net.tcp.bytes": 19.1 * mb, "tool.duration": 10}, "from=192.168.43.44 to=192.168.43.127", 10, 17},
	{"interrupted-3.12.txt", "", 22.2e9, map[string]float64{"net.tcp.retransmits": 2, "net.tcp.bytes": 6.19 * gb, "net.tcp.cwnd": 895 * kb, "tool.duration": 2.4}, "side=sender summary=interrupted", 2, 10},
	{"killed-3.12.txt", "", 24.5e9, map[string]float64{"net.tcp.retransmits": 3, "net.tcp.bytes": 5.70 * gb, "net.tcp.cwnd": 1.12 * mb, "tool.duration": 2}, "side=sender summary=none", 2, 5},
	{"server-3.12.txt", "", 25.2e9, map[string]float64{"net.tcp.bytes": 8.79 * gb, "tool.duration": 3}, "role=server side=receiver direction=forward", 3, 13},
	{"server-reverse-3.12.txt", "", 25.9e9, map[string]float64{"net.tcp.retransmits": 4, "net.tcp.bytes": 6.02 * gb, "net.tcp.cwnd": 895 * kb, "tool.duration": 2}, "role=server side=sender direction=reverse", 2, 12},
	{"server-bidir-3.12.txt", "forward", 16.2e9, map[string]float64{"net.tcp.bytes": 3.78 * gb, "tool.duration": 2}, "role=server side=receiver", 2, 16},
	{"server-udp-3.12.txt", "", 200e6, map[string]float64{"net.udp.jitter": 5e-6, "net.udp.loss": 0, "tool.duration": 2}, "role=server", 2, 11},
	// The server divides 5.73 GBytes of 2.4 s by 2: only the intervals are right.
	{"server-interrupted-3.18.txt", "", 20.5e9, map[string]float64{"net.tcp.bytes": 4.77 * gb, "tool.duration": 2}, "summary=none side=receiver", 2, 8},

	{"tcp-3.12.json", "", 23768739296.856724, map[string]float64{"net.tcp.retransmits": 0, "net.tcp.bytes": 8915517440, "net.tcp.rtt": 41e-6, "net.tcp.cwnd": 916762, "net.tcp.mss": 32768, "net.cpu": .984925776675335, "tool.duration": 3.000754}, "version=3.12 block=131072 pmtu=65535 congestion=bbr", 3, 157},
	{"bidir-3.9.json", "forward", 21027847897.693676, map[string]float64{"net.tcp.retransmits": 12, "net.tcp.bytes": 5360844800, "net.tcp.rtt": 42e-6, "net.tcp.cwnd": 916762, "net.tcp.mss": 32768, "net.cpu": .95776931895652439, "tool.duration": 2.039522}, "version=3.9 bidir=1", 2, 194},
	{"bidir-3.9.json", "reverse", 2920762931.7065473, map[string]float64{"net.tcp.retransmits": 11, "net.tcp.bytes": 752353280, "net.tcp.rtt": 30e-6, "net.tcp.mss": 32768, "net.cpu": .95776931895652439, "tool.duration": 2.039522}, "direction=reverse", 2, 211},
	{"udp-3.1.3.json", "", 834711189.017002 * (1 - 69./9996), map[string]float64{"net.udp.jitter": 92e-6, "net.udp.loss": 69. / 9996, "net.cpu": .1776954, "tool.duration": .785134}, "derived=sent~less~lost block=8192 from=192.168.16.240", 1, 67},
	{"udp-3.12.json", "", 199978376.05448979, map[string]float64{"net.udp.jitter": .00688241540991775e-3, "net.udp.loss": 0, "net.cpu": .030733313074041049, "tool.duration": 2.000375}, "target_bitrate=200000000 derived=", 2, 124},
	{"tcp-3.0.11.json", "", 2.50267e7, map[string]float64{"net.tcp.retransmits": 14, "net.tcp.bytes": 16245572, "net.tcp.cwnd": 53972, "net.tcp.mss": 524, "net.cpu": .0995959, "tool.duration": 5.00008}, "version=3.0.11", 2, 98},
	{"stream-3.18.json", "", 14742742644.705593, map[string]float64{"net.tcp.retransmits": 11, "net.tcp.bytes": 3690987520, "net.tcp.rtt": 154e-6, "net.tcp.cwnd": 1440626, "net.tcp.mss": 32768, "net.cpu": .288624038937395, "tool.duration": 2.002877}, "version=3.18", 2, 4},
}

func TestParse(t *testing.T) {
	for _, c := range expectations {
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
			check(t, c, got)
		})
	}
}

func check(t *testing.T, c expected, got map[string]assay.Measurement) {
	t.Helper()
	head := got["net.tcp.throughput"]
	if head.Metric == "" {
		head = got["net.udp.throughput"]
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Abs(b) }
	if !near(head.Value*8, c.rate) {
		t.Errorf("%v bit/s, want %v", head.Value*8, c.rate)
	}
	if head.Line != c.line || len(head.Samples) != c.samples {
		t.Errorf("line %d with %d samples, want line %d with %d", head.Line, len(head.Samples), c.line, c.samples)
	}
	if len(got) != len(c.rest)+1 {
		t.Errorf("gives %v", slices.Sorted(maps.Keys(got)))
	}
	for metric, want := range c.rest {
		if m, ok := got[metric]; !ok || !near(m.Value, want) {
			t.Errorf("%s = %v, want %v", metric, m.Value, want)
		}
	}
	for _, pair := range strings.Fields(c.labels) {
		key, want, _ := strings.Cut(pair, "=")
		if want = strings.ReplaceAll(want, "~", " "); head.Labels[key] != want {
			t.Errorf("label %s is %q, want %q", key, head.Labels[key], want)
		}
	}
}

func TestSamples(t *testing.T) {
	all, err := New().Parse(captured.Output(captured.Text(t, "lacp-1.txt"), ""))
	if err != nil {
		t.Fatal(err)
	}
	var resent []float64
	for i, s := range all[1].Samples {
		if s.At != float64(i+1) {
			t.Errorf("sample %d is at %v s", i, s.At)
		}
		resent = append(resent, s.Value)
	}
	if all[1].Metric != "net.tcp.retransmits" || !slices.Equal(resent, []float64{33, 0, 0, 0, 1, 0, 0, 0, 0, 0}) {
		t.Errorf("%s: %v", all[1].Metric, resent)
	}
}

// What the output does not show, the command does.
func TestCommand(t *testing.T) {
	lost := captured.Text(t, "udp-lossy-3.1.txt")
	all, err := New().Parse(captured.Output(lost, "iperf3 -c x.x.x.x -P 5 -u -i 1 -b 250M -t 120"))
	if err != nil {
		t.Fatal(err)
	}
	if l := all[0].Labels; l["target_bitrate"] != "250000000" || l["to"] != "x.x.x.x" || l["role"] != "client" || l["direction"] != "forward" {
		t.Errorf("labels %v", l)
	}
	for command, want := range map[string]string{
		"iperf3 -c h -u":                 "1048576",
		"iperf3 -c h -u -b 0":            "",
		"iperf3 -u -c h --bitrate=1G/10": "1000000000",
		"iperf3 -u -c h -b5g":            "5000000000",
	} {
		all, err := New().Parse(captured.Output(captured.Text(t, "udp-3.12.txt"), command))
		if err != nil || all[0].Labels["target_bitrate"] != want {
			t.Errorf("%s: %q, want %q; %v", command, all[0].Labels["target_bitrate"], want, err)
		}
	}
}

// Only lines of iperf3 count: prose and line ends do not matter.
func TestNoise(t *testing.T) {
	for _, name := range []string{"tcp-3.12.txt", "lacp-1.txt", "udp-lossy-3.1.txt", "tcp-3.12.json"} {
		plain, err := New().Parse(captured.Output(captured.Text(t, name), ""))
		if err != nil {
			t.Fatal(err)
		}
		noisy := strings.ReplaceAll(captured.Text(t, name), "\n", "\r\n")
		if strings.HasSuffix(name, ".txt") {
			noisy += "\r\nThat is 9.4 Gbits/sec, or 94 % of it!\r\n| a | 1.5 Gbits/sec |\r\n[note] 0.00-1.00 sec\r\nload average: 0.00\r\n"
		}
		got, err := New().Parse(captured.Output(noisy, ""))
		if err != nil || len(got) != len(plain) {
			t.Fatalf("%s: %d measurements, want %d; %v", name, len(got), len(plain), err)
		}
		for i := range got {
			if got[i].Value != plain[i].Value || got[i].Line != plain[i].Line || !maps.Equal(got[i].Labels, plain[i].Labels) {
				t.Errorf("%s: %v, want %v", name, got[i], plain[i])
			}
		}
	}
}

// Collapsed blanks, as on a web page, change nothing.
func TestFolded(t *testing.T) {
	folded := strings.Join(strings.FieldsFunc(captured.Text(t, "lacp-1.txt"), func(r rune) bool { return r == '\n' }), "\n")
	for strings.Contains(folded, "  ") {
		folded = strings.ReplaceAll(folded, "  ", " ")
	}
	all, err := New().Parse(captured.Output(folded, ""))
	if err != nil || all[0].Value != 9.37e9/8 || all[1].Value != 34 {
		t.Errorf("%v, %v", all, err)
	}
}

// A late datagram is not lost after all: a second may have lost fewer than
// none.
func TestLateDatagrams(t *testing.T) {
	late := strings.Replace(captured.Text(t, "udp-cut-server-3.1.txt"), "476/979 (49%)", "-3/979 (-0.31%)", 1)
	all, err := New().Parse(captured.Output(late, ""))
	if err != nil || all[2].Metric != "net.udp.loss" || math.Abs(all[2].Value-(567+517-3.)/(841+979+1000+992)) > 1e-9 {
		t.Errorf("%v, %v", all, err)
	}
}

// So is one of JSON; over the whole test, less than none is impossible.
func TestLateDatagramsInJSON(t *testing.T) {
	whole := captured.Text(t, "udp-reverse-3.9.json")
	const second = `"lost_packets":	0,
				"packets":	763,`
	late := strings.Replace(whole, second, strings.Replace(second, "0", "-3", 1), 1)
	want, err := New().Parse(captured.Output(whole, ""))
	if err != nil || late == whole {
		t.Fatal(err)
	}
	if got, err := New().Parse(captured.Output(late, "")); err != nil || len(got) != len(want) || got[0].Value != want[0].Value {
		t.Errorf("%v, %v", got, err)
	}
	const sum = `"lost_packets":	27,
			"packets":	1559,`
	if got, err := New().Parse(captured.Output(strings.Replace(whole, sum, strings.Replace(sum, "27", "-3", 1), 1), "")); err == nil || !strings.Contains(err.Error(), "lost_packets is -3, which is impossible") {
		t.Errorf("%v, %v", got, err)
	}
}

// In the summary of the first versions, received is sent minus lost.
func TestFirstSummaries(t *testing.T) {
	all, err := New().Parse(captured.Output(cut(captured.Text(t, "udp-summaries-3.0b1.log"))[1], ""))
	if err != nil || math.Abs(all[0].Value*8/(21.3e9*(1-2723914./3250236))-1) > 1e-9 || all[0].Labels["derived"] == "" || all[2].Value != 2723914./3250236 {
		t.Errorf("%v, %v", all, err)
	}
}

// Some versions print no blank before sec.
func TestNoBlankBeforeSec(t *testing.T) {
	all, err := New().Parse(captured.Output("[ ID] Interval               Transfer        Bandwidth       Retr\n[ 15] 0.00-10.00sec  9.45 GBytes  8114 Mbits/sec   7      sender\n[ 15] 0.00-10.00 sec 9.43 GBytes  8103 Mbits/sec           receiver\n", ""))
	if err != nil || all[0].Value != 8103e6/8 || all[1].Metric != "net.tcp.retransmits" || all[1].Value != 7 {
		t.Errorf("%v, %v", all, err)
	}
}

// At every length the figures are those of whole lines, or there is an error.
func TestTruncated(t *testing.T) {
	for _, name := range []string{"lacp-1.txt", "parallel-3.12.txt", "bidir-parallel-3.12.txt", "udp-bidir-3.9.txt"} {
		whole := captured.Text(t, name)
		for n := range len(whole) {
			all, err := New().Parse(captured.Output(whole[:n], ""))
			if (err == nil) == (len(all) == 0) {
				t.Fatalf("%s cut at %d: %d measurements and %v", name, n, len(all), err)
			}
			for _, m := range all {
				if strings.HasSuffix(m.Metric, "throughput") && m.Labels["job"] == "" && m.Labels["streams"] == "1" && math.Abs(m.Value*8/9.37e9-1) > 2e-3 {
					t.Fatalf("%s cut at %d: %v", name, n, m)
				}
			}
		}
	}
	cut, err := New().Parse(captured.Output(captured.Text(t, "stream-3.18.json")[:2000], ""))
	if err != nil || cut[0].Labels["summary"] != "none" {
		t.Errorf("a cut stream gives %v, %v", cut, err)
	}
}

func TestParseRefuses(t *testing.T) {
	tcp := captured.Text(t, "tcp-3.12.txt")
	zero := strings.NewReplacer("25.2 Gbits", "0.00 bits", "8.79 GBytes", "0.00 Bytes", "25.3 Gbits", "0.00 bits", "25.5 Gbits", "0.00 bits", "24.7 Gbits", "0.00 bits")
	for name, c := range map[string]struct{ text, command, says string }{
		"no server":       {captured.Text(t, "error-3.18.txt"), "", "unable to connect to server"},
		"no server, JSON": {captured.Text(t, "error-3.12.json"), "", "line 10: unable to connect to server: Connection refused"},
		"no words, JSON":  {captured.Text(t, "error-3.9.json"), "", "no summary and no complete interval"},
		"busy":            {"iperf3: error - the server is busy running a test. try again later\n", "", "busy"},
		"nothing moved":   {zero.Replace(tcp), "", "nothing was transferred"},
		"two tests":       {strings.ReplaceAll(tcp+tcp, "iperf Done.", ""), "", "several tests"},
		"less than a row": {strings.Join(strings.SplitN(tcp, "\n", 4)[:3], "\n"), "", "no summary"},
		"SCTP":            {tcp, "iperf3 -c h --sctp", "SCTP is not supported"},
		"MPTCP":           {tcp, "iperf3 -c h -m", "MPTCP is not supported"},
		"SCTP, JSON":      {strings.ReplaceAll(captured.Text(t, "tcp-3.12.json"), `"TCP"`, `"SCTP"`), "", "SCTP is not supported"},
		"backwards":       {strings.ReplaceAll(tcp, "2.00-3.00", "9.00-3.00"), "", "line 6: the interval ends at 3.00 s, before it starts"},
		"negative loss":   {strings.ReplaceAll(captured.Text(t, "udp-3.12.txt"), "0/1526", "-5/1526"), "", "line 8: -5 of 1526 datagrams lost"},
		"negative, JSON":  {strings.ReplaceAll(captured.Text(t, "tcp-3.12.json"), `"bytes":	8915517440`, `"bytes":	-1`), "", "is impossible"},
		"huge":            {strings.ReplaceAll(tcp, "25.3 Gbits", strings.Repeat("9", 400)+" Gbits"), "", "is not a valid measurement"},
		"nothing arrived": {strings.NewReplacer("47.7 MBytes   200 Mbits/sec  0.005 ms  0/1526 (0%)", "0.00 Bytes  0.00 bits/sec  0.000 ms  0/0 (0%)").Replace(captured.Text(t, "udp-3.12.txt")), "", "nothing arrived"},
		"cut JSON":        {captured.Text(t, "tcp-3.12.json")[:2000], "", "not a whole JSON document"},
		"other JSON":      {`{"a":1}`, "", "without start"},
		"other events":    {`{"event":"push","data":{}}`, "", "without a start"},
		"empty":           {"", "", "printed no usable output"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := New().Parse(captured.Output(c.text, c.command))
			if err == nil {
				t.Fatalf("gave %v", got)
			}
			if !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "iperf3") {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
	if _, err := New().Parse(assay.Transcript{}); !errors.Is(err, assay.ErrNoOutput) {
		t.Errorf("no step: %v", err)
	}
	if _, err := New().Parse(captured.Output(captured.Text(t, "error-3.18.txt"), "")); assay.Hint(err) == "" {
		t.Errorf("no hint: %v", err)
	}
}

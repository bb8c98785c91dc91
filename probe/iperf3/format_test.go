package iperf3

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/internal/captured"
)

// The first meaningful line of an output opens it.
func TestBegins(t *testing.T) {
	for _, line := range []string{
		"Connecting to host 10.100.3.103, port 5201", "lab:  Connecting to host pve2, port 5201", "Connecting to host fe80::1, port 5201",
		"20:15:02 Connecting to host pve2, port 5201",
		"Server listening on 5201", "Server listening on 5201 (test #3)", "Accepted connection from 10.0.0.2, port 48774",
		"iperf 3.12", "iperf3: error - unable to connect to server: Connection refused", "iperf3: interrupt - the client has terminated",
		"[  5] local 10.0.0.1 port 54678 connected to 10.0.0.2 port 5201",
		"[ ID] Interval           Transfer     Bitrate         Retr  Cwnd", "[ ID][Role] Interval           Transfer     Bitrate",
		"[  5]   0.00-1.00   sec  1.09 GBytes  9.38 Gbits/sec   33   1.21 MBytes", "[SUM][TX-C]   0.00-2.00   sec  4.77 GBytes  20.5 Gbits/sec    0             sender",
		"[ ID] Interval        Transfer    Bitrate         Jitter   Lost/Total Datagrams",
		"[  5] 0.00-60.01 sec  12.9 GBytes  1.85 Gbits/sec  0.000 ms  0/9514987 (0%)   sender", "[ 15] 0.00-10.00 sec 9.43 GBytes  8103 Mbits/sec           receiver",
		"[ 15] 0.00-10.00sec  9.45 GBytes  8114 Mbits/sec   0      sender",
		"[ 5] 0.00-1.00 sec 1.09 GBytes 9.38 Gbits/sec 33 1.21 MBytes", "[  5]   9.00-10.00  sec   112 MBytes   942 Mbits/sec",
	} {
		if !begins(line) {
			t.Errorf("does not open: %q", line)
		}
	}
	for _, line := range []string{
		"", "iperf3 -c 10.0.0.1", "We ran iperf3 and got 9.4 Gbits/sec", "Connecting to host 10.0.0.1 failed", "iperf 3.12 is old", "iperf Done.",
		"Server listening on TCP port 5001", "Client connecting to 10.0.0.1, TCP port 5001",
		"[  3] local 10.0.0.1 port 54678 connected with 10.0.0.2 port 5001",
		"[ ID] Interval       Transfer     Bandwidth", "[ ID] Interval            Transfer    Bandwidth       Write/Err  Rtry",
		"[  3]  0.0-10.0 sec  1.10 GBytes   942 Mbits/sec", "[  1] 0.0000-1.0000 sec  2.93 GBytes  25.2 Gbits/sec", "[  1] 0.00-1.00 sec   161 MBytes  1.35 Gbits/sec",
		"- - - - - - - - - - - - - - - - - - - - - - - - -", "Jobs: 1 (f=1): [W(1)][100.0%][w=604KiB/s]", "[ 1s ] thds: 1 eps: 100",
	} {
		if begins(line) {
			t.Errorf("opens: %q", line)
		}
	}
}

// cut splits a log into outputs as a reader that knows only this format does.
func cut(log string) []string {
	var all []string
	var open strings.Builder
	for line := range strings.Lines(log) {
		bare := strings.TrimRight(line, "\n")
		if begins(bare) && (open.Len() == 0 || splits([]byte(open.String()), bare)) {
			if open.Len() > 0 {
				all = append(all, open.String())
			}
			open.Reset()
			open.WriteString(line)
		} else if open.Len() > 0 {
			open.WriteString(line)
		}
	}
	return append(all, open.String())
}

// Indented output in a text parses like output by itself.
func TestIndented(t *testing.T) {
	plain := captured.Text(t, "lacp-1.txt")
	want, err := New().Parse(captured.Output(plain, ""))
	if err != nil {
		t.Fatal(err)
	}
	indented := "    " + strings.ReplaceAll(strings.TrimSuffix(plain, "\n"), "\n", "\n    ") + "\n"
	if n := len(cut(indented + plain)); n != 2 {
		t.Errorf("it and the next are %d outputs", n)
	}
	got, err := New().Parse(captured.Output(indented, ""))
	if err != nil || len(got) != len(want) || got[0].Value != want[0].Value {
		t.Errorf("%d figures, %v, want %d", len(got), err, len(want))
	}
}

// A log of several tests yields each of them complete.
func TestSplits(t *testing.T) {
	dash := "-----------------------------------------------------------\n"
	for name, c := range map[string]struct {
		log  string
		want []string // label from of each
	}{
		"clients":       {captured.Text(t, "lacp-1.txt") + "\n" + captured.Text(t, "lacp-2.txt") + captured.Text(t, "lacp-3.txt"), []string{"10.100.3.101", "10.100.3.102", "10.100.3.102"}},
		"versions":      {captured.Text(t, "verbose-3.12.txt") + captured.Text(t, "verbose-3.1.7.txt"), []string{"127.0.0.1", "10.43.243.204"}},
		"server's log":  {captured.Text(t, "server-3.12.txt") + captured.Text(t, "server-udp-3.12.txt") + dash + "Server listening on 5201 (test #3)\n" + dash, []string{"127.0.0.1", "127.0.0.1", "error"}},
		"server's echo": {captured.Text(t, "server-output-3.12.txt") + captured.Text(t, "lacp-1.txt"), []string{"127.0.0.1", "10.100.3.101"}},
		"summaries":     {captured.Text(t, "udp-summaries-3.0b1.log"), []string{"", "", ""}},
		"head lost":     {captured.Text(t, "lacp-1.txt") + captured.Text(t, "lacp-2.txt")[60:], []string{"10.100.3.101", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, text := range cut(c.log) {
				all, err := New().Parse(captured.Output(text, ""))
				if err != nil {
					got = append(got, "error")
					continue
				}
				got = append(got, all[0].Labels["from"])
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%d outputs: %q, want %q", len(got), got, c.want)
			}
		})
	}
}

// Every captured text opens and does not split.
func TestCapturedAreWhole(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(cut(string(text))); n != 1 {
			t.Errorf("%s is %d outputs", file, n)
		}
	}
}

func TestStreamsStayTogether(t *testing.T) {
	first, rest, _ := strings.Cut(captured.Text(t, "stream-3.18.json"), "\n")
	if splits([]byte(first), rest) || !splits([]byte(first+"\n"+rest), first) || !splits([]byte(first), `{"start":{}}`) {
		t.Error("an event of the same test splits, or the start of another does not")
	}
	if !splits([]byte(captured.Text(t, "tcp-3.12.json")), captured.Text(t, "tcp-3.12.json")) {
		t.Error("a second document does not split")
	}
}

func TestAccepts(t *testing.T) {
	for _, keys := range [][]string{{"start", "intervals", "end"}, {"start", "intervals", "end", "error"}, {"event", "data"}} {
		if !accepts(keys) {
			t.Errorf("%v is refused", keys)
		}
	}
	for _, keys := range [][]string{nil, {"fio version", "jobs"}, {"start", "end"}, {"event", "data", "time"}} {
		if accepts(keys) {
			t.Errorf("%v is taken", keys)
		}
	}
}

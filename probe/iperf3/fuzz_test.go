package iperf3

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"assay/internal/captured"
	"assay/probe/probetest"
)

func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/*.txt", "testdata/*.json"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			f.Add(captured.Text(f, filepath.Base(file)), "")
		}
	}
	f.Add("[  5]   0.00-1.00   sec  1.09 GBytes  9.38 Gbits/sec   33   1.21 MBytes", "iperf3 -c h -u -b 1G --bidir -P 4")
	f.Fuzz(func(t *testing.T, text, command string) {
		got, err := New().Parse(captured.Output(text, command))
		probetest.CheckParsed(t, got, err, text)
		begins(text)
		splits([]byte(text), command)
	})
}

// long returns a document with that many intervals of eight streams.
func long(intervals int) []byte {
	var b strings.Builder
	b.WriteString("{\n\t\"start\":\t{\"version\":\"iperf 3.12\",\"test_start\":{\"protocol\":\"TCP\",\"num_streams\":8}},\n\t\"intervals\":\t[")
	for i := range intervals {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("{\n\t\t\t\"streams\":\t[")
		for s := range 8 {
			if s > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "{\n\t\t\t\t\t\"socket\":\t%d,\n\t\t\t\t\t\"start\":\t%d.00014,\n\t\t\t\t\t\"end\":\t%d.00013,\n\t\t\t\t\t\"seconds\":\t1.0000139474868774,\n\t\t\t\t\t\"bytes\":\t1454899200,\n\t\t\t\t\t\"bits_per_second\":\t11639031264.764168,\n\t\t\t\t\t\"retransmits\":\t55,\n\t\t\t\t\t\"snd_cwnd\":\t916762,\n\t\t\t\t\t\"rtt\":\t122,\n\t\t\t\t\t\"rttvar\":\t35,\n\t\t\t\t\t\"pmtu\":\t65535,\n\t\t\t\t\t\"omitted\":\tfalse,\n\t\t\t\t\t\"sender\":\ttrue\n\t\t\t\t}", s+5, i, i+1)
		}
		fmt.Fprintf(&b, "],\n\t\t\t\"sum\":\t{\n\t\t\t\t\"start\":\t%d.00014,\n\t\t\t\t\"end\":\t%d.00013,\n\t\t\t\t\"bytes\":\t1454899200,\n\t\t\t\t\"bits_per_second\":\t11639031264.764168,\n\t\t\t\t\"retransmits\":\t55,\n\t\t\t\t\"omitted\":\tfalse,\n\t\t\t\t\"sender\":\ttrue\n\t\t\t}\n\t\t}", i, i+1)
	}
	b.WriteString("],\n\t\"end\":\t{\"sum_sent\":{\"end\":10,\"bytes\":1e12,\"bits_per_second\":8e11,\"retransmits\":3},\"sum_received\":{\"end\":10,\"bytes\":1e12,\"bits_per_second\":8e11}}\n}\n")
	return []byte(b.String())
}

func BenchmarkParseJSON(b *testing.B) {
	text := string(long(3000))
	tr := captured.Output(text, "")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if got, err := New().Parse(tr); err != nil || len(got[0].Samples) != 3000 {
			b.Fatal(err)
		}
	}
}

// A log twice as long takes about twice as long, not four times.
func BenchmarkParseText(b *testing.B) {
	row := "[  5]   0.00-1.00   sec  1.09 GBytes  9.38 Gbits/sec   33   1.21 MBytes       \n"
	text := captured.Text(b, "lacp-1.txt")
	text = strings.Replace(text, "- - -", strings.Repeat(row, 50000)+"- - -", 1)
	tr := captured.Output(text, "")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := New().Parse(tr); err != nil {
			b.Fatal(err)
		}
	}
}

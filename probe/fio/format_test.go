package fio

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"assay/internal/captured"
)

// Every captured report is recognized by a line, at the latest where its
// figures begin.
func TestBeginsEveryReport(t *testing.T) {
	for _, file := range reports(t) {
		out, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		known := -1
		for i, line := range strings.Split(string(out), "\n") {
			if begins(line) {
				known = i
				break
			}
		}
		if known < 0 || known > 1 {
			t.Errorf("%s: known by line %d", file, known+1)
		}
	}
}

func TestBegins(t *testing.T) {
	for line, want := range map[string]bool{
		"a: (g=0): rw=read, bs=4K-4K/4K-4K, ioengine=sync, iodepth=1":        true,
		"<vm> one: (g=0): rw=randread, bs=(R) 4096B-4096B":                   true,
		"   READ: bw=1053MiB/s (1104MB/s), io=100GiB, run=97218-97218msec":   true,
		"  WRITE: io=1024.0MB, aggrb=26098KB/s, minb=26098KB/s":              true,
		"     issued    : total=r=0/w=4096/d=0, short=r=0/w=0/d=0":           true,
		"3;fio-3.33;t;0;0;72884;72811;18202":                                 true,
		"fio: pid=16212, err=28/file:io_u.c:1876, func=io_u error":           true,
		"fio: a tool that everybody should know":                             false,
		"fio --name=a --rw=read":                                             false,
		"fio-3.33":                                                           false,
		"read: I have read the manual, and BW=bandwidth":                     false,
		"  read: IOPS, BW and latency":                                       false,
		"write: the IOPS=100 of it":                                          false,
		"READ: bw=":                                                          false,
		"Jobs: 1 (f=1): [W(1)][100.0%][w=16.5MiB/s][w=4230 IOPS]":            false,
		"[  5]   0.00-10.00  sec  10.9 GBytes  9.37 Gbits/sec":               false,
		"Total writes made:      5102":                                       false,
		"    Latency (ms):":                                                  false,
		"1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.01 s, 534 MB/s":        false,
		"Disk stats (read/write):":                                           false,
		"  sda: ios=3/50255, merge=0/0, ticks=0/94740, in_queue=1, util=1.0": false,
		"iops        : min=1, max=2":                                         false,
		"":                                                                   false,
	} {
		if begins(line) != want {
			t.Errorf("%q: %v, want %v", line, !want, want)
		}
	}
	accepts := New().(*Probe).Format().Accepts
	if !accepts([]string{"fio version", "jobs"}) || accepts([]string{"jobs", "version"}) || accepts(nil) {
		t.Error("accepts the wrong documents")
	}
}

// cut splits as a log reader does: an excerpt begins at a line that begins a
// different output.
func cut(text string) []string {
	var all []string
	open := ""
	for _, line := range strings.SplitAfter(text, "\n") {
		if begins(line) && open != "" && splits([]byte(open), strings.TrimRight(line, "\n")) {
			all, open = append(all, open), ""
		}
		if open != "" || begins(line) {
			open += line
		}
	}
	if open != "" {
		all = append(all, open)
	}
	return all
}

// One run is one excerpt, whatever it prints; two consecutive runs are two.
func TestSplits(t *testing.T) {
	two := captured.Bytes(t, "text/3.39-linstor-sync.txt")
	for _, file := range reports(t) {
		out, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := cut(string(out)); len(got) != 1 {
			t.Errorf("%s: %d runs", file, len(got))
		}
		if strings.Contains(file, "terse") || strings.Contains(file, "engine") || strings.Contains(file, "one-failed") {
			continue // these do not show where they end
		}
		if got := cut(string(out) + string(two)); len(got) != 2 || got[1] != string(two) {
			t.Errorf("%s and another: %d runs", file, len(got))
		}
	}
	// Also without their heads.
	headless := func(file string) string {
		out := captured.Bytes(t, file)
		return string(out[bytes.LastIndex(out, []byte("\n  write: IOPS="))+1:])
	}
	a, b := headless("text/3.39-linstor-sync.txt"), headless("text/3.39-disabled-sync.txt")
	if got := cut(a + b); len(got) != 2 {
		t.Errorf("two without heads: %d runs", len(got))
	}
	tail := "Run status group 0 (all jobs):\n   READ: bw=100MiB/s (105MB/s), 100MiB/s-100MiB/s (105MB/s-105MB/s), io=1GiB (1GB), run=10-10msec\n"
	if got := cut(tail + tail); len(got) != 2 {
		t.Errorf("two tails: %d runs", len(got))
	}
	jobs := captured.Bytes(t, "text/3.36-nvme-headless.txt")
	other := bytes.ReplaceAll(jobs, []byte("pid=3041"), []byte("pid=5509"))
	if got := cut(string(jobs) + string(other)); len(got) != 2 {
		t.Errorf("two of the same name: %d runs", len(got))
	}
}

func TestSplitsJSON(t *testing.T) {
	document := func(job, runtime, ios, elapsed, stamp string) string {
		return `{
  "fio version" : "fio-3.33",
  "timestamp" : ` + stamp + `,
  "jobs" : [ { "jobname" : "` + job + `", "error" : 0, "elapsed" : ` + elapsed + `,
    "read" : { "io_bytes" : 409600, "io_kbytes" : 400, "bw_bytes" : 4096, "iops" : 1.5, "runtime" : ` + runtime + `, "total_ios" : ` + ios + ` } } ]
}
`
	}
	first := document("a", "1000", "50", "2", "100")
	tests := []struct {
		name, sofar, next string
		want              bool
	}{
		{"a later status", first, document("a", "2000", "100", "3", "101"), false},
		{"the end at once", first, document("a", "1000", "50", "2", "100"), false},
		{"another job", first, document("b", "2000", "100", "3", "101"), true},
		{"the same again, later", first, document("a", "1000", "50", "2", "160"), true},
		{"a shorter one", first, document("a", "500", "25", "2", "101"), true},
		{"a list", first, "[" + first + "]", true},
		{"after notes", "note: both iodepth >= 1 and synchronous I/O engine are selected\n", first, false},
		{"after a report", captured.Text(t, "text/3.39-linstor-sync.txt"), first, true},
	}
	for _, tt := range tests {
		if got := splits([]byte(tt.sofar), tt.next); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	// Output in both formats is one run: the document, then the report.
	both := captured.Text(t, "3.33-normal-and-json.txt")
	end := strings.Index(both, "\n}\n") + 3
	for _, line := range strings.Split(both[end:], "\n") {
		if begins(line) && splits([]byte(both[:end]), line) {
			t.Errorf("%q is of another run than its document", line)
		}
	}

	// Runs in a list are told apart too, and all of them are parsed.
	list := "[\n" + first + ",\n" + document("a", "2000", "100", "3", "101") + "," + document("a", "1000", "70", "2", "160") + "]\n"
	ms, err := New().Parse(measured([]byte(list)))
	if err != nil {
		t.Fatal(err)
	}
	if m := figure(t, ms, "storage.read.ios", "job", "a#1"); m.Value != 100 || m.Line != 13 {
		t.Errorf("the first run has %v operations, on line %d", m.Value, m.Line)
	}
	if m := figure(t, ms, "storage.read.ios", "job", "a#2"); m.Value != 70 {
		t.Errorf("the second run has %v operations", m.Value)
	}
}

package fio

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"assay"
	"assay/internal/captured"
)

// The deviations of fio's own samples, and the kernel's counters, are parsed
// from JSON as from a report.
func TestParseDeviations(t *testing.T) {
	ms := parsed(t, "3.33-randwrite-psync.json")
	for _, w := range []struct {
		metric  string
		label   string
		value   string
		written string // in the document
		scale   float64
	}{
		{"storage.write.iops.stddev", "samples", "3", `"iops_stddev" : 274.345281`, 1},
		{"storage.write.bandwidth.stddev", "samples", "3", `"bw_dev" : 1097.381125`, 1024},
		{"storage.write.device.ios", "device", "vda", `"write_ios" : 38114`, 1},
	} {
		m := figure(t, ms, w.metric, w.label, w.value)
		line := strings.Split(captured.Text(t, "3.33-randwrite-psync.json"), "\n")[m.Line-1]
		if want := fmt.Sprintf("%.10g", m.Value/w.scale); !strings.Contains(line, want) {
			t.Errorf("%s = %s, line %d is %q", w.metric, want, m.Line, line)
		}
		if !strings.Contains(line, w.written) {
			t.Errorf("%s: line %d is %q, want %q", w.metric, m.Line, line, w.written)
		}
	}
	// With several jobs, the device's figures belong to none of them.
	for _, m := range parsed(t, "3.33-jsonplus-jobs.json") {
		if strings.Contains(m.Metric, ".device.") {
			t.Errorf("%s for one of several jobs", m.Metric)
		}
	}
}

// Several disks that are not stacked are not one device.
func TestParseDevice(t *testing.T) {
	document := func(disks string) []byte {
		return []byte(`{"fio version" : "fio-3.36", "jobs" : [ { "jobname" : "a", "write" : { "io_bytes" : 8192, "io_kbytes" : 8,
"bw_bytes" : 4096, "iops" : 1, "runtime" : 2000, "total_ios" : 2 } } ], "disk_util" : [ ` + disks + ` ] }` + "\n")
	}
	sda := `{ "name" : "sda", "read_ios" : 1, "write_ios" : 4, "read_sectors" : 8, "write_sectors" : 32, "read_merges" : 0, "write_merges" : 0 }`
	dm := strings.Replace(sda, `"sda"`, `"dm-0"`, 1)
	stacked := strings.Replace(dm, `}`, `, "aggr_read_ios" : 1 }`, 1)
	for disks, want := range map[string]string{
		"": "", sda: "sda", dm + "," + sda: "", stacked + "," + sda: "dm-0",
	} {
		ms, err := New().Parse(measured(document(disks)))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, m := range ms {
			if m.Metric == "storage.write.device.bytes" {
				got = m.Labels["device"]
				if m.Value != 32*512 {
					t.Errorf("%v bytes", m.Value)
				}
			}
			if m.Metric == "storage.read.device.ios" {
				t.Error("a device's reads for a job that only wrote")
			}
		}
		if got != want {
			t.Errorf("%q: device %q, want %q", disks, got, want)
		}
	}
	idle := `{ "name" : "nvme0n1", "read_ios" : 0, "write_ios" : 0, "read_sectors" : 0, "write_sectors" : 0, "read_merges" : 0, "write_merges" : 0 }`
	others := strings.Replace(idle, `"read_ios" : 0`, `"read_ios" : 3`, 1)
	for disks, want := range map[string]string{sda: "", idle: "nothing", others: ""} {
		ms, err := New().Parse(measured(document(disks)))
		if err != nil {
			t.Fatal(err)
		}
		figure(t, ms, "storage.write.device.ios", "device_counted", want)
	}
	bad := strings.Replace(sda, `"write_ios" : 4`, `"write_ios" : -4`, 1)
	if _, err := New().Parse(measured(document(bad))); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a negative count gives %v", err)
	}
}

// Notes, ANSI-free progress and a report around the documents change nothing.
func TestParseJSONAmidLines(t *testing.T) {
	plain := captured.Bytes(t, "3.33-randwrite-psync.json")
	ms := parsed(t, "3.33-randwrite-psync.json")
	noisy := append([]byte("a: Laying out IO file (1 file / 64MiB)\r\n{ is no document\r\n"), bytes.ReplaceAll(plain, []byte("\n"), []byte("\r\n"))...)
	noisy = append(noisy, "done {\r\n} [ 1\r\n"...)
	got, err := New().Parse(measured(noisy))
	if err != nil || len(got) != len(ms) {
		t.Fatalf("%d measurements, want %d: %v", len(got), len(ms), err)
	}
	for i := range ms {
		if got[i].Value != ms[i].Value || got[i].Line != ms[i].Line+2 {
			t.Fatalf("%s = %v on line %d, want %v on line %d", got[i].Metric, got[i].Value, got[i].Line, ms[i].Value, ms[i].Line+2)
		}
	}
}

// Wherever a document is cut off, that is an error and no figure.
func TestParseCutJSON(t *testing.T) {
	whole := bytes.TrimSpace(captured.Bytes(t, "handmade-2.2.10-randwrite.json"))
	for n := 20; n < len(whole); n++ {
		if ms, err := New().Parse(measured(whole[:n])); !errors.Is(err, assay.ErrNoOutput) {
			t.Fatalf("cut at %d: %d measurements and %v", n, len(ms), err)
		}
	}
}

func TestScannerRefuses(t *testing.T) {
	for _, text := range []string{
		``, `{`, `{"a"`, `{"a":}`, `{"a":1,}`, `{"a" 1}`, `{"a":1 "b":2}`, `{"a":tru}`, `{"a":[1,]}`, `{"a":"x` + "\n" + `"}`,
		`{"a":"\q"}`, `{"a":'x'}`, `{"iops":1e999}`, strings.Repeat(`{"a":`, 100), strings.Repeat(`[`, 1<<16), `{a:1}`,
	} {
		s := scanner{text: []byte(text), line: 1}
		s.skip()
		if s.err == nil {
			s = scanner{text: []byte(text), line: 1}
			s.object(func([]byte) { s.number() })
		}
		if s.err == nil {
			t.Errorf("%.40q is taken for a document", text)
		}
	}
}

func TestScannerNumbers(t *testing.T) {
	for word, want := range map[string]float64{
		"0": 0, "-1": -1, "0.000000": 0, "77543.485505": 77543.485505, "1e3": 1000, "123456789012345678": 123456789012345678,
		"12345678901.2345678": 12345678901.2345678, "-0.5": -.5, "999999999999999": 999999999999999, "0.1": .1,
	} {
		s := scanner{text: []byte("\n\n" + word + " "), line: 1}
		if n := s.number(); !n.set || n.v != want || n.line != 3 || s.err != nil {
			t.Errorf("%s = %+v, %v", word, n, s.err)
		}
	}
	for _, word := range []string{"nan", "-nan", "inf", "NaN", "null", "true", `"12"`, "{}", "[1]", "1-2"} {
		s := scanner{text: []byte(word + " "), line: 1}
		if n := s.number(); n.set || s.err != nil {
			t.Errorf("%s = %+v, %v", word, n, s.err)
		}
	}
}

// Flushes have their own latency, in JSON of version 3 too.
func TestFlushesOfJSON(t *testing.T) {
	all, err := New().(*Probe).Parse(measured([]byte(`{"fio version":"fio-3.33","jobs":[{"jobname":"a","error":0,
"write":{"io_bytes":40960,"io_kbytes":40,"bw_bytes":40960,"bw":40,"iops":10,"runtime":1000,"total_ios":10},
"sync":{"total_ios":10,"lat_ns":{"min":379000,"max":4126000,"mean":414310.5,"stddev":60770,"N":10,
"percentile":{"99.000000":457000}}}}]}`)))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, m := range all {
		got[m.Metric] = m.Value
	}
	for metric, v := range map[string]float64{"storage.sync.latency.mean": 414310.5e-9, "storage.sync.latency.max": 4126e-6, "storage.sync.latency.p99": 457e-6} {
		if d := got[metric] - v; d > 1e-12 || d < -1e-12 {
			t.Errorf("%s is %v, want %v", metric, got[metric], v)
		}
	}
}

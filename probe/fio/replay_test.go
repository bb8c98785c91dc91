package fio

import (
	"strings"
	"testing"

	"assay"
)

// replayed is the output of fio 3.30 for a trace: its first line has the defaults, not
// what was done. Figures by hand.
const replayed = `replay: (g=0): rw=read, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1
fio-3.30
Starting 1 process
replay: (groupid=0, jobs=1): err= 0: pid=1723: Thu Jul 21 14:11:38 2022
  read: IOPS=4, BW=80.0KiB/s (81.9kB/s)(800KiB/10000msec)
    clat (usec): min=202, max=20794, avg=972.39, stdev=3432.32
  write: IOPS=100, BW=25.0MiB/s (26.2MB/s)(250MiB/10000msec); 0 zone resets
    clat (usec): min=217, max=21267, avg=737.33, stdev=337.00
     issued rwts: total=40,1000,0,0 short=0,0,0,0 dropped=0,0,0,0
`

// A replay's sizes, directions and times are its trace's.
func TestReplaysHaveNoSettings(t *testing.T) {
	for name, argv := range map[string]string{"its command": "fio --name=replay --filename=/dev/sdx --direct=1 --read_iolog=sdx.bin", "none": ""} {
		tr := measured([]byte(replayed))
		tr.Steps[0].Argv = strings.Fields(argv)
		ms, err := New().Parse(tr)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"bs", "pattern", "iodepth"} {
			if got := figure(t, ms, "storage.write.iops", "engine", "psync").Labels[key]; got != "" {
				t.Errorf("with %s: %s is %s", name, key, got)
			}
		}
	}
	plain, _, _ := strings.Cut(replayed, "  write:")
	ms, err := New().Parse(measured([]byte(plain)))
	if err != nil || figure(t, ms, "storage.read.iops", "engine", "psync").Labels["bs"] != "4k" {
		t.Errorf("a job that only read: %v, %v", ms, err)
	}
}

// A log without log_avg_msec has one sample per operation, which is not a rate.
func TestSamplesOfSingleOperations(t *testing.T) {
	document := func(samples string) []byte {
		return []byte(`{"fio version" : "fio-3.42", "jobs" : [ { "jobname" : "a", "write" : { "io_bytes" : 131072000, "io_kbytes" : 128000,
"bw_bytes" : 13107200, "iops" : 3200, "runtime" : 10000, "total_ios" : 32000,
"bw_mean" : 1795.9, "bw_dev" : 531.2, "bw_samples" : ` + samples + ` } } ] }` + "\n")
	}
	for samples, want := range map[string]bool{"20": true, "32030": false} {
		ms, err := New().Parse(measured(document(samples)))
		if err != nil {
			t.Fatal(err)
		}
		if has := strings.Contains(metricsOf(ms), "storage.write.bandwidth.stddev"); has != want {
			t.Errorf("%s samples: a deviation is read: %v", samples, has)
		}
	}
}

func metricsOf(ms []assay.Measurement) string {
	var names []string
	for _, m := range ms {
		names = append(names, m.Metric)
	}
	return strings.Join(names, " ")
}

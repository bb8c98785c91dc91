package audit

import (
	"strings"
	"testing"

	"assay"
	"assay/limits"
)

// No facts are given: these limits depend on the date, not on the machine.
func TestBeyondAnyHardware(t *testing.T) {
	job := func(dir string, iops, latency float64, labels ...string) Evidence {
		return told(assay.Facts{}, fioRun(dir, iops, latency, 60, append([]string{"pattern", "rand" + dir, "iodepth", "1"}, labels...)...))
	}
	array := func(e Evidence) Evidence { // without the kernel's printed counters
		for _, r := range e.Results {
			for i := range r.Repeats[0].Measurements {
				delete(r.Repeats[0].Measurements[i].Labels, "device")
			}
		}
		return e
	}
	net := func(bytes float64, from, to string) Evidence {
		return told(assay.Facts{}, printout{kind: assay.KindLink, labels: map[string]string{"tool": "iperf3", "version": "3.18", "from": from, "to": to},
			figures: map[string]float64{"net.tcp.throughput": bytes, "tool.duration": 10}})
	}
	memory := func(bytes float64) Evidence {
		return told(assay.Facts{}, printout{kind: assay.KindMemory, labels: map[string]string{"tool": "sysbench", "threads": "6", "block": "1M"}, figures: map[string]float64{"memory.read.bandwidth": bytes}})
	}
	checkForeign(t, []fires{
		{"beyond-any", "31.5 GB/s of one NVMe drive", job("read", 31.5e9/131072, 1e-3, "bs", "128k", "file", "/dev/nvme0n1"), "E", "31,500 MB/s against any single drive's link, 30,250 MB/s"},
		{"beyond-any", "of drives that nobody named", array(job("read", 31.5e9/131072, 1e-3, "bs", "128k")), "W", "1.04 x"},
		{"beyond-any", "14.8 GB/s", job("read", 14.8e9/131072, 1e-3, "bs", "128k", "file", "/dev/nvme0n1"), "", ""},
		{"beyond-any", ".9 µs at depth 1", job("read", 1e6, .9e-6, "bs", "4k"), "E", "0.900 µs an operation, against the 3.00 µs"},
		{"beyond-any", "1.15 µs, buffered and random", job("read", 8e5, 1.15e-6, "bs", "4k", "direct", "0"), "E", "1.15 µs an operation"},
		{"beyond-any", "read-ahead", job("read", 8e5, 1.15e-6, "bs", "4k", "direct", "0", "pattern", "read"), "I", "1.15 µs an operation, not direct"},
		{"beyond-any", "an Optane drive", job("read", 180000, 5.5e-6, "bs", "4k"), "", ""},
		{"beyond-any", "3 µs into the page cache", job("write", 3e5, 3e-6, "bs", "4k", "direct", "0"), "W", "3.00 µs an operation, buffered"},
		{"beyond-any", "the same with one flush at the end", job("write", 3e5, 3e-6, "bs", "4k", "direct", "0", "end_fsync", "1"), "W", "no latency includes it"},
		{"beyond-any", "1.6 µs, and nobody knows whether direct", job("write", 6e5, 1.6e-6, "bs", "4k", "direct", ""), "W", "1.60 µs an operation, against the 3.00 µs"},
		{"beyond-any", "a buffered read ahead, unknown", job("read", 6e5, 1.6e-6, "bs", "4k", "direct", "", "pattern", "read"), "I", "1.60 µs an operation, not direct as far as is known, against 5.00 µs"},
		{"beyond-any", "4 µs, and nobody knows whether direct", job("write", 2e5, 4e-6, "bs", "4k", "direct", ""), "I", "4.00 µs an operation, not direct as far as is known, against 8.00 µs"},
		{"beyond-any", "10 µs, and nobody knows whether direct", job("write", 1e5, 10e-6, "bs", "4k", "direct", ""), "", ""},
		{"beyond-any", "a read of 9 µs, and nobody knows whether direct", job("read", 1e5, 9e-6, "bs", "4k", "direct", "", "pattern", "read"), "", ""},
		{"beyond-any", "with a flush after each", job("write", 3e3, 3e-6, "bs", "4k", "direct", "0", "fsync", "1"), "", ""},
		{"beyond-any", "TCP within a host", net(5e9, "127.0.0.1", "127.0.0.1"), "W", "127.0.0.1 to 127.0.0.1"},
		{"beyond-any", "TCP between two", net(1.1e9, "10.0.0.1", "10.0.0.2"), "", ""},
		{"beyond-any", "40 Gbit/s between two pods", net(40.5e9/8, "10.244.0.7", "10.244.0.9"), "I", "40.5 Gb/s against a port of 25.0 Gb/s: 1.62 x"},
		{"beyond-any", "23 Gbit/s", net(23e9/8, "10.244.0.7", "10.244.0.9"), "", ""},
		{"beyond-any", "a Tbit/s", net(125e9, "10.0.0.1", "10.0.0.2"), "E", "1.25 x"},
		{"beyond-any", "25 TB/s of memory", memory(25e12), "E", "1.18 x"},
		{"beyond-any", "6.9 TB/s, as four sockets with HBM have", memory(6.9e12), "W", "1.68 x"},
		{"beyond-any", "3 TB/s, as eight sockets have", memory(3e12), "", ""},
		{"beyond-any", "600 GB/s of memory", memory(6e11), "", ""},
	})
}

func TestLimitsOfTheDateHaveSources(t *testing.T) {
	for _, f := range []limits.Fastest{limits.FastestDrive, limits.FastestAnswer, limits.FastestModules, limits.FastestMemory, limits.FastestPort} {
		if !f.Known() || f.Source == "" || f.What == "" || f.Year < 2020 {
			t.Errorf("%+v lacks a part", f)
		}
	}
}

// Data that is read again and again comes from memory, whatever the facts are.
func TestReadAgainAndAgain(t *testing.T) {
	job := func(iops float64, labels ...string) Evidence {
		return told(assay.Facts{}, fioRun("read", iops, 1e-3, 60, append([]string{"bs", "4k", "pattern", "randread", "iodepth", "1", "direct", "0"}, labels...)...))
	}
	pool := func(reads float64, op string) Evidence {
		labels := map[string]string{"tool": "rados", "object_size": "4M", "bs": "4194304"}
		write := printout{from: "f:1", kind: assay.KindPool, labels: labels, figures: map[string]float64{"pool.write.bandwidth": 42 << 22, "pool.write.ios": 42, "tool.duration": 1}}
		read := printout{from: "f:20", kind: assay.KindPool, labels: with(labels, "op", op), figures: map[string]float64{"pool.read.bandwidth": reads * (1 << 22) / 60, "pool.read.ios": reads, "tool.duration": 60}}
		return told(assay.Facts{}, write, read)
	}
	passes := func(size string) Evidence {
		return told(assay.Facts{}, printout{labels: map[string]string{"tool": "crystaldiskmark", "size": size, "passes": "5", "direct": "1", "pattern": "read", "bs": "1048576"}, figures: map[string]float64{"storage.read.bandwidth": 542e6}})
	}
	both := func(size string) Evidence {
		return told(assay.Facts{}, printout{labels: map[string]string{"tool": "diskspd", "size": size}, figures: map[string]float64{"storage.total.bandwidth": 11e6, "storage.total.iops": 1344, "tool.duration": 60}})
	}
	checkForeign(t, []fires{
		{"file-lt-ram", "reads and writes in 50 MiB", both("50m"), "I", "660 MB read and written in a file of 50.0 MiB: 12.6 times over"},
		{"file-lt-ram", "reads and writes in 500 MiB", both("500m"), "", ""},
		{"file-lt-ram", "183 GiB out of 1 GiB", job(183*(1<<30)/4096/60, "size", "1g"), "W", "183 times over, buffered"},
		{"file-lt-ram", "five passes over 32 MiB", passes("33554432"), "I", "5 passes over a file of 32.0 MiB, direct"},
		{"file-lt-ram", "five passes over a gibibyte", passes("1073741824"), "", ""},
		{"file-lt-ram", "once", job((1<<30)/4096/60, "size", "1g"), "-", "size of RAM"},
		{"file-lt-ram", "out of 64 GiB", job(1000, "size", "64g"), "-", "size of RAM"},
		{"cache-state", "each of 42 objects 65 times", pool(2730, "rand"), "W", "2,730 reads of the 42 objects that were written before: each 65.0 times"},
		{"cache-state", "each twice", pool(84, "rand"), "I", "84 reads of the 42 objects that were written before: 2.00 a piece"},
		{"cache-state", "in order, which ends at the last", pool(2730, "seq"), "I", "65.0 a piece"},
	})
}

func TestAdviceMarksWhatItGuesses(t *testing.T) {
	for _, c := range []struct {
		labels  []string
		figures map[string]float64
		want    []string
	}{
		{[]string{"pattern", "randread", "iodepth", "4"}, map[string]float64{"storage.read.iops": 200, "storage.read.bandwidth": 200 * 524288}, []string{" --bs=512K ", "--rw=randread"}},
		{nil, map[string]float64{"storage.read.iops": 200}, []string{" --bs=4k ", " --description=guessed:rw+bs+iodepth"}},
		{[]string{"pattern", "read", "bs", "512k", "iodepth", "4"}, map[string]float64{"storage.read.bandwidth": 1e9}, []string{" --bs=512k "}},
	} {
		e := told(assay.Facts{}, printout{labels: with(map[string]string{"tool": "fio"}, c.labels...), figures: c.figures})
		command := e.looks()[0].again("read", nil)
		for _, want := range c.want {
			if !strings.Contains(command, want) {
				t.Errorf("%v: %q is not in %s", c.labels, want, command)
			}
		}
		if guesses := strings.Contains(command, "guessed"); guesses != (c.labels == nil) {
			t.Errorf("%v: %s", c.labels, command)
		}
	}
	read := told(assay.Facts{}, printout{kind: assay.KindPool, labels: map[string]string{"tool": "rados"}, figures: map[string]float64{"pool.read.bandwidth": 1e9}}).looks()[0]
	if command := read.longer(60); !strings.Contains(command, "rados bench -p POOL 60 seq") || !strings.Contains(command, "or rand in place of seq") {
		t.Errorf("a read becomes %s", command)
	}
}

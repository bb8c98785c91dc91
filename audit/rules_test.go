package audit

import (
	"slices"
	"strings"
	"testing"

	"assay"
	"assay/limits"
)

// one is a way to spoil the good world, and what a rule must then say.
type one struct {
	rule  string
	name  string
	spoil func(w *world)
	want  assay.Severity // "" for silence
	says  string         // part of the arithmetic or of the missing fact
}

func check(t *testing.T, cases []one) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			w := good()
			c.spoil(w)
			i := slices.IndexFunc(Rules(), func(r Rule) bool { return r.ID == c.rule })
			if i < 0 {
				t.Fatal("no such rule")
			}
			rule := Rules()[i]
			found := rule.Check(w.evidence())
			if c.want == "" {
				for _, f := range found {
					t.Errorf("must be silent, says %s: %s%s | %s", f.Severity, f.Arithmetic, f.Missing, f.Message)
				}
				return
			}
			if len(found) == 0 {
				t.Fatalf("is silent, want %s %q", c.want, c.says)
			}
			for _, f := range found {
				advicePasses(t, f, w.facts.CPU, false)
			}
			f := found[0]
			if f.Severity != c.want || !strings.Contains(f.Arithmetic+f.Missing, c.says) {
				t.Errorf("says %s: %s%s, want %s %q", f.Severity, f.Arithmetic, f.Missing, c.want, c.says)
			}
			if f.Rule != c.rule || f.Subject == "" || f.Message == "" || f.Advice == "" {
				t.Errorf("incomplete: %+v", f)
			}
			if f.Severity == assay.NotChecked {
				if f.Missing == "" {
					t.Errorf("names no missing fact: %+v", f)
				}
			} else if f.Arithmetic == "" || !strings.Contains(rule.Severities, string(f.Severity)) {
				t.Errorf("%s has no arithmetic, or is not among %s: %+v", f.Severity, rule.Severities, f)
			}
		})
	}
}

// on gives the drive another link and model.
func on(bus assay.Bus, link *assay.Link, model string, bytes int64) func(*world) {
	return func(w *world) {
		d := &w.facts.Block[0]
		d.Bus, d.Link, d.Model, d.Bytes = bus, link, model, bytes
	}
}

func both(changes ...func(*world)) func(*world) {
	return func(w *world) {
		for _, c := range changes {
			c(w)
		}
	}
}

func only(name string) func(*world) { return func(w *world) { w.only(name) } }

func set(name, metric string, v float64) func(*world) {
	return func(w *world) { w.set(name, metric, v) }
}

// again reads a drive's health at the start of the run and at its end.
func again(before, after float64) func(*world) {
	return both(on("nvme", gen3x4, "WDC PC SN720 SDAPNTW-512G", 512110190592), only("smart"), func(w *world) {
		w.set("smart", "smart.data_written", before)
		w.results[0].Trial.Probe, w.results[0].Trial.Repeats = "smart", 1
		first := w.results[0]
		later := first
		later.Trial.ID, later.Trial.Case = first.Trial.ID+"-after", "health-after"
		later.Repeats = slices.Clone(first.Repeats)
		for i := range later.Repeats {
			rep := &later.Repeats[i]
			rep.Measurements = slices.Clone(rep.Measurements)
			rep.Measurement("smart.data_written").Value = after
		}
		w.results = append(w.results, later)
	})
}

func label(name, key, value string) func(*world) {
	return func(w *world) { w.label(name, key, value) }
}

func drop(name string, metrics ...string) func(*world) {
	return func(w *world) { w.drop(name, metrics...) }
}

func onFS(fs string) func(*world) {
	return func(w *world) {
		w.facts.Dirs[0] = assay.DirFacts{Path: "/data", Mount: "/data", FileSystem: fs}
	}
}

func onZFS(version string, properties map[string]string) func(*world) {
	return func(w *world) {
		w.facts.Dirs[0] = assay.DirFacts{Path: "/data", Mount: "/data", FileSystem: "zfs", Dataset: "tank/data"}
		w.facts.Pools = []assay.PoolFacts{{Kind: "zfs", Name: "tank/data", Version: version, Properties: properties}}
	}
}

func virtio(w *world) {
	w.facts.Block[0] = assay.BlockDevice{Name: "sda", Kind: "disk", Bus: assay.BusVirtio, Rotational: is(true)}
	w.facts.CPU.Virtual = is(true)
}

var (
	gen3x4 = limits.PCIe(8, 4)
	gen4x4 = limits.PCIe(16, 4)
	pm9a1  = "PM9A1 NVMe Samsung 512GB"
	read   = "storage.read.bandwidth"
	write  = "storage.write.bandwidth"
)

func TestInterfaces(t *testing.T) {
	check(t, []one{
		{"pcie-ceiling", "PM9A1 in a Gen3 slot, as published", both(only("randread"), on("nvme", gen3x4, pm9a1, 512110190592), set("randread", read, 7659*(1<<20))), "E",
			"8,031 MB/s against 8 GT/s x 4 x 128/130 / 8 = 3,938 MB/s: 2.04 x"},
		{"pcie-ceiling", "close to it", both(only("randread"), on("nvme", gen3x4, "", 0), set("randread", read, 3.7e9), unwatched), "W", "0.939 x"},
		{"pcie-ceiling", "close to it, by the kernel's count too", both(only("randread"), on("nvme", gen3x4, "", 0), set("randread", read, 3.7e9)), "", ""},
		{"pcie-ceiling", "what TLPs of 256 B leave", both(only("randread"), on("nvme", gen3x4, "", 0), set("randread", read, 3.601e9), unwatched), "", ""},
		{"pcie-ceiling", "a rated 3,500 MB/s", both(only("randread"), on("nvme", gen3x4, "", 0), set("randread", read, 3.5e9)), "", ""},
		{"pcie-ceiling", "a rated 7,450 MB/s on Gen4", both(only("randread"), on("nvme", gen4x4, "", 0), set("randread", read, 7.45e9)), "", ""},
		{"pcie-ceiling", "above Gen6", both(only("randread"), on("nvme", limits.PCIe(64, 4), "", 0), set("randread", read, 40e9)), "E",
			"40,000 MB/s against 64 GT/s x 4 x 242/256 / 8 = 30,250 MB/s: 1.32 x"},
		{"pcie-ceiling", "a mirror reads from both", func(w *world) {
			w.only("randread")
			on("nvme", gen3x4, "", 0)(w)
			second := w.facts.Block[0]
			second.Name = "sdb"
			w.facts.Block, w.facts.Dirs[0].Drives = append(w.facts.Block, second), []string{"sda", "sdb"}
			w.set("randread", read, 6.5e9)
		}, "", ""},
		{"pcie-ceiling", "a warm cache says what it is", both(only("dd-warm"), on("nvme", gen3x4, "", 0)), "", ""},
		{"pcie-ceiling", "no link", both(only("randread"), on("nvme", nil, "", 0)), "-", "link of sda"},
		{"pcie-ceiling", "a virtual disk", both(only("randread"), virtio), "-", "link of sda"},
		{"pcie-ceiling", "tmpfs", both(only("randread"), onFS("tmpfs")), "-", "block device under /data"},
		{"pcie-ceiling", "unknown host", func(w *world) { w.only("randread").Trial.Subject.Host = "elsewhere" }, "-", "facts of host elsewhere"},

		{"sata-usb-ceiling", "a USB 2 stick at 5,187 MB/s", both(only("randread"), on("usb", &assay.Link{Kind: "usb", Mode: "480 Mb/s", Ceiling: 53.2e6}, "", 0), set("randread", read, 5187e6)), "E", "5,187 MB/s against usb 480 Mb/s = 53.2 MB/s: 97.5 x"},
		{"sata-usb-ceiling", "560 of 600", both(only("randread"), set("randread", read, 560e6)), "", ""},
		{"sata-usb-ceiling", "no link", both(only("randread"), on("usb", nil, "", 0)), "-", "link of sda"},

		{"sd-emmc-ceiling", "a card at the slot's limit", both(only("randread"), on("mmc", &assay.Link{Kind: "sd", Mode: "DDR50", Ceiling: 50e6}, "", 0), set("randread", read, 44.34e6)), "I", "44.3 MB/s against sd DDR50 = 50.0 MB/s: 0.887 x"},
		{"sd-emmc-ceiling", "above it", both(only("randread"), on("mmc", &assay.Link{Kind: "emmc", Mode: "DDR52", Ceiling: 104e6}, "", 0), set("randread", read, 134e6)), "E", "1.29 x"},
		{"sd-emmc-ceiling", "below it", both(only("randread"), on("mmc", &assay.Link{Kind: "sd", Mode: "SDR104", Ceiling: 104e6}, "", 0), set("randread", read, 44e6)), "", ""},
		{"sd-emmc-ceiling", "no link", both(only("randread"), on("mmc", nil, "", 0)), "-", "link of sda"},

		{"rated-exceeded", "PM9A1, as published", both(only("randread"), on("nvme", gen4x4, pm9a1, 512110190592), set("randread", read, 7659*(1<<20))), "W", "8,031 MB/s against PM9A1 rated 6,900 MB/s: 1.16 x"},
		{"rated-exceeded", "random IOPS", both(only("randread"), set("randread", "storage.read.iops", 100000), set("randread", read, 409.6e6)), "W", "100,000 IOPS against DC S3700 rated 75,000 IOPS: 1.33 x"},
		{"rated-exceeded", "a little above", both(only("randread"), set("randread", read, 530e6)), "", ""},
		{"rated-exceeded", "unknown model", both(only("randread"), on("sata", nil, "FOO 2000", 1e12)), "-", `vendor's rating of "FOO 2000"`},
		{"rated-exceeded", "no model", both(only("randread"), on("sata", nil, "", 1e12)), "-", "model of sda"},
	})
}

func TestMemory(t *testing.T) {
	const bandwidth = "memory.read.bandwidth"
	check(t, []one{
		{"dram-ceiling", "M920q, as published", set("memory", bandwidth, 112164*(1<<20)), "E", "117,612 MB/s against 2 channels x 8 B x 2,667 MT/s = 42,672 MB/s: 2.76 x"},
		{"dram-ceiling", "one thread", set("memory", bandwidth, 21656*(1<<20)), "", ""},
		{"dram-ceiling", "without the label", both(label("memory", "scope", ""), set("memory", bandwidth, 112164*(1<<20))), "E", "2.76 x"},
		{"dram-ceiling", "of the cache", both(label("memory", "scope", "cache"), set("memory", bandwidth, 300e9)), "", ""},
		{"dram-ceiling", "no modules", func(w *world) { w.facts.Memory.DIMMs = nil }, "-", "configured speed and channels"},

		{"mem-working-set", "1 MiB blocks", label("memory", "block", "1024KiB"), "E", "6 threads x 1.00 MiB = 6.00 MiB against 4 x 9.00 MiB = 36.0 MiB"},
		{"mem-working-set", "one buffer for all threads", both(label("memory", "block", "16M"), label("memory", "buffers", "16777216")), "W", "16.0 MiB shared by all threads against"},
		{"mem-working-set", "twice the cache", label("memory", "block", "3M"), "W", "18.0 MiB against 4 x 9.00 MiB"},
		{"mem-working-set", "just enough", label("memory", "block", "6M"), "", ""},
		{"mem-working-set", "of the cache", both(label("memory", "block", "16K"), label("memory", "scope", "cache")), "", ""},
		{"mem-working-set", "no block size", label("memory", "block", ""), "-", "block size and threads"},
		{"mem-working-set", "1 KiB, whatever the cache is", both(label("memory", "block", "1K"), func(w *world) { w.facts.CPU.Caches = nil }), "E", "6 threads x 1.00 KiB = 6.00 KiB against 4 x 16.0 KiB = 64.0 KiB (cache size unknown; no CPU has less)"},
		{"mem-working-set", "no caches", func(w *world) { w.facts.CPU.Caches = nil }, "-", "last-level cache"},
	})
}

// counted makes the kernel count other numbers than the tool claims.
func counted(name string, before, after assay.DeviceCounts) func(*world) {
	return func(w *world) {
		w.watch(name, func(k *assay.Watch) {
			k.Before.Devices = map[string]assay.DeviceCounts{"sda1": before}
			k.After.Devices = map[string]assay.DeviceCounts{"sda1": after}
		})
	}
}

// inCache keeps one case, buffered, of which no device counts anything.
func inCache(name string) func(*world) {
	return both(only(name), label(name, "direct", "0"), counted(name, assay.DeviceCounts{}, assay.DeviceCounts{}))
}

// unwatched leaves random reads without the kernel's counters.
func unwatched(w *world) {
	for i := range w.at("randread").Repeats {
		w.at("randread").Repeats[i].Watch = nil
	}
}

// lent gives a case less space than planned.
func lent(name string, bytes, planned int64) func(*world) {
	return func(w *world) {
		r := w.at(name)
		r.Scratch.Bytes, r.Trial.Scratch = bytes, planned
	}
}

// slowWrites makes all writes of the machine slow.
func slowWrites(bandwidth float64) func(*world) {
	return func(w *world) {
		for _, name := range []string{"seqwrite", "syncwrite", "dd-write"} {
			w.set(name, write, bandwidth)
		}
	}
}

func TestDevice(t *testing.T) {
	const bytes = "storage.write.bytes"
	check(t, []one{
		// LINSTOR: sda wrote 430,816 sectors for 8,280 blocks of 4 KiB.
		{"device-reconcile", "journal, as published", both(only("syncwrite"), set("syncwrite", bytes, 8280*4096), counted("syncwrite", assay.DeviceCounts{}, assay.DeviceCounts{WriteBytes: 430816 * 512})), "W", "221 MB at sda1 against 33.9 MB that the tool wrote: 6.50 x"},
		{"device-reconcile", "journal of synchronous writes", both(only("syncwrite"), set("syncwrite", bytes, 100e6), counted("syncwrite", assay.DeviceCounts{}, assay.DeviceCounts{WriteBytes: 216e6})), "I", "2.16 x"},
		{"device-reconcile", "as much without a flush", both(only("seqwrite"), set("seqwrite", bytes, 100e6), counted("seqwrite", assay.DeviceCounts{}, assay.DeviceCounts{WriteBytes: 216e6})), "W", "2.16 x"},
		{"device-reconcile", "never reached it", both(only("seqwrite"), counted("seqwrite", assay.DeviceCounts{}, assay.DeviceCounts{WriteBytes: 1e6})), "E", "(median of 6 repeats)"},
		{"device-reconcile", "a cold read that was warm", both(only("dd-cold"), counted("dd-cold", assay.DeviceCounts{}, assay.DeviceCounts{ReadBytes: 1e6})), "E", "1.00 MB at sda1"},
		{"device-reconcile", "a device at which nothing was ever counted", both(only("randread"), counted("randread", assay.DeviceCounts{}, assay.DeviceCounts{})), "-", "bytes that reached sda1"},
		{"device-reconcile", "a cache, by a device that has counted before", both(only("randread"), counted("randread", assay.DeviceCounts{Reads: 9, ReadBytes: 4096}, assay.DeviceCounts{Reads: 9, ReadBytes: 4096})), "E", "0 MB at sda1"},
		{"device-reconcile", "a warm read", only("dd-warm"), "", ""},
		{"device-reconcile", "dd with fdatasync", only("dd-write"), "", ""},
		{"device-reconcile", "a few more bytes", both(only("syncwrite"), set("syncwrite", bytes, 1e6), counted("syncwrite", assay.DeviceCounts{}, assay.DeviceCounts{WriteBytes: 3e6})), "", ""},
		{"device-reconcile", "tmpfs", both(only("randread"), onFS("tmpfs")), "-", "block device under /data"},
		{"device-reconcile", "zfs", both(only("randread"), onZFS("2.3.1", nil)), "-", "block device under /data"},
		{"device-reconcile", "no watch", func(w *world) { w.only("randread"); w.at("randread").Repeats[0].Watch = nil; w.keep("randread", 1) }, "-", "kernel's counters of sda1"},
		{"device-reconcile", "no bytes", both(only("randread"), drop("randread", "storage.read.bytes")), "-", "bytes the tool moved"},

		{"direct-not-honoured", "tmpfs", both(only("randread"), onFS("tmpfs")), "E", "direct=1 on tmpfs"},
		{"direct-not-honoured", "9p", both(only("randread"), onFS("9p")), "E", "direct=1 on 9p"},
		{"direct-not-honoured", "overlay on something", both(only("randread"), onFS("overlay")), "-", "what the overlay at /data stands on"},
		{"direct-not-honoured", "overlay on a disk", func(w *world) { w.facts.Dirs[0].FileSystem = "overlay" }, "", ""},
		{"direct-not-honoured", "zfs 2.2", both(only("seqwrite"), onZFS("2.2.4-pve1", nil)), "E", "direct=1 on ZFS 2.2.4-pve1"},
		{"direct-not-honoured", "zfs 2.2, synchronous", both(only("syncwrite"), onZFS("2.2.4-pve1", nil)), "", ""},
		{"direct-not-honoured", "zfs 2.2, reads that the ARC counted", both(only("randread"), onZFS("2.2.4-pve1", nil), fromARC("randread", 1000, 990)), "", ""},
		{"direct-not-honoured", "zfs 2.3 with records", both(only("seqwrite"), onZFS("zfs-2.3.0-1", map[string]string{"recordsize": "128K", "direct": "standard"})), "", ""},
		{"direct-not-honoured", "zfs 2.3, always direct", both(only("seqwrite"), onZFS("2.3.4", map[string]string{"recordsize": "128K", "direct": "always"})), "", ""},
		{"direct-not-honoured", "zfs 2.3, never direct", both(only("seqwrite"), onZFS("2.3.4", map[string]string{"recordsize": "128K", "direct": "disabled"})), "E", "direct=1 on ZFS 2.3.4 with direct=disabled"},
		{"direct-not-honoured", "zfs 2.3, switched off in the module", both(only("seqwrite"), onZFS("2.3.4", map[string]string{"recordsize": "128K", "direct": "standard", "zfs_dio_enabled": "0"})), "E", "zfs_dio_enabled=0"},
		{"direct-not-honoured", "zfs 2.3, nobody asked", both(only("seqwrite"), onZFS("2.3.4", map[string]string{"recordsize": "128K"})), "-", "direct of tank/data"},
		{"direct-not-honoured", "zfs 2.2 with a word it does not know", both(only("seqwrite"), onZFS("2.2.4", map[string]string{"direct": "standard"})), "E", "direct=1 on ZFS 2.2.4"},
		{"direct-not-honoured", "zfs 2.3 below the record size", both(only("seqwrite"), label("seqwrite", "bs", "4k"), onZFS("2.3.0", map[string]string{"recordsize": "131072", "direct": "always"})), "E", "blocks of 4.00 KiB on records of 128 KiB"},
		{"direct-not-honoured", "zfs 2.3 reads", both(only("randread"), onZFS("2.4.0", map[string]string{"recordsize": "128K", "direct": "standard"})), "-", "in the ARC"},
		{"direct-not-honoured", "zfs of unknown version", both(only("randread"), onZFS("", nil)), "-", "version of ZFS"},
		{"direct-not-honoured", "buffered on tmpfs", both(only("dd-write"), onFS("tmpfs")), "", ""},
		{"direct-not-honoured", "unlabelled", both(only("randread"), label("randread", "direct", "")), "-", "whether the I/O was direct"},

		{"file-lt-ram", "buffered", both(only("randread"), label("randread", "direct", "0"), counted("randread", assay.DeviceCounts{}, assay.DeviceCounts{})), "E", "a file of 4.00 GiB, buffered, against 2 x 24.0 GiB of RAM = 48.0 GiB"},
		{"file-lt-ram", "buffered, but seen at the drive", both(only("randread"), label("randread", "direct", "0")), "", ""},
		{"file-lt-ram", "buffered writes that one flush ends", both(inCache("seqwrite"), set("seqwrite", "storage.write.bytes", 4<<30), label("seqwrite", "end_fsync", "1")), "", ""},
		{"file-lt-ram", "of blocks written twice one flush writes the last", both(inCache("seqwrite"), set("seqwrite", "storage.write.bytes", 8<<30), label("seqwrite", "end_fsync", "1")), "E", "a file of 4.00 GiB, buffered"},
		{"file-lt-ram", "large enough", both(only("randread"), label("randread", "direct", "0"), label("randread", "size", "48G"), counted("randread", assay.DeviceCounts{}, assay.DeviceCounts{})), "", ""},
		{"file-lt-ram", "half as large again as memory", both(only("randread"), label("randread", "direct", "0"), label("randread", "size", "36G"), counted("randread", assay.DeviceCounts{}, assay.DeviceCounts{})), "W", "a file of 36.0 GiB, buffered"},
		{"file-lt-ram", "no RAM", both(only("randread"), label("randread", "direct", "0"), counted("randread", assay.DeviceCounts{}, assay.DeviceCounts{}), func(w *world) { w.facts.Memory.Total = 0 }), "-", "size of RAM"},
		{"file-lt-ram", "unlabelled", both(only("randread"), label("randread", "direct", "")), "-", "whether the I/O was direct"},

		{"file-lt-ram", "a file much smaller than planned", both(only("randread"), lent("randread", 200<<20, 4<<30)), "W", "200 MiB where 4.00 GiB was planned"},
		{"file-lt-ram", "on a slow card", both(lent("randread", 200<<20, 4<<30), slowWrites(20e6)), "I", "200 MiB where 4.00 GiB was planned"},
		{"file-lt-ram", "smaller, and still a gibibyte", both(only("randread"), lent("randread", 1<<30, 8<<30)), "", ""},
		{"file-lt-ram", "a third of what was planned", both(only("randread"), lent("randread", 300<<20, 900<<20)), "", ""},
		{"file-lt-ram", "small and meant to be", both(only("randread"), lent("randread", 64<<20, 64<<20)), "", ""},
		{"file-lt-ram", "nobody planned it", both(only("randread"), lent("randread", 64<<20, 0)), "", ""},

		{"cache-state", "could not be dropped", both(only("dd-cold"), label("dd-cold", "cache", "unknown: the caches could not be dropped"), counted("dd-cold", assay.DeviceCounts{}, assay.DeviceCounts{})), "W", "could not be dropped"},
		{"cache-state", "re-read of more than fits", both(only("dd-warm"), func(w *world) { w.facts.Memory.Available = 445024 << 10 }, label("dd-warm", "size", "1073741824")), "W", "a warm read of 1.00 GiB with 435 MiB available"},
		{"cache-state", "nothing known of it", both(only("dd-cold"), label("dd-cold", "cache", ""), label("dd-cold", "direct", ""), counted("dd-cold", assay.DeviceCounts{}, assay.DeviceCounts{})), "-", "state of the cache"},
		{"cache-state", "not known how much memory", both(only("dd-warm"), func(w *world) { w.facts.Memory.Available = 0 }), "-", "available memory"},

		{"compressible", "zeros on ext4", both(only("dd-write"), label("dd-write", "source", "zero")), "I", "source zero on ext4"},
		{"compressible", "zeros on compressed zfs", both(only("dd-write"), label("dd-write", "source", "zero"), onZFS("2.2", map[string]string{"compression": "lz4"})), "W", "compression=lz4"},
		{"compressible", "zeros on a virtual disk", both(only("dd-write"), label("dd-write", "source", "zero"), virtio), "W", "a virtual disk"},
		{"compressible", "random data on zfs", both(only("dd-write"), onZFS("2.2", map[string]string{"compression": "lz4"})), "", ""},
		{"compressible", "nothing known", both(only("dd-write"), label("dd-write", "source", "")), "-", "what was written"},
	})
}

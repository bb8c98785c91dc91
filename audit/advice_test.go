package audit

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"assay"
)

// wrongTests are the rules that reject or warn because the wrong command was
// run: their advice includes the right one.
var wrongTests = map[string]bool{
	"pcie-ceiling": true, "sata-usb-ceiling": true, "sd-emmc-ceiling": true, "rated-exceeded": true, "dram-ceiling": true, "mem-working-set": true,
	"file-lt-ram": true, "cache-state": true, "little": true, "qd-capped": true, "pct-support": true, "extent-state": true, "jobs-overlap": true,
	"too-short": true, "turbo-window": true, "slc-cliff": true,
}

var aCommand = regexp.MustCompile(`(?:fio --|dd if=|sysbench |rados bench )[^;]*`)

// advicePasses checks the commands that a finding advises against the rules
// themselves: a test run as advised must produce no finding. strict requires
// such a command.
func advicePasses(t *testing.T, f assay.Finding, cpu assay.CPUFacts, strict bool) {
	t.Helper()
	if f.Severity != assay.Rejects && f.Severity != assay.Warns {
		return
	}
	commands := aCommand.FindAllString(f.Advice, -1)
	if strict && len(commands) == 0 && wrongTests[f.Rule] && !strings.HasPrefix(f.Metrics[0], "net.") && !strings.HasPrefix(f.Metrics[0], "object.") {
		t.Errorf("%s advises no command: %s", f.Rule, f.Advice)
	}
	for _, command := range commands {
		if strings.Contains(command, "--name=lay ") {
			continue // it measures nothing
		}
		p, ok := carriedOut(t, strings.Fields(command))
		if !ok {
			t.Errorf("%s advises what cannot be run: %s", f.Rule, command)
			continue
		}
		facts := onDisk(assay.BlockDevice{Link: gen3x4, Bus: assay.BusNVMe, Rotational: is(false), PLP: is(true)}, "ext4", 4<<30)
		facts.CPU = cpu
		facts.CPU.Governor = "performance"
		for _, fault := range faults(Audit(told(facts, p))) {
			t.Errorf("%s advises %s, which %s", f.Rule, command, fault)
		}
	}
}

// carriedOut returns what the command prints on a machine that runs it exactly.
// ok is false if a tool would refuse it.
func carriedOut(t *testing.T, argv []string) (p printout, ok bool) {
	t.Helper()
	words := map[string]string{}
	for _, word := range argv[1:] {
		key, value, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if strings.Contains(word, "%!") || strings.Contains(value, ",") && key != "bs" {
			return p, false
		}
		words[key] = value
	}
	number := func(s string) float64 { v, _ := strconv.ParseFloat(s, 64); return v }
	switch argv[0] {
	case "fio":
		return fioTold(words, argv)
	case "dd":
		count := number(words["count"])
		dir, direct := "write", words["oflag"] == "direct"
		labels := map[string]string{"tool": "dd", "engine": "psync", "iodepth": "1", "jobs": "1", "bs": words["bs"], "direct": "0", "sync": "0"}
		if words["of"] == "/dev/null" {
			dir, direct = "read", words["iflag"] == "direct"
			count = max(count, 60<<10) // the whole file
		} else {
			labels["source"] = strings.TrimPrefix(words["if"], "/dev/")
		}
		if direct {
			labels["direct"] = "1"
		}
		labels["pattern"] = dir
		p = printout{labels: labels, figures: map[string]float64{"storage." + dir + ".bandwidth": count * (1 << 20) / 60, "storage." + dir + ".bytes": count * (1 << 20), "tool.duration": 60}}
		return p, count > 0 && words["bs"] == "1M"
	case "sysbench":
		labels := map[string]string{"tool": "sysbench", "threads": words["threads"], "block": words["memory-block-size"]}
		figures := map[string]float64{"tool.duration": number(words["time"])}
		p = printout{kind: assay.KindCPU, labels: labels, figures: figures}
		if argv[1] == "memory" {
			p.kind = assay.KindMemory
			figures["memory.read.bandwidth"] = 20e9
		} else {
			figures["cpu.events_per_second"] = 1000
		}
		return p, argv[len(argv)-1] == "run" && number(words["threads"]) > 0
	case "rados":
		return printout{kind: assay.KindPool, labels: map[string]string{"tool": "rados", "threads": "16"},
			figures: map[string]float64{"pool.write.iops": 1000, "pool.write.latency.mean": .016, "pool.write.bandwidth": 4e9, "tool.duration": number(argv[4])}}, true
	}
	return p, false
}

// fioTold returns a run of fio with these options; the engine reaches the
// requested depth.
func fioTold(words map[string]string, argv []string) (p printout, ok bool) {
	depth, okDepth := parseCount(words["iodepth"])
	jobs, okJobs := parseCount(words["numjobs"])
	_, okSize := parseSize(words["size"])
	bs, okBs := parseSize(words["bs"])
	_, clocked := words["time_based"]
	runtime, err := strconv.ParseFloat(words["runtime"], 64)
	if !okDepth || !okJobs || !okSize || !okBs || !clocked || err != nil || runtime < 30 || words["zero_buffers"] != "" {
		return p, false
	}
	labels := []string{"bs", words["bs"], "pattern", words["rw"], "engine", words["ioengine"], "requested_iodepth", words["iodepth"], "iodepth", words["iodepth"],
		"jobs", words["numjobs"], "direct", words["direct"], "size", words["size"], "file", "/mnt/" + words["filename"], "offset_increment", words["offset_increment"], "overwrite", words["overwrite"]}
	for _, engine := range syncEngines {
		if words["ioengine"] == engine {
			depth = 1
		}
	}
	for _, key := range []string{"sync", "fsync", "fdatasync"} {
		if words[key] != "" {
			labels = append(labels, key, words[key])
		}
	}
	dir := "read"
	if strings.Contains(words["rw"], "write") {
		dir = "write"
	}
	iops := 1e8 / float64(max(bs, 4096))
	p = fioRun(dir, iops, float64(depth*jobs)/iops, runtime, labels...)
	p.argv = argv
	return p, true
}

// Results with strange labels still yield commands that run.
func TestCommandsOfStrangeLabels(t *testing.T) {
	for _, labels := range [][]string{
		{"bs", "; rm -rf /", "iodepth", "x", "jobs", "-1", "engine", "rbd", "pattern", "trim"},
		{"bs", "4k", "iodepth", "16", "jobs", "3", "engine", "psync", "pattern", "write", "size", "1000000001"},
		{},
	} {
		e := told(assay.Facts{}, printout{labels: with(map[string]string{"tool": "fio"}, labels...), figures: map[string]float64{"storage.write.iops": 100}})
		l := e.looks()[0]
		for _, command := range []string{l.again("write", nil), l.again("read", map[string]string{"iodepth": "8"}), l.longer(60)} {
			p, ok := carriedOut(t, strings.Fields(command))
			if !ok || strings.Contains(command, "rm") {
				t.Fatalf("cannot be run: %s", command)
			}
			for _, fault := range faults(Audit(told(assay.Facts{}, p))) {
				t.Errorf("%s: %s", command, fault)
			}
		}
	}
}

// A run with many block sizes is repeated with the same ones.
func TestCommandsOfManyBlockSizes(t *testing.T) {
	for label, want := range map[string]string{
		"512-1m": " --bsrange=512-1m ", "8k/90:16k/10": " --bssplit=8k/90:16k/10 ", "4k": " --bs=4k ", "1m-x; rm": " --bs=4k ", "a/b": " --bs=4k ",
	} {
		e := told(assay.Facts{}, printout{labels: map[string]string{"tool": "fio", "bs": label}, figures: map[string]float64{"storage.read.iops": 100}})
		if command := e.looks()[0].again("read", nil); !strings.Contains(command, want) {
			t.Errorf("%s: %q is not in %s", label, want, command)
		}
	}
}

// Advised commands work on the system and hypervisor they are for.
func TestAdviceIsForTheSystem(t *testing.T) {
	moved := func(tool string, figures map[string]float64) Evidence {
		w := good()
		both(migrated(figures), label("migration", "tool", tool))(w)
		return w.evidence()
	}
	slow := map[string]float64{"migration.throughput": 600 << 20, "migration.memory": 0}
	paused := map[string]float64{"migration.throughput": 0, "migration.downtime": .412}
	for name, c := range map[string]struct {
		rule    Rule
		of      Evidence
		want    string
		foreign string // of another system
	}{
		"caches of Linux":          {cacheState, buffered(false), "drop_caches", "windowsaio"},
		"caches of Windows":        {cacheState, buffered(true), "--ioengine=windowsaio", "drop_caches"},
		"a drive of Linux":         {noPLP, cacheUnknown(false), "/sys/block/sda/queue/write_cache", "PhysicalDisk"},
		"a drive of Windows":       {noPLP, cacheUnknown(true), "Get-StorageAdvancedProperty", "/sys/"},
		"a downtime on Proxmox VE": {migrationAverage, moved("migrate", paused), "qm set 20057 --migrate_downtime 0.5", "virsh"},
		"a downtime on libvirt":    {migrationAverage, moved("virsh", paused), "virsh migrate-setmaxdowntime 20057 500", "qm "},
		"a speed on libvirt":       {migrationAverage, moved("virsh", slow), "virsh domjobinfo 20057", "qm "},
	} {
		found := c.rule.Check(c.of)
		if len(found) == 0 || !strings.Contains(found[0].Advice, c.want) || strings.Contains(found[0].Advice, c.foreign) {
			t.Errorf("%s: want %q and no %q in %+v", name, c.want, c.foreign, found)
		}
	}
}

// buffered returns a read of previously written data that bypasses no cache.
func buffered(windows bool) Evidence {
	return told(assay.Facts{OS: assay.OSFacts{Windows: windows}}, printout{
		labels:  map[string]string{"tool": "fio", "pattern": "randread", "bs": "4k", "direct": "0", "cache": notDropped},
		figures: map[string]float64{"storage.read.bandwidth": 1e8, "storage.read.iops": 1e8 / 4096},
	})
}

// cacheUnknown returns slow synchronous writes to a drive whose write cache is unknown.
func cacheUnknown(windows bool) Evidence {
	w := good()
	w.only("syncwrite")
	w.set("syncwrite", assay.PercentileMetric("storage.write.", 50), 2.94e-3)
	w.facts.OS.Windows, w.facts.Block[0].WriteCache = windows, ""
	w.facts.Block[0].PLP, w.facts.Block[0].Model = nil, "Some SSD"
	return w.evidence()
}

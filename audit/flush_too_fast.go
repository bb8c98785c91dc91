package audit

import (
	"fmt"
	"strings"

	"assay"
	"assay/reference"
)

var flushTooFast = Rule{
	ID: "flush-too-fast", Number: 29, Applies: "fio, sysbench", Severities: "E W I",
	Title:   "A flush that cannot have happened",
	Formula: "synchronous writes, one at a time. Rotational: IOPS > rpm / 60, of random writes 2 x rpm / 60 (+ 5 %) E; if the speed is unknown 7,200 is assumed, and it is an E only above 15,000 and on plain SATA or USB, W otherwise. Flash without power-loss protection: median latency under 100 µs W; of an unknown drive, in imported output, I. On ZFS with sync=disabled W; with a log device (SLOG) its drives count. Replicated to another node: latency under the round-trip time to it E, except with DRBD's protocol A. Of sysbench fileio, in imported output, more flushes than writes: I",
	Source:  "a disk passes the same sector once per revolution, and a random one half a revolution later on average; programming a flash page takes longer than 100 µs; sysbench(1): --file-fsync-freq flushes all files, written to or not",
	Example: "4,250 IOPS against 7,200 / 60 = 120 revolutions/s: 35.4 x",
	Check: func(e Evidence) []assay.Finding {
		var found []assay.Finding
		for _, l := range e.storage() {
			if f := l.idleFlushes(); f != nil {
				found = append(found, *f)
			}
			sync, fsync := l.flushesEach()
			if !sync && !fsync || l.label("write", "tool") == "dd" || !l.positive("storage.write.iops") {
				continue
			}
			found = append(found, l.flushes()...)
		}
		return found
	},
}

// idleFlushes finds runs in which many flushes had nothing to write; nil if there were
// none.
func (l look) idleFlushes() *assay.Finding {
	flushed, ok := l.median("storage.sync.iops")
	written, okWritten := l.median("storage.write.iops")
	if !l.foreign() || l.label("", "tool") != "sysbench" || !ok || !okWritten || !(written > 0) || flushed <= written {
		return nil
	}
	f := l.finding("flush-too-fast", assay.Informs, []string{"storage.sync.iops"},
		fmt.Sprintf("%s flushes against %s writes a second: %s", figure(flushed), figure(written), times(flushed/written)),
		"sysbench flushes all of its files each time, written to or not: a flush with nothing to write returns at once, so this is not how fast the drive flushes",
		"to measure flushes, flush after each write: "+l.again("write", map[string]string{"rw": "randwrite", "iodepth": "1"})+" --fdatasync=1")
	return &f
}

func (l look) flushes() []assay.Finding {
	const id = "flush-too-fast"
	metrics := []string{"storage.write.iops"}
	if s, _ := l.facts.StackOf(l.Trial.Subject); s != nil && s.Remote > 0 && !strings.EqualFold(s.Protocol, "A") {
		return l.crossesTheNetwork()
	}
	if !l.foreign() && l.zfsSetting("sync") == "disabled" {
		return []assay.Finding{l.finding(id, assay.Warns, metrics, "sync=disabled on ZFS",
			"ZFS confirmed these synchronous writes from memory: a crash or a power failure loses the last seconds of them",
			"measure with sync=standard what a database or a VM may rely on")}
	}
	drives, missing, hint := l.logDrives()
	if missing != "" {
		if metric, latency, ok := l.flushLatency(); l.foreign() && ok && latency > 0 && latency < fastestFlush {
			return []assay.Finding{l.finding(id, assay.Informs, []string{metric},
				fmt.Sprintf("%s against the %s that flash takes to program a page", seconds(latency), seconds(fastestFlush)),
				"either the drive has power-loss protection, or these flushes wait for none: a cache answered, and loses the data when the power fails",
				"find out which: the drive's data sheet, hdparm -W, zfs get sync, the cache mode of the virtual disk")}
		}
		return []assay.Finding{l.unchecked(id, metrics, orFact(missing, "whether the drive is a spinning disk, and its power-loss protection"), hint)}
	}
	for _, d := range drives {
		if l.virtual(d) {
			return []assay.Finding{l.unchecked(id, metrics, "drive under the virtual disk "+d.Name, "a hypervisor does not reveal what it stores on; ask on the host")}
		}
		if d.Rotational == nil {
			return []assay.Finding{l.unchecked(id, metrics, "whether "+d.Name+" rotates", l.shownBy("/sys/block/"+d.Name+"/queue/rotational", "Get-PhysicalDisk"))}
		}
	}
	if len(drives) == 0 {
		return nil
	}
	// Every drive of an array must flush: the slowest kind decides.
	for _, d := range drives {
		if *d.Rotational {
			return l.turns(d, len(drives))
		}
	}
	return l.programs(drives)
}

// crossesTheNetwork judges writes that must reach another node before they
// count.
func (l look) crossesTheNetwork() []assay.Finding {
	const id = "flush-too-fast"
	metric, latency, ok := l.flushLatency()
	rtt := l.facts.RTT
	switch {
	case !ok:
		return []assay.Finding{l.unchecked(id, nil, "latency of the synchronous writes", "fio without gtod_reduce=1 prints it")}
	case !(rtt > 0):
		return []assay.Finding{l.unchecked(id, []string{metric}, "round-trip time to the other replicas", "give it: --fact rtt=0.2ms, from ping -c 100 on the replication network")}
	case latency >= roundTripSlack*rtt:
		return nil
	}
	return []assay.Finding{l.finding(id, assay.Rejects, []string{metric},
		fmt.Sprintf("%s against a round trip of %s to the next replica", seconds(latency), seconds(rtt)),
		"the write was acknowledged before another node could have received it: it was not synchronous, or not replicated",
		"check what the storage does with a flush (DRBD: protocol C; ZFS below it: zfs get sync; the guest's disk: cache=none or writethrough)")}
}

// turns judges a rotating disk, or an array that contains one.
func (l look) turns(d assay.BlockDevice, drives int) []assay.Finding {
	const id = "flush-too-fast"
	depth, okDepth := parseCount(l.label("write", "iodepth"))
	jobs, okJobs := parseCount(l.label("write", "jobs"))
	metrics := []string{"storage.write.iops"}
	if !okDepth || !okJobs {
		return []assay.Finding{l.unchecked(id, metrics, "queue depth and jobs", "the tool's command line has them")}
	}
	if depth*jobs != 1 || drives != 1 {
		return nil // requests may share a revolution or have a disk each
	}
	iops, _ := l.median("storage.write.iops")
	rpm, assumed := float64(d.RPM), ""
	if d.RPM <= 0 {
		rpm, assumed = assumedRPM, " (speed unknown, 7,200 assumed)"
	}
	limit, most := rpm/60, fmt.Sprintf("%s / 60 = %s revolutions/s", grouped(rpm, 0), figure(rpm/60))
	each := 1. // writes per revolution
	if isRandom(l.label("write", "pattern")) {
		each, limit = 2, 2*limit
		most = fmt.Sprintf("2 x %s / 60 = %s half revolutions/s", grouped(rpm, 0), figure(limit))
	}
	if iops <= limit*rotationSlack {
		return nil
	}
	severity, message := assay.Rejects, "the flush was not honoured: a cache answered instead of the disk, and loses the data on a power failure unless it has a battery"
	switch {
	case assumed == "":
	case d.Bus != assay.BusSATA && d.Bus != assay.BusUSB:
		// RAID controllers report their volumes like this, whatever the medium.
		severity, message = assay.Warns, "either a controller cache with a battery, or a flush that was not honoured"
	case iops <= each*fastestRPM/60*rotationSlack:
		severity = assay.Warns // a faster disk may do it
	}
	return []assay.Finding{l.finding(id, severity, metrics,
		fmt.Sprintf("%s IOPS against %s%s: %s", figure(iops), most, assumed, times(iops/limit)),
		message,
		"check the write cache (hdparm -W /dev/"+d.Name+", or the controller's) and at the mount options (nobarrier)")}
}

// programs judges flash.
func (l look) programs(drives []assay.BlockDevice) []assay.Finding {
	const id = "flush-too-fast"
	metric, latency, ok := l.flushLatency()
	if !ok {
		return []assay.Finding{l.unchecked(id, nil, "latency of the synchronous writes", "fio without gtod_reduce=1 prints it")}
	}
	if latency >= fastestFlush {
		return nil
	}
	for _, d := range drives {
		plp := powerLossProtection(d)
		if plp == nil {
			return []assay.Finding{l.unchecked(id, []string{metric}, "power-loss protection of "+d.Name,
				seconds(latency)+" is plausible with it and too fast without; the data sheet of "+orDefault(d.Model, "the drive")+" says which")}
		}
		if !*plp {
			advice := "do not put a database on this drive"
			if l.Trial.Lend["write_cache"] != "off" {
				advice += "; try again with the volatile write cache off: nvme set-feature /dev/" + d.Name + " --feature-id=6 --value=0"
			}
			return []assay.Finding{l.finding(id, assay.Warns, []string{metric},
				fmt.Sprintf("%s against the %s that flash takes to program a page", seconds(latency), seconds(fastestFlush)),
				"the flush was not honoured: "+orDefault(d.Model, d.Name)+" has no power-loss protection and cannot be this fast", advice)}
		}
	}
	return nil
}

// flushLatency returns how long a durable write took: its latency if the write
// itself flushes, or the time between writes if a separate call flushes.
func (l look) flushLatency() (metric string, seconds float64, ok bool) {
	if sync, _ := l.flushesEach(); !sync {
		iops, ok := l.median("storage.write.iops")
		depth, okDepth := parseCount(l.label("write", "iodepth"))
		jobs, okJobs := parseCount(l.label("write", "jobs"))
		if !ok || !okDepth || !okJobs || !(iops > 0) {
			return "", 0, false
		}
		return "storage.write.iops", float64(depth*jobs) / iops, true
	}
	for _, metric := range []string{assay.PercentileMetric("storage.write.", 50), "storage.write.latency.mean"} {
		if v, ok := l.median(metric); ok {
			return metric, v, true
		}
	}
	return "", 0, false
}

// powerLossProtection returns what the machine or the vendor says about it; nil
// if neither does.
func powerLossProtection(d assay.BlockDevice) *bool {
	if d.PLP != nil {
		return d.PLP
	}
	rated, _ := reference.Drive(d.Model, d.Bytes)
	return rated.PLP
}

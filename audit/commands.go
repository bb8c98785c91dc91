package audit

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// The commands that rules advise. Each measures what the result was meant to
// measure, and itself passes the rules: direct, on a file of a known size, for a
// minute, with an engine that reaches its depth.

const (
	againSize    = 8 << 30 // B, if the file size is unknown
	againRuntime = 60      // s
	fastestCopy  = 600e6   // B/s; a minute of it is 34 GiB
)

// asyncEngines keep several operations in flight on any file.
var asyncEngines = []string{"libaio", "io_uring", "posixaio", "windowsaio"}

// again returns a command that repeats one direction of a storage result, with
// the settings in instead replaced. FILE is left to be filled in.
func (l look) again(dir string, instead map[string]string) string {
	if command := l.copyAgain(dir); command != "" {
		return command
	}
	pick := func(key, otherwise string, good func(string) bool) string {
		for _, v := range []string{instead[key], l.label(dir, map[string]string{"rw": "pattern", "ioengine": "engine", "numjobs": "jobs"}[key]), l.label(dir, key)} {
			if v != "" && good(v) {
				return v
			}
		}
		return otherwise
	}
	isSize := func(v string) bool { _, ok := parseSize(v); return ok }
	isCount := func(v string) bool { _, ok := parseCount(v); return ok }
	isPattern := func(v string) bool {
		return slices.Contains([]string{"read", "write", "randread", "randwrite", "rw", "randrw"}, v)
	}
	pattern := pick("rw", dir, isPattern)
	var guessed []string // needed by the command, missing from the output
	if !isPattern(pick("rw", "", isPattern)) {
		guessed = append(guessed, "rw")
	}
	block := pick("bs", "", isSize)
	if block == "" {
		if block = l.blockMoved(dir); block == "" {
			block = "4k"
			if l.label(dir, "bs") == "" {
				guessed = append(guessed, "bs")
			}
		}
	}
	depth := "1"
	if sync, fsync := l.flushesEach(); l.label(dir, "iodepth") == "" && !sync && !fsync && !slices.Contains(syncEngines, l.label(dir, "engine")) {
		depth = "16" // unknown; a drive shows its best only with several at once
	}
	if depth == "16" && pick("iodepth", "", isCount) == "" {
		guessed = append(guessed, "iodepth")
	}
	depth = pick("iodepth", depth, isCount)
	usual := "libaio"
	if l.facts.OS.Windows {
		usual = "windowsaio"
	}
	engine := pick("ioengine", usual, func(v string) bool {
		return slices.Contains(asyncEngines, v) || depth == "1" && slices.Contains(syncEngines, v)
	})
	jobs := pick("numjobs", "1", isCount)
	words := []string{
		"fio --name=again --filename=FILE", "--rw=" + pattern, l.blocks(dir, instead["bs"], block),
		"--ioengine=" + engine, "--iodepth=" + depth, "--numjobs=" + jobs, "--direct=1",
	}
	bytes, ok := parseSize(instead["size"])
	if !ok {
		if bytes = l.fileBytes(dir); bytes <= 0 {
			bytes = againSize
		}
	}
	if n, _ := parseCount(jobs); n > 1 && isSequential(pattern) {
		part := max(bytes/int64(n)>>20, 1) << 20
		words = append(words, "--size="+sizeWord(part), "--offset_increment="+sizeWord(part))
	} else {
		words = append(words, "--size="+sizeWord(bytes))
	}
	if pattern != "read" && pattern != "randread" {
		words = append(words, l.writesAs(dir)...)
	}
	runtime := againRuntime
	if n, ok := parseCount(instead["runtime"]); ok {
		runtime = max(n, againRuntime)
	}
	words = append(words, fmt.Sprintf("--runtime=%d --time_based --group_reporting", runtime))
	if len(guessed) > 0 {
		words = append(words, "--description=guessed:"+strings.Join(guessed, "+"))
	}
	return strings.Join(words, " ")
}

// blockMoved returns the block size that bytes and operations imply, "" if they
// imply none: sizes are powers of two, and prints are rounded.
func (l look) blockMoved(dir string) string {
	bandwidth, ok := l.median("storage." + dir + ".bandwidth")
	iops, okIOPS := l.median("storage." + dir + ".iops")
	if !ok || !okIOPS || !(iops > 0) || !(bandwidth > 0) {
		return ""
	}
	size := bandwidth / iops
	nearest := math.Pow(2, math.Round(math.Log2(size)))
	if !(nearest >= 512 && nearest <= 64<<20) || math.Abs(size/nearest-1) > blockRounding {
		return ""
	}
	return sizeWord(int64(nearest))
}

var (
	sizeRange = lazyregexp.New(`^\d+[kmg]?-\d+[kmg]?$`)
	sizeSplit = lazyregexp.New(`^\d+[kmg]?/\d*(?::\d+[kmg]?/\d*)*$`)
)

// blocks returns fio's option for the block size, or for the mix of sizes that
// was used.
func (l look) blocks(dir, wanted, one string) string {
	switch bs := l.label(dir, "bs"); {
	case wanted != "":
	case sizeRange.MatchString(bs):
		return "--bsrange=" + bs
	case sizeSplit.MatchString(bs):
		return "--bssplit=" + bs
	}
	return "--bs=" + one
}

// writesAs returns fio's options for writes: onto blocks written before, and as
// durable as the original writes.
func (l look) writesAs(dir string) []string {
	words := []string{"--overwrite=1"}
	if sync := l.label(dir, "sync"); flushesEachWrite(sync) {
		if sync != "dsync" {
			sync = "1" // every version of fio knows that
		}
		words = append(words, "--sync="+sync)
	}
	for _, key := range []string{"fsync", "fdatasync"} {
		if _, ok := parseCount(l.label(dir, key)); ok {
			words = append(words, "--"+key+"="+l.label(dir, key))
		}
	}
	if source := l.label(dir, "source"); source != "" && source != "random" && source != "urandom" {
		words = append(words, "--refill_buffers")
	}
	return words
}

// copyAgain returns a dd command that bypasses the page cache, on
// incompressible data, for a minute at the observed speed. It is "" if another
// tool measured, or if dd was so fast that a minute of it would fill a disk.
func (l look) copyAgain(dir string) string {
	speed, ok := l.median("storage." + dir + ".bandwidth")
	if l.label(dir, "tool") != "dd" || !ok || !(speed > 0) || speed > fastestCopy {
		return ""
	}
	count := max(int64(math.Ceil(speed*againRuntime/(1<<30))), 1) << 10
	write := fmt.Sprintf("dd if=/dev/urandom of=FILE bs=1M count=%d oflag=direct conv=fsync", count)
	if dir == "write" {
		return write
	}
	return write + "; dd if=FILE of=/dev/null bs=1M iflag=direct"
}

// longer returns a command that measures the same for that many seconds, "" if
// no single command would.
func (l look) longer(seconds int) string {
	threads := "1"
	if n, ok := parseCount(l.label("", "threads")); ok {
		threads = strconv.Itoa(n)
	}
	switch tool := l.label("", "tool"); {
	case len(l.directions()) > 0:
		return l.again(l.directions()[0], map[string]string{"runtime": strconv.Itoa(seconds)})
	case l.positive("cpu.events_per_second"):
		return primes(max(float64(seconds), turboMultiple*assumedTurbo+1), threads)
	case l.positive("memory.read.bandwidth"):
		return walk(l, "read", threads)
	case l.positive("memory.write.bandwidth"):
		return walk(l, "write", threads)
	case tool == "rados":
		return l.radosAgain(seconds)
	case l.positive("net.tcp.throughput"):
		return flow{look: l, protocol: "tcp"}.command()
	case l.positive("net.udp.throughput"):
		return flow{look: l, protocol: "udp"}.command()
	}
	return ""
}

// radosAgain returns a command that writes what a read then finds; its
// placeholder is POOL, not FILE.
func (l look) radosAgain(seconds int) string {
	threads, size := 16, int64(4<<20)
	if n, ok := parseCount(l.label("", "threads")); ok {
		threads = n
	}
	if n, ok := parseSize(l.label("", "object_size")); ok {
		size = n
	}
	command := fmt.Sprintf("rados bench -p POOL %d write -b %d -t %d --no-cleanup", seconds, size, threads)
	if op := l.label("", "op"); op == "seq" || op == "rand" {
		command += fmt.Sprintf("; rados bench -p POOL %d %s -t %d", seconds, op, threads)
	} else if l.positive("pool.read.bandwidth") || l.positive("pool.read.iops") {
		command += fmt.Sprintf("; rados bench -p POOL %d seq -t %d; or rand in place of seq, if the output is of that", seconds, threads)
	}
	return command
}

// primes returns a sysbench command for the CPU.
func primes(seconds float64, threads string) string {
	return fmt.Sprintf("sysbench cpu --time=%.0f --threads=%s run", seconds, threads)
}

// walk returns a sysbench memory command in which each thread walks a buffer
// that no cache holds.
func walk(l look, op, threads string) string {
	return fmt.Sprintf("sysbench memory --memory-block-size=%dM --memory-total-size=100T --memory-oper=%s --time=%d --threads=%s run",
		bufferMiB(l.facts), op, againRuntime, threads)
}

// sizeWord formats bytes as tools take them: 8G, 1536M, 4096.
func sizeWord(bytes int64) string {
	for i, unit := range []string{"G", "M", "K"} {
		if scale := int64(1) << (30 - 10*i); bytes >= scale && bytes%scale == 0 {
			return strconv.FormatInt(bytes/scale, 10) + unit
		}
	}
	return strconv.FormatInt(bytes, 10)
}

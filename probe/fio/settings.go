package fio

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/internal/setting"
)

// auto is the value of a number that depends on the machine.
const auto = "auto"

// engineAsync stands for the best asynchronous engine of the machine.
const engineAsync = "async"

// settings holds a case's parsed and checked settings.
type settings struct {
	rw     string // read, write, rw, randread, randwrite, randrw
	bs     int64  // B
	depth  int    // iodepth, as requested
	jobs   int    // 0: auto
	direct bool
	sync   string // 0, 1 or dsync
	engine string // engineAsync, or one of fio's
	size   int64  // B; 0: auto; wholeDevice
	mix    int    // percent of reads in a mixed pattern; -1: fio's own
	rate   int    // maximum operations per second and job; 0: unlimited
	flush  int    // writes per fdatasync in each job; 0: none
	steady bool   // runs until rounds of equal length are steady; see rounds
}

// wholeDevice is the size of a region that covers the whole device.
const wholeDevice = -1

// mixed reports whether the pattern both reads and writes.
func (s settings) mixed() bool { return s.rw == "rw" || s.rw == "randrw" }

// reads reports whether the pattern only reads.
func (s settings) reads() bool { return s.rw == "read" || s.rw == "randread" }

// sequential reports whether the pattern walks through the file in order.
func (s settings) sequential() bool { return !strings.HasPrefix(s.rw, "rand") }

// Engines that a case may name. Others do not work on files, or do more to the
// machine than read and write one.
var (
	asyncEngines = []string{"io_uring", "libaio", "posixaio", engineWindows}
	syncEngines  = []string{"psync", "sync", "pvsync", "pvsync2", "vsync", "mmap"}
)

var patterns = []string{"read", "write", "rw", "randread", "randwrite", "randrw"}

// readSettings reads the settings of the case called label. Errors name the
// case and the key.
func readSettings(label string, set map[string]string) (settings, error) {
	r := setting.Of(label, set)
	s := settings{
		rw:     r.Choice("rw", append(slices.Clone(patterns), "readwrite")...),
		bs:     r.Size("bs", 4096, 512, 64*mib),
		depth:  r.Count("iodepth", 1, 1, 65536),
		jobs:   r.CountOr(auto, "numjobs", 1, 1, 1024),
		direct: r.Word("direct", "1", "0", "1") == "1",
		sync:   r.Word("sync", "0", "0", "1", "dsync", "sync"),
		engine: r.Word("engine", engineAsync, slices.Concat([]string{engineAsync}, asyncEngines, syncEngines)...),
		mix:    r.Count("rwmixread", -1, 1, 99),
		rate:   r.Count("rate_iops", 0, 1, 1e6),
		flush:  r.Count("fdatasync", 0, 1, 1e6),
		steady: r.Word("until", "", untilSteady) != "",
	}
	if s.rw == "readwrite" {
		s.rw = "rw"
	}
	if s.sync == "sync" {
		s.sync = "1"
	}
	if s.size = wholeDevice; !r.Is("size", "all") {
		s.size = r.SizeOr(auto, "size", 0, s.least(), math.MaxInt64)
	}
	r.NoEffect("fdatasync", s.reads(), "rw is "+s.rw)
	r.NoEffect("rwmixread", !s.mixed(), "rw is "+s.rw)
	if s.direct && s.bs%512 != 0 {
		r.Refuse("bs must be a multiple of 512 for direct I/O, not %d", s.bs)
	}
	return s, r.Err()
}

// least returns the minimum size of a file.
func (s settings) least() int64 {
	if s.rate > 0 {
		return leastPaced
	}
	return leastBytes
}

// resolved returns the settings as a trial carries them: nothing left to
// choose, and the file size in bytes.
func (s settings) resolved() map[string]string {
	direct := "0"
	if s.direct {
		direct = "1"
	}
	set := map[string]string{
		"rw":      s.rw,
		"bs":      setting.SizeWord(s.bs),
		"iodepth": strconv.Itoa(s.depth),
		"numjobs": strconv.Itoa(s.jobs),
		"direct":  direct,
		"sync":    s.sync,
		"engine":  s.engine,
		"size":    strconv.FormatInt(s.size, 10),
	}
	if s.mix >= 0 {
		set["rwmixread"] = strconv.Itoa(s.mix)
	}
	if s.flush > 0 {
		set["fdatasync"] = strconv.Itoa(s.flush)
	}
	if s.rate > 0 {
		set["rate_iops"] = strconv.Itoa(s.rate)
	}
	if s.steady {
		set["until"] = untilSteady
	}
	return set
}

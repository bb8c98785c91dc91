package fio

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay/internal/setting"
)

// auto is the word for a number that depends on the machine.
const auto = "auto"

// engineAsync is the word for the best asynchronous engine of the machine.
const engineAsync = "async"

// settings is a case's settings, read and checked.
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
	rate   int    // operations a second at most, of each job; 0: as many as go
	flush  int    // writes of a job before each fdatasync; 0: none
	steady bool   // it goes on until rounds of equal length are steady; see rounds
}

// wholeDevice is the size of a region that is all of a device.
const wholeDevice = -1

// mixed reports whether the pattern both reads and writes.
func (s settings) mixed() bool { return s.rw == "rw" || s.rw == "randrw" }

// sequential reports whether the pattern walks through the file in order.
func (s settings) sequential() bool { return !strings.HasPrefix(s.rw, "rand") }

// Engines that a case may name. Others work on something that is not a file, or
// do more to the machine than reading and writing one.
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
	r.NoEffect("fdatasync", s.rw == "read" || s.rw == "randread", "rw is "+s.rw)
	r.NoEffect("rwmixread", !s.mixed(), "rw is "+s.rw)
	if s.direct && s.bs%512 != 0 {
		r.Refuse("bs must be a multiple of 512 for direct I/O, not %d", s.bs)
	}
	return s, r.Err()
}

// least is the size that a file has at least.
func (s settings) least() int64 {
	if s.rate > 0 {
		return leastPaced
	}
	return leastBytes
}

// resolved writes the settings back as a trial carries them: nothing left to
// choose, the size of the file in bytes.
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

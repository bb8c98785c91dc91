package fio

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"assay"
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
	asyncEngines = []string{"io_uring", "libaio", "posixaio"}
	syncEngines  = []string{"psync", "sync", "pvsync", "pvsync2", "vsync", "mmap"}
)

var patterns = []string{"read", "write", "rw", "randread", "randwrite", "randrw"}

// readSettings reads the settings of the case called label. Errors name the
// case and the key.
func readSettings(label string, set map[string]string) (settings, error) {
	s := settings{bs: 4096, depth: 1, jobs: 1, direct: true, sync: "0", engine: engineAsync, mix: -1}
	for _, key := range slices.Sorted(maps.Keys(set)) {
		if err := s.read(key, strings.TrimSpace(set[key])); err != nil {
			return settings{}, fmt.Errorf("case %s: %s: %w", label, key, err)
		}
	}
	switch {
	case s.rw == "":
		return settings{}, assay.WithHint("rw is one of "+strings.Join(patterns, ", "),
			"case %s: rw is missing", label)
	case s.flush > 0 && (s.rw == "read" || s.rw == "randread"):
		return settings{}, fmt.Errorf("case %s: fdatasync has no effect when rw is %s", label, s.rw)
	case s.mix >= 0 && !s.mixed():
		return settings{}, fmt.Errorf("case %s: rwmixread has no effect when rw is %s", label, s.rw)
	case s.size > 0 && s.size < s.least():
		return settings{}, fmt.Errorf("case %s: size: %q is below the minimum of %dMiB", label, strings.TrimSpace(set["size"]), s.least()/mib)
	case s.direct && s.bs%512 != 0:
		return settings{}, fmt.Errorf("case %s: bs must be a multiple of 512 for direct I/O, not %d", label, s.bs)
	}
	return s, nil
}

// least is the size that a file has at least.
func (s settings) least() int64 {
	if s.rate > 0 {
		return leastPaced
	}
	return leastBytes
}

func (s *settings) read(key, value string) error {
	var err error
	switch key {
	case "rw":
		if value == "readwrite" {
			value = "rw"
		}
		s.rw, err = oneOf(value, patterns...)
	case "bs":
		if s.bs, err = readSize(value); err == nil && (s.bs < 512 || s.bs > 64<<20) {
			err = fmt.Errorf("%q is not between 512 and 64MiB", value)
		}
	case "iodepth":
		s.depth, err = readCount(value, 65536)
	case "numjobs":
		if value == auto {
			s.jobs = 0
			return nil
		}
		s.jobs, err = readCount(value, 1024)
	case "direct":
		if value, err = oneOf(value, "0", "1"); err == nil {
			s.direct = value == "1"
		}
	case "sync":
		if value == "sync" {
			value = "1"
		}
		s.sync, err = oneOf(value, "0", "1", "dsync")
	case "engine":
		s.engine, err = oneOf(value, slices.Concat([]string{engineAsync}, asyncEngines, syncEngines)...)
	case "size":
		if value == auto {
			s.size = 0
			return nil
		}
		if value == "all" {
			s.size = wholeDevice
			return nil
		}
		s.size, err = readSize(value)
	case "rwmixread":
		s.mix, err = readCount(value, 99)
	case "rate_iops":
		s.rate, err = readCount(value, 1e6)
	case "fdatasync":
		s.flush, err = readCount(value, 1e6)
	case "until":
		value, err = oneOf(value, untilSteady)
		s.steady = value != ""
	default:
		return assay.WithHint("valid settings are rw, bs, iodepth, numjobs, direct, sync, engine, size, rwmixread, rate_iops, fdatasync and until",
			"unknown setting")
	}
	return err
}

func oneOf(value string, allowed ...string) (string, error) {
	if slices.Contains(allowed, value) {
		return value, nil
	}
	return "", fmt.Errorf("%q is not one of %s", value, strings.Join(allowed, ", "))
}

func readCount(value string, most int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("%q is not a whole number from 1 to %d", value, most)
	}
	return n, nil
}

// readSize reads a size in bytes: a whole number with k, m, g, t or KiB, MiB,
// GiB, TiB, all of them powers of 1024. KB and the like are refused: people
// mean both things by them, and fio means a third (its KiB is 1000 B).
func readSize(value string) (int64, error) {
	twoMeanings := strings.HasSuffix(value, "B") && !strings.HasSuffix(value, "iB") && strings.Trim(value, "0123456789") != "B"
	n, ok := assay.ParseSize(value)
	if !ok || twoMeanings {
		return 0, fmt.Errorf("%q is not a size such as 4k, 1M or 4GiB", value)
	}
	return n, nil
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
		"bs":      blockWord(s.bs),
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

// blockWord writes a block size the one way that equal sizes share: 512, 4k, 1m.
func blockWord(n int64) string {
	switch {
	case n > 0 && n%mib == 0:
		return strconv.FormatInt(n/mib, 10) + "m"
	case n > 0 && n%1024 == 0:
		return strconv.FormatInt(n/1024, 10) + "k"
	}
	return strconv.FormatInt(n, 10)
}

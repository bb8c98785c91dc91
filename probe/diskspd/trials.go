package diskspd

import (
	"fmt"
	"strings"

	"assay"
	"assay/internal/setting"
	"assay/probe/fio"
)

const mib = int64(1) << 20

// engineWindows is fio's asynchronous engine on Windows, and the only one that DiskSpd has.
const engineWindows = "windowsaio"

// Trials returns fio's trials of the case as DiskSpd measures them.
func (*Probe) Trials(inv assay.Inventory, c assay.Case) ([]assay.Trial, error) {
	trials, err := fio.TrialsOf(name, refuses, inv, c)
	for i := range trials {
		delete(trials[i].Settings, "engine")
	}
	return trials, err
}

// refuses returns why DiskSpd cannot measure a case, or nil.
func refuses(set map[string]string, f assay.Facts, on assay.Subject) *assay.Absence {
	no := func(hint, format string, args ...any) *assay.Absence {
		return &assay.Absence{Word: assay.NotSupported, Why: fmt.Sprintf(format, args...), Hint: hint}
	}
	switch {
	case !f.OS.Windows:
		return no("", "%s does not run Windows, and DiskSpd nothing else", on.Host)
	case on.Kind != assay.KindDirectory:
		return no("", "of Windows hosts, such as %s, directories are measured, not %ss", on.Host, on.Kind)
	case !ascii(on.Name):
		return no("use another directory", "DiskSpd may not find %s: it reads file names in the system's code page", on.Name)
	case set["engine"] != engineWindows:
		return no("engine: async, or install fio in the guest", "DiskSpd has no engine %s", set["engine"])
	case set["sync"] == "dsync":
		return no("sync: 1", "DiskSpd knows no O_DSYNC")
	case set["fdatasync"] != "":
		return no("sync: 1, or install fio in the guest", "DiskSpd does not flush after writes")
	case set["until"] != "":
		return no("", "a repeat that ends when it is steady needs what the tool prints while it runs, and DiskSpd prints at its end")
	}
	if set["rw"] == "" { // of a user's job file, which fio refuses on Windows
		return nil
	}
	s, err := readSettings("", set)
	switch {
	case err != nil:
		return no("", "DiskSpd: %v", err)
	case !s.keepsPace():
		return no("install fio in the guest", "DiskSpd keeps to whole bytes per millisecond, which %d operations of %d B per second are not", s.rate, s.bs)
	}
	return nil
}

func ascii(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r > '~' || r < ' ' }) < 0
}

// settings are a trial's settings.
type settings struct {
	rw           string
	bs           int64 // B
	depth, jobs  int
	direct, sync bool
	mix          int // percent of reads in a mixed pattern
	rate         int // operations per second of each job; 0: unlimited
}

// readSettings parses a trial's settings, which fio has checked and resolved.
func readSettings(label string, set map[string]string) (settings, error) {
	r := setting.Stored(label, set)
	s := settings{
		rw:     r.Choice("rw", "read", "write", "rw", "randread", "randwrite", "randrw"),
		bs:     r.Size("bs", 4096, 512, 64*mib),
		depth:  r.Count("iodepth", 1, 1, 65536),
		jobs:   r.Count("numjobs", 1, 1, 1024),
		direct: r.Word("direct", "1", "0", "1") == "1",
		sync:   r.Word("sync", "0", "0", "1") == "1",
		mix:    r.Count("rwmixread", 50, 1, 99),
		rate:   r.Count("rate_iops", 0, 1, 1e6),
	}
	return s, r.Err()
}

// random reports whether the pattern is random within the file.
func (s settings) random() bool { return strings.HasPrefix(s.rw, "rand") }

// writes returns the share of writes among the operations, in percent.
func (s settings) writes() int {
	switch s.rw {
	case "read", "randread":
		return 0
	case "write", "randwrite":
		return 100
	}
	return 100 - s.mix
}

// throttle returns the rate in the unit that all versions support: bytes per
// millisecond.
func (s settings) throttle() int64 { return (int64(s.rate)*s.bs + 500) / 1000 }

// keepsPace reports whether throttle matches the rate, within 5 %.
func (s settings) keepsPace() bool {
	want := int64(s.rate) * s.bs
	off := s.throttle()*1000 - want
	return max(off, -off)*20 <= want
}

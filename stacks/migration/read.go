package migration

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
)

// fields parses "Key:   value" lines; of duplicates the first counts. It is pure and
// total.
func fields(text []byte) map[string]field {
	all := map[string]field{}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		key, value, is := strings.Cut(strings.TrimRight(line, " \t\r\n"), ":")
		if key = strings.TrimSpace(key); !is || key == "" {
			continue
		}
		if _, seen := all[key]; !seen {
			all[key] = field{strings.TrimSpace(value), n}
		}
	}
	return all
}

// field is the value of a key, and its line number, from 1.
type field struct {
	value string
	line  int
}

// readJob parses virsh domjobinfo of a running domain.
func readJob(text []byte) (string, error) {
	all := fields(text)
	switch kind := all["Job type"].value; kind {
	case "":
		return "", fmt.Errorf("virsh domjobinfo: %w", assay.ErrNoOutput)
	case "None", "Completed", "Failed", "Cancelled":
		return NoJob, nil
	default:
		if doing := all["Operation"].value; doing != "" {
			return doing, nil
		}
		return kind, nil
	}
}

// readInfo parses virsh dominfo.
func readInfo(text []byte) (d domain, err error) {
	all := fields(text)
	if d.Memory, err = kibibytes(all["Max memory"].value); err != nil {
		return domain{}, fmt.Errorf("max memory: %w", err)
	}
	for _, one := range []struct {
		key, yes, no string
		into         *bool
	}{{"Persistent", "yes", "no", &d.Persistent}, {"Autostart", "enable", "disable", &d.Autostart}} {
		switch value := all[one.key].value; value {
		case one.yes:
			*one.into = true
		case one.no:
		default:
			return domain{}, fmt.Errorf("%s is %.20q, not %s or %s", strings.ToLower(one.key), value, one.yes, one.no)
		}
	}
	return d, nil
}

func kibibytes(text string) (int64, error) {
	number, unit, _ := strings.Cut(text, " ")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || unit != "KiB" || n <= 0 || n > 1<<50 {
		return 0, fmt.Errorf("%.40q is not a number of KiB", text)
	}
	return n << 10, nil
}

// Figure is a number in base units, and its line number, from 1; line 0 means that it
// was not printed.
type Figure struct {
	Value float64
	Line  int
}

// Report is what libvirt reports about a finished migration.
type Report struct {
	Elapsed     Figure // s
	Setup       Figure // s
	Downtime    Figure // s
	Transferred Figure // memory sent, bytes
	Memory      Figure // of the guest, bytes
	Speed       Figure // bytes/s, as QEMU reports it
	DirtyRate   Figure // bytes/s that the guest changed
	Zero        Figure // pages of one repeated byte, sent as just that byte, bytes
	Disks       Figure // disk data sent, bytes
	DisksLeft   Figure // and not yet
}

// sizes are the units of virsh, all powers of 1024.
var sizes = map[string]float64{"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "PiB": 1 << 50, "EiB": 1 << 60}

// ReadReport parses virsh domjobinfo --completed. A job of another kind, or an incomplete
// one, is an error. It is pure and total.
func ReadReport(text []byte) (r Report, err error) {
	all := fields(text)
	switch kind := all["Job type"].value; {
	case kind == "":
		return r, fmt.Errorf("virsh domjobinfo: %w", assay.ErrNoOutput)
	case kind != "Completed":
		return r, fmt.Errorf("virsh domjobinfo: the job is %.40q, not completed", kind)
	}
	if doing := all["Operation"].value; doing != "" && doing != Leaving && doing != Arriving {
		return r, fmt.Errorf("virsh domjobinfo: %.40q is no migration", doing)
	}
	if err := r.take(all); err != nil {
		return Report{}, fmt.Errorf("virsh domjobinfo: %w", err)
	}
	if r.Elapsed.Line == 0 || r.Transferred.Line == 0 {
		return Report{}, fmt.Errorf("virsh domjobinfo: %w: neither time nor memory in it", assay.ErrNoOutput)
	}
	return r, nil
}

// ReadProgress parses virsh domjobinfo of a migration in progress, from the host that the
// guest leaves. ok is false if there is none, or nothing was sent yet. It is pure and total.
func ReadProgress(text []byte) (r Report, ok bool) {
	all := fields(text)
	if all["Operation"].value != Leaving || r.take(all) != nil {
		return Report{}, false
	}
	return r, r.Elapsed.Line > 0 && r.Transferred.Line > 0 && r.Memory.Line > 0
}

// A migration is hopeless once the guest's memory has been sent this many times over, in at
// least this many seconds.
const (
	hopelessTimes = 5
	hopelessAfter = 30
)

// Hopeless reports whether a migration in progress has sent so much that it will not converge:
// the guest changes its memory faster than it is sent.
func (r Report) Hopeless() bool {
	return r.Elapsed.Value > hopelessAfter && r.Memory.Value > 0 && r.Transferred.Value > hopelessTimes*r.Memory.Value
}

// Copied reports whether all of the guest's disks have been sent: its memory follows them.
func (r Report) Copied() bool {
	return r.Disks.Value > 0 && r.DisksLeft.Line > 0 && r.DisksLeft.Value == 0
}

// take stores the figures of a job.
func (r *Report) take(all map[string]field) (err error) {
	page := Figure{}
	pages, zero := Figure{}, Figure{}
	for _, one := range []struct {
		key  string
		unit map[string]float64
		into *Figure
	}{
		{"Time elapsed", milliseconds, &r.Elapsed},
		{"Setup time", milliseconds, &r.Setup},
		{"Total downtime", milliseconds, &r.Downtime},
		{"Memory processed", sizes, &r.Transferred},
		{"Memory total", sizes, &r.Memory},
		{"Memory bandwidth", rates, &r.Speed},
		{"File processed", sizes, &r.Disks},
		{"File remaining", sizes, &r.DisksLeft},
		{"Page size", pageSizes, &page},
		{"Dirty rate", pageRates, &pages},
		{"Constant pages", counts, &zero},
	} {
		f, there := all[one.key]
		if !there {
			continue
		}
		if one.into.Value, err = scaled(f.value, one.unit); err != nil {
			return fmt.Errorf("line %d: %s: %w", f.line, one.key, err)
		}
		one.into.Line = f.line
	}
	if page.Line > 0 {
		for _, one := range []struct{ from, into *Figure }{{&pages, &r.DirtyRate}, {&zero, &r.Zero}} {
			if one.from.Line > 0 {
				*one.into = Figure{one.from.Value * page.Value, one.from.Line}
			}
		}
	}
	return nil
}

var (
	milliseconds = map[string]float64{"ms": 1e-3}
	rates        = map[string]float64{"B/s": 1, "KiB/s": 1 << 10, "MiB/s": 1 << 20, "GiB/s": 1 << 30, "TiB/s": 1 << 40}
	pageSizes    = map[string]float64{"bytes": 1}
	pageRates    = map[string]float64{"pages/s": 1}
	counts       = map[string]float64{"": 1}
)

// scaled parses a number with its unit: finite, not negative, below 1e18.
func scaled(text string, units map[string]float64) (float64, error) {
	words := strings.Fields(text)
	unit := ""
	if len(words) == 2 {
		unit = words[1]
	}
	if len(words) == 0 || len(words) > 2 || units[unit] == 0 {
		return 0, fmt.Errorf("%.40q is not a valid figure", text)
	}
	v, err := strconv.ParseFloat(words[0], 64)
	if v *= units[unit]; err != nil || math.IsNaN(v) || v < 0 || v > 1e18 {
		return 0, fmt.Errorf("%.40q is not a valid figure", text)
	}
	return v, nil
}

// ReadLimit parses virsh migrate-getmaxdowntime, in s.
func ReadLimit(text []byte) (float64, error) {
	ms, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 32)
	if err != nil {
		return 0, fmt.Errorf("virsh migrate-getmaxdowntime: %w: %.40q", assay.ErrNoOutput, text)
	}
	return float64(ms) / 1000, nil
}

package traits

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"assay"
)

// none is the text of a limit known not to exist.
const none = "none"

// quota returns the CPU quota of the control group: "8 % of one CPU", "1.5
// CPUs".
func quota(f assay.Facts) string {
	switch {
	case f.Limits == nil:
		return ""
	case f.Limits.CPU <= 0:
		return none
	case f.Limits.CPU < 1:
		return fmt.Sprintf("%.3g %% of one CPU", 100*f.Limits.CPU)
	case f.Limits.CPU == 1:
		return "1 CPU"
	}
	return number(f.Limits.CPU, 1, "CPUs")
}

func memoryLimit(f assay.Facts) string {
	if f.Limits == nil {
		return ""
	}
	if f.Limits.Memory < 1<<30 {
		return cmp.Or(number(float64(f.Limits.Memory), 1<<20, "MiB"), none)
	}
	return number(float64(f.Limits.Memory), 1<<30, "GiB")
}

// ioLimit returns the control group's I/O limits on this host's devices. A device that
// holds a measured directory is named by the directory, because kernels name like
// devices differently. A loop device that holds none is skipped: it belongs to
// somebody else, and comes and goes; if it went before it was looked up, it has only a
// number, such as 7:2.
func ioLimit(f assay.Facts) string {
	if f.Limits == nil {
		return ""
	}
	return ofDevices(ioLimits(f), nil)
}

// ioLimits returns the limits of each device by its name, or by the directory on it: bytes
// read and written per second, then reads and writes per second. "" is no limit.
func ioLimits(f assay.Facts) map[string][4]string {
	all := map[string][4]string{}
	for _, l := range f.Limits.IO {
		name := l.Device
		at := slices.IndexFunc(f.Dirs, func(d assay.DirFacts) bool { return d.Device == l.Device || slices.Contains(d.Drives, l.Device) })
		passing := strings.HasPrefix(l.Device, "loop") || strings.Contains(l.Device, ":")
		switch {
		case at >= 0:
			name = f.Dirs[at].Path
		case passing:
			continue
		}
		all[name] = [4]string{
			rate(l.ReadBytes, "read"), rate(l.WriteBytes, "write"),
			number(float64(l.Reads), 1, "reads/s"), number(float64(l.Writes), 1, "writes/s"),
		}
	}
	return all
}

// ofDevices formats limits, except those that others have too.
func ofDevices(all, others map[string][4]string) string {
	var devices []string
	for name, limits := range all {
		var parts []string
		for i, limit := range limits {
			if limit != "" && limit != others[name][i] {
				parts = append(parts, limit)
			}
		}
		if len(parts) > 0 {
			devices = append(devices, name+": "+strings.Join(parts, ", "))
		}
	}
	slices.Sort(devices)
	return cmp.Or(strings.Join(devices, "; "), none)
}

// IOLimitsApart returns the I/O limits of two hosts where they differ: "none" for a
// host without any there.
func IOLimitsApart(a, b assay.Facts) (ofA, ofB string) {
	if a.Limits == nil || b.Limits == nil {
		return ioLimit(a), ioLimit(b)
	}
	la, lb := ioLimits(a), ioLimits(b)
	return ofDevices(la, lb), ofDevices(lb, la)
}

// rate formats a limit in bytes per second to three digits; "" if there is
// none.
func rate(bytes int64, of string) string {
	if bytes <= 0 {
		return ""
	}
	return plainly(float64(bytes)/1e6, 3) + " MB/s " + of
}

// resync returns what the MD arrays of a host are busy with.
func resync(f assay.Facts) string {
	var busy []string
	for _, b := range f.Block {
		if b.Sync != "" && b.Sync != "idle" {
			busy = append(busy, b.Name+": "+b.Sync)
		}
	}
	return cmp.Or(strings.Join(busy, ", "), none)
}

// enough is the text for file systems with room; leastFree is the share of free
// space below which one is nearly full, as in rule nearly-full.
const (
	enough    = "enough"
	leastFree = .10
)

// space returns the share of free space of the fullest directory queried.
func space(f assay.Facts) string {
	least := math.Inf(1)
	for _, d := range f.Dirs {
		if d.Bytes > 0 {
			least = min(least, float64(d.Free)/float64(d.Bytes))
		}
	}
	switch {
	case math.IsInf(least, 1):
		return ""
	case least >= leastFree:
		return enough
	}
	if least < .005 {
		return "no space left"
	}
	return fmt.Sprintf("only %.2g %% of its space free", 100*least)
}

const script = " (a script)"

// tool returns a program's version, and whether it is a script around one.
func tool(name string) func(assay.Facts) string {
	return func(f assay.Facts) string {
		t := f.Tool(name)
		if t.Path == "" || t.Version == "" {
			return ""
		}
		if t.Script {
			return t.Version + script
		}
		return t.Version
	}
}

// inStep is the text for a correct clock; clockSlack, in s, is how far it may be from
// ours beyond the uncertainty of the offset. NTP over the Internet stays within it.
const (
	inStep     = "in step"
	clockSlack = .1
)

// clock returns how far the clock is from that of the querying machine.
func clock(f assay.Facts) string {
	c := f.Clock
	switch {
	case c == nil:
		return ""
	case math.Abs(c.Offset) <= clockSlack+c.Within:
		return inStep
	case c.Offset < 0:
		return offBy(-c.Offset) + " behind"
	}
	return offBy(c.Offset) + " ahead"
}

// offBy formats seconds to two digits, and as whole numbers from ten on.
func offBy(seconds float64) string {
	if seconds < 10 {
		return fmt.Sprintf("%.2g s", seconds)
	}
	return fmt.Sprintf("%.0f s", seconds)
}

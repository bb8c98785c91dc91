package migrate

import (
	"slices"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// disks holds the disk copies that a migration made, if the storage is not
// shared.
type disks struct {
	mirrors map[string]*mirror
	order   []string
	copies  []volume
	bad     bool // an impossible figure
}

// mirror is one disk copied while the guest runs.
type mirror struct {
	bytes   float64
	seconds float64 // negative: not printed
	line    int
	ready   bool
}

// volume is one disk copied while the guest is stopped.
type volume struct {
	bytes, seconds float64
	line           int
}

var (
	lineMirror = lazyregexp.New(`^(?:drive|mirror)-(\w+): transferred:? ` + size + ` of ` + size + ` \(([\d.]+)%\) in ((?:\d+[wdhms] ?)+)(, ready|, still busy)?$`)
	// Release 6.2 and before.
	lineOldMirror = lazyregexp.New(`^(?:drive|mirror)-(\w+): transferred: (\d+) bytes remaining: \d+ bytes total: \d+ bytes progression: [\d.]+ % busy: [01] ready: ([01])`)
	lineCopied    = lazyregexp.New(`^(\d+) bytes(?: \([^)]*\))? copied, ([\d.]+) s,`)
	partOfTime    = lazyregexp.New(`(\d+)([wdhms])`)
)

// take reads one line, and reports whether it is about a disk.
func (d *disks) take(said string, line int) bool {
	if m := lineMirror.FindStringSubmatch(said); m != nil {
		bytes, err := number(m[2])
		took, ok := elapsed(m[7])
		if err != nil || !ok {
			d.bad = true
			return true
		}
		d.mirror(m[1], mirror{bytes * scale(m[3]), took, line, m[8] == ", ready" || m[6] == "100.00"})
		return true
	}
	if m := lineOldMirror.FindStringSubmatch(said); m != nil {
		bytes, err := number(m[2])
		if err != nil {
			d.bad = true
			return true
		}
		d.mirror(m[1], mirror{bytes, -1, line, m[3] == "1"})
		return true
	}
	if m := lineCopied.FindStringSubmatch(said); m != nil {
		bytes, err := number(m[1])
		seconds, err2 := number(m[2])
		if err != nil || err2 != nil {
			d.bad = true
			return true
		}
		// The copy reports its progress every second; less than before means another
		// disk.
		next := volume{bytes, seconds, line}
		if n := len(d.copies); n > 0 && bytes >= d.copies[n-1].bytes && seconds >= d.copies[n-1].seconds {
			d.copies[n-1] = next
		} else {
			d.copies = append(d.copies, next)
		}
		return true
	}
	return false
}

// mirror keeps the values from when the copy became ready: from then on it only
// follows the guest's writes.
func (d *disks) mirror(name string, m mirror) {
	if d.mirrors == nil {
		d.mirrors = map[string]*mirror{}
	}
	before := d.mirrors[name]
	if before == nil {
		d.order = append(d.order, name)
	} else if before.ready {
		return
	}
	d.mirrors[name] = &m
}

// names returns the names of the mirrored disks.
func (d *disks) names() string { return strings.Join(slices.Sorted(slices.Values(d.order)), ",") }

// figures returns how much was sent for all disks, and how long it took:
// mirrors run concurrently, copies one after the other. ok is false if a disk
// was not copied completely.
func (d *disks) figures(finished bool) (sent, took figure, ok bool) {
	if d.bad || len(d.order)+len(d.copies) == 0 || len(d.copies) > 0 && !finished {
		return sent, took, false
	}
	known := true
	for _, name := range d.order {
		m := d.mirrors[name]
		if !m.ready {
			return sent, took, false
		}
		sent = figure{sent.value + m.bytes, m.line}
		known = known && m.seconds >= 0
		took = figure{max(took.value, m.seconds), m.line}
	}
	for _, v := range d.copies {
		sent = figure{sent.value + v.bytes, v.line}
		took = figure{took.value + v.seconds, v.line}
	}
	if !known {
		took = figure{}
	}
	return sent, took, true
}

// elapsed reads "1h 2m 3s" in seconds.
func elapsed(text string) (float64, bool) {
	total := 0.0
	for _, m := range partOfTime.FindAllStringSubmatch(text, -1) {
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil || n > 1e9 {
			return 0, false
		}
		total += n * map[string]float64{"w": 7 * 86400, "d": 86400, "h": 3600, "m": 60, "s": 1}[m[2]]
	}
	return total, true
}

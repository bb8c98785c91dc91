package read

import (
	"strconv"
	"strings"

	"assay/incident"
)

// normalized reads attributes of SSDs whose normalised value, the fourth column, tells how
// much of their life is left: at 1 or 0 none is.
func (r *Reader) normalized(text string, n int) {
	fields := strings.Fields(text)
	if len(fields) < 10 || !digits(fields[0]) {
		return
	}
	if left, err := strconv.Atoi(fields[3]); err == nil && left <= 1 {
		r.smart(incident.SMARTWorn, 1, text, n)
	}
}

// statistic reads a row of the device statistics (GP log 4) that smartctl -x prints:
// "0x04  0x008  4  12  ---  Number of Reported Uncorrectable Errors".
func statistic(kind incident.Kind) func(*Reader, string, int) {
	return func(r *Reader, text string, n int) {
		if fields := strings.Fields(text); len(fields) > 4 && strings.HasPrefix(fields[0], "0x") && strings.HasPrefix(fields[1], "0x") {
			r.count(kind, fields[3], text, n)
		}
	}
}

// errorCounters reads a row of the error counter log of a SAS drive, of which the last
// column counts errors that were not corrected.
func (r *Reader) errorCounters(text string, n int) {
	fields := strings.Fields(text)
	if len(fields) != 8 || fields[0] != "read:" && fields[0] != "write:" && fields[0] != "verify:" {
		return
	}
	for _, f := range fields[1:] {
		if strings.Trim(f, "0123456789.") != "" {
			return
		}
	}
	if v, err := strconv.ParseInt(fields[7], 10, 64); err == nil && v > 0 {
		r.smart(incident.SMARTMedia, float64(v), text, n)
	}
}

// manyMedia is how many media errors a RAID controller counts of no drive that is well.
const manyMedia = 100

// raidCount reads "Media Error Count: 12" and "Predictive Failure Count: 3" of the tools of
// RAID controllers. A drive has a few media errors over its life, and none that it predicts.
func (r *Reader) raidCount(text string, n int) {
	name, value, _ := strings.Cut(text, ":")
	v, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	switch {
	case err != nil || v <= 0:
	case strings.Contains(name, "Predictive"):
		r.event(incident.RAIDDrive, "", float64(v), stamped{text: text}, n)
	case v >= manyMedia:
		r.event(incident.RAIDDrive, "", float64(v), stamped{text: text}, n)
	default:
		r.event(incident.SMARTMedia, "", float64(v), stamped{text: text}, n)
	}
}

// failed is which sectors of a disk could not be read, and the line that said so last, as
// far as is remembered.
type failed map[string]map[uint64]int

const (
	// mostDisks and mostSectors bound what is remembered.
	mostDisks, mostSectors = 256, 256
	// probed are sectors that programs look at again and again to see what is on a disk.
	probed = 1 << 16
)

// failedSector notes reads that failed, and those of a sector that failed before. The value
// of that event is how many sectors had failed until then.
func (r *Reader) failedSector(text string, n int) {
	name, rest := device(text), after("sector ")(text)
	sector, err := strconv.ParseUint(rest, 10, 64)
	if err != nil || sector < probed || name == "" || strings.Contains(text, "WRITE") || strings.Contains(text, "DISCARD") || strings.Contains(text, "FLUSH") {
		return
	}
	if r.failed == nil {
		r.failed = failed{}
	}
	of := r.failed[name]
	if of == nil {
		if len(r.failed) >= mostDisks {
			return
		}
		of = map[uint64]int{}
		r.failed[strings.Clone(name)] = of
	}
	before, again := of[sector]
	switch {
	case again && n > before+1: // the same error may be told twice
		r.event(incident.SectorAgain, incident.Whole(name), float64(len(of)), r.line, n)
	case len(of) >= mostSectors:
	case !again:
		of[sector] = n
	}
}

// badBlocks reads "Pass completed, 12 bad blocks found. (12/0/0 errors)" of badblocks.
func (r *Reader) badBlocks(text string, n int) {
	if found := before(" bad blocks found")(text); digits(found) && found != "0" {
		r.event(incident.IOError, "", 0, stamped{text: text}, n)
	}
}

// hotDisk and hotNVMe are temperatures in degrees Celsius that no maker lets drives reach.
const hotDisk, hotNVMe = 66, 85

// driveHeat reads the temperature of a drive: the raw value of an attribute, or that of
// NVMe, "Temperature: 86 Celsius".
func (r *Reader) driveHeat(text string, n int) {
	if fields := strings.Fields(text); len(fields) >= 10 && (fields[0] == "194" || fields[0] == "190") {
		if degrees, err := strconv.Atoi(fields[9]); err == nil && degrees >= hotDisk && degrees < 130 {
			r.smart(incident.Warm, float64(degrees), text, n)
		}
		return
	}
	if _, value, is := strings.Cut(text, ":"); is && strings.HasPrefix(text, "Temperature:") {
		if degrees, err := strconv.Atoi(word(value)); err == nil && degrees >= hotNVMe && degrees < 200 {
			r.smart(incident.Warm, float64(degrees), text, n)
		}
	}
}

// warned reads a line with which smartctl explains a bit of an NVMe drive's critical warning.
func warned(bit float64) func(*Reader, string, int) {
	return func(r *Reader, text string, n int) { r.smart(incident.SMARTWarning, bit, text, n) }
}

// farBeyond is how many times a device's size an address must be that no device ever had.
const farBeyond = 4

// beyondEnd reads "sda1: rw=0, want=4121118138320289800, limit=5846859776": a block number
// far beyond the device is no number that was written there, and one that is not far is of
// a device that was longer. One whose limit is 0 is gone.
func (r *Reader) beyondEnd(text string, n int) {
	head, rest, _ := strings.Cut(text, ", want=")
	wanted, rest, _ := strings.Cut(rest, ", limit=")
	want, err := strconv.ParseUint(wanted, 10, 64)
	limit, err2 := strconv.ParseUint(word(rest), 10, 64)
	name := device(head) // drives without a medium have none
	switch {
	case err != nil || err2 != nil || name == "":
	case limit == 0:
		r.event(incident.DeviceOffline, name, 0, r.line, n)
	case want/farBeyond > limit:
		r.event(incident.FSCorrupt, name, 0, r.line, n)
	case want > limit:
		r.event(incident.DeviceShort, name, 0, r.line, n)
	}
}

package read

import (
	"strconv"
	"strings"

	"assay/incident"
)

// normalized reads SSD attributes whose normalised value, the fourth column, is the
// remaining life: at 1 or 0 none is left.
func (r *Reader) normalized(text string, n int) {
	fields := strings.Fields(text)
	if len(fields) < 10 || !digits(fields[0]) {
		return
	}
	if left, err := strconv.Atoi(fields[3]); err == nil && left <= 1 {
		r.smart(incident.SMARTWorn, 1, text, n)
	}
}

// statistic parses a row of the device statistics (GP log 4) in smartctl -x: "0x04
// 0x008  4  12  ---  Number of Reported Uncorrectable Errors".
func statistic(kind incident.Kind) func(*Reader, string, int) {
	return func(r *Reader, text string, n int) {
		if fields := strings.Fields(text); len(fields) > 4 && strings.HasPrefix(fields[0], "0x") && strings.HasPrefix(fields[1], "0x") {
			r.count(kind, fields[3], text, n)
		}
	}
}

// errorCounters parses a row of a SAS drive's error counter log, whose last column
// counts uncorrected errors.
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

// manyMedia is a media error count that no healthy drive reaches on a RAID controller.
const manyMedia = 100

// raidCount parses "Media Error Count: 12" and "Predictive Failure Count: 3" from RAID
// controller tools. A few media errors over a drive's life are normal, predicted failures
// are not.
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

// failed maps disks to their unreadable sectors, and those to the line that last reported
// them, as far as remembered.
type failed map[string]map[uint64]int

const (
	// mostDisks and mostSectors bound what is remembered.
	mostDisks, mostSectors = 256, 256
	// probed is the end of the sectors that programs keep reading to see what is on a
	// disk.
	probed = 1 << 16
)

// failedSector notes failed reads, and reports those of a sector that failed before. The
// event's value is the number of sectors that had failed by then.
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
	case again && n > before+1: // the same error may be logged twice
		r.event(incident.SectorAgain, incident.Whole(name), float64(len(of)), r.line, n)
	case len(of) >= mostSectors:
	case !again:
		of[sector] = n
	}
}

// badBlocks parses "Pass completed, 12 bad blocks found. (12/0/0 errors)" from
// badblocks.
func (r *Reader) badBlocks(text string, n int) {
	if found := before(" bad blocks found")(text); digits(found) && found != "0" {
		r.event(incident.IOError, "", 0, stamped{text: text}, n)
	}
}

// hotDisk and hotNVMe are temperatures in degrees Celsius that no manufacturer permits.
const hotDisk, hotNVMe = 66, 85

// driveHeat reads a drive's temperature: an attribute's raw value, or NVMe's
// "Temperature: 86 Celsius".
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

// warned handles a smartctl line that explains a bit of an NVMe drive's critical warning.
func warned(bit float64) func(*Reader, string, int) {
	return func(r *Reader, text string, n int) { r.smart(incident.SMARTWarning, bit, text, n) }
}

// farBeyond is the multiple of a device's size past which an address can never have been
// valid.
const farBeyond = 4

// beyondEnd parses "sda1: rw=0, want=4121118138320289800, limit=5846859776": a block
// number far beyond the device is corrupt, and one not far beyond is from a device that
// was longer. A device with limit 0 is gone.
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

package read

import (
	"strconv"
	"strings"

	"assay/incident"
)

// btrfsStat parses one counter of btrfs device stats: "[/dev/sdd1].corruption_errs
// 312".
func (r *Reader) btrfsStat(text string, n int) {
	at, counter, ok := strings.Cut(text, "].")
	_, path, named := strings.Cut(at, "[")
	fields := strings.Fields(counter)
	if !ok || !named || len(fields) != 2 {
		return
	}
	v, err := strconv.ParseFloat(fields[1], 64)
	if err != nil || v <= 0 {
		return
	}
	name := device(path)
	switch fields[0] {
	case "corruption_errs":
		r.event(incident.FSChecksum, name, v, stamped{text: text}, n)
	case "write_io_errs", "read_io_errs", "flush_io_errs":
		r.event(incident.FSDevErrs, name, v, stamped{text: text}, n)
	}
}

// scrubLines is the number of lines after its errors within which a scrub reports how
// many it repaired.
const scrubLines = 4

// scrubErrors parses the findings of btrfs scrub: "Error summary:    csum=312", or
// "error details: csum=2" in versions up to 5.3.
func (r *Reader) scrubErrors(text string, n int) {
	r.scrubbed = n
	if _, sums, is := strings.Cut(text, "csum="); is && word(sums) != "0" {
		r.event(incident.FSChecksum, "", 0, stamped{text: text}, n)
	}
	if strings.Contains(text, " read=") || strings.Contains(text, ":    read=") {
		r.event(incident.IOError, "", 0, stamped{text: text}, n)
	}
}

// scrubRepaired parses how many of them were repaired from another copy: "Corrected: 312",
// or "corrected errors: 2, uncorrectable errors: 0".
func (r *Reader) scrubRepaired(text string, n int) {
	if r.scrubbed == 0 || n-r.scrubbed > scrubLines {
		return
	}
	_, value, _ := strings.Cut(text, ":")
	if repaired, err := strconv.ParseFloat(word(strings.TrimSpace(value)), 64); err == nil && repaired > 0 {
		r.event(incident.FSRepaired, "", repaired, stamped{text: text}, n)
	}
}

package read

import (
	"slices"
	"strconv"
	"strings"

	"assay/incident"
)

// lvsHeader starts an lvs table.
func (r *Reader) lvsHeader(text string, _ int) {
	fields := strings.Fields(text)
	if slices.Contains(fields, "LV") && slices.Contains(fields, "VG") && slices.Contains(fields, "Attr") {
		r.table = lvsTable{}
	}
}

// lvsTable is the output of lvs, from which thin pools are read.
type lvsTable struct{}

// thinHealth are the values of the ninth attribute of a thin pool that can't take writes
// (man lvs): it failed, is out of data space, or its metadata are read-only.
const thinHealth = "FDM"

func (lvsTable) row(r *Reader, line string, n int) bool {
	fields := strings.Fields(line)
	at := slices.IndexFunc(fields, isLVAttr)
	if at < 1 {
		return false
	}
	attr := fields[at]
	if attr[0] != 't' {
		if attr[0] == '-' && attr[4] == '-' {
			r.event(incident.LVInactive, strings.Trim(fields[0], "[]"), 0, stamped{text: line}, n)
		}
		return true
	}
	full := strings.IndexByte(thinHealth, attr[8]) >= 0
	for _, f := range fields[at+1:] {
		if share, err := strconv.ParseFloat(f, 64); err == nil && share >= 100 && strings.Contains(f, ".") {
			full = true // data or metadata usage: sizes have a unit
		}
	}
	if full {
		r.event(incident.ThinFull, strings.Trim(fields[0], "[]"), 0, stamped{text: line}, n)
	}
	return true
}

// isLVAttr reports whether a word is a logical volume's attribute string:
// twi-aot-D-.
func isLVAttr(w string) bool {
	return len(w) == 10 && strings.IndexByte("CmMoOrRsSpvViIlcteEdD-", w[0]) >= 0 && strings.IndexByte("wrRd-", w[1]) >= 0 && strings.IndexByte("acilnuACILN-", w[2]) >= 0
}

// lvdisplay reads "Allocated pool data 100.00%" of a thin pool.
func (r *Reader) lvdisplay(text string, n int) {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return // the words are elsewhere in a JSON entry
	}
	if share, err := strconv.ParseFloat(strings.TrimSuffix(fields[len(fields)-1], "%"), 64); err == nil && share >= 100 {
		r.event(incident.ThinFull, "", 0, stamped{text: text}, n)
	}
}

package read

import (
	"strings"

	"assay/incident"
)

// inactiveArray notes an array that /proc/mdstat calls inactive; the line below tells
// whether it is one.
func (r *Reader) inactiveArray(text string, n int) {
	if name := before(" : inactive")(text); strings.HasPrefix(name, "md") {
		r.table = mdstatTable{strings.Clone(name), excerpt(text), n}
	}
}

// mdstatTable is what follows an inactive array in /proc/mdstat.
type mdstatTable struct {
	name, text string
	at         int
}

// row reads the line below. Containers of firmware RAID (Intel's, DDF) are always inactive:
// their arrays stand beside them.
func (t mdstatTable) row(r *Reader, line string, _ int) bool {
	if !strings.Contains(line, "super external:") {
		r.event(incident.MDInactive, t.name, 0, stamped{text: t.text}, t.at)
	}
	return false
}

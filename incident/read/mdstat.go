package read

import (
	"strconv"
	"strings"

	"assay/incident"
)

// inactiveArray notes an array that /proc/mdstat lists as inactive; the next line
// shows whether it really is an array.
func (r *Reader) inactiveArray(text string, n int) {
	if name := before(" : inactive")(text); strings.HasPrefix(name, "md") {
		r.table = mdstatTable{strings.Clone(name), excerpt(text), n}
	}
}

// activeArray notes an array that /proc/mdstat lists as active; the next line shows
// whether it lacks a member.
func (r *Reader) activeArray(text string, _ int) {
	if name := before(" : active")(text); strings.HasPrefix(name, "md") {
		r.table = activeTable{strings.Clone(name)}
	}
}

// activeTable handles the line after an active array in /proc/mdstat.
type activeTable struct{ name string }

// row reads "976630464 blocks super 1.2 [2/1] [U_]".
func (t activeTable) row(r *Reader, line string, n int) bool {
	fields := strings.Fields(line)
	if len(fields) < 3 || fields[1] != "blocks" {
		return false
	}
	if members := fields[len(fields)-1]; strings.Contains(members, "_") && strings.Trim(members, "[U_]") == "" {
		r.event(incident.MDDegraded, t.name, 0, stamped{text: line}, n)
	}
	return false
}

// activeWith reads "md/raid1:md0: active with 1 out of 2 mirrors".
func (r *Reader) activeWith(text string, n int) {
	_, rest, _ := strings.Cut(text, "active with ")
	fields := strings.Fields(rest)
	if len(fields) < 4 || fields[1] != "out" || fields[2] != "of" {
		return
	}
	has, err := strconv.Atoi(fields[0])
	wants, err2 := strconv.Atoi(fields[3])
	if err == nil && err2 == nil && has < wants {
		r.event(incident.MDDegraded, blockDevice(text), 0, r.line, n)
	}
}

// mdstatTable handles the line after an inactive array in /proc/mdstat.
type mdstatTable struct {
	name, text string
	at         int
}

// row reads the next line. Containers of firmware RAID (Intel's, DDF) are always inactive:
// their arrays are listed separately.
func (t mdstatTable) row(r *Reader, line string, _ int) bool {
	if !strings.Contains(line, "super external:") {
		r.event(incident.MDInactive, t.name, 0, stamped{text: t.text}, t.at)
	}
	return false
}

package read

import (
	"strings"

	"assay/incident"
)

// ataCommand notes which command libata reports next.
func (r *Reader) ataCommand(text string, _ int) {
	_, command, _ := strings.Cut(text, "failed command: ")
	r.command = strings.Clone(word(command))
}

// ataAbort finds reads that a drive refused. Other commands are refused where a drive does
// not know them.
func (r *Reader) ataAbort(text string, n int) {
	if r.command == "READ" {
		r.event(incident.ATAAborted, blockDevice(text), 0, stamped{text: text}, n)
	}
	r.command = ""
}

// security is the heading in hdparm -I.
func (r *Reader) security(text string, n int) {
	if strings.TrimSpace(text) == "Security:" {
		r.secured = n
	}
}

// securityLines is how long the section is at most.
const securityLines = 12

// locked reads "locked" in that section, where it else says "not locked".
func (r *Reader) locked(text string, n int) {
	if strings.TrimSpace(text) == "locked" && r.secured > 0 && n-r.secured <= securityLines {
		r.event(incident.DriveLocked, r.drive, 0, stamped{text: "Security: locked"}, n)
	}
}

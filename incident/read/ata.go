package read

import (
	"strings"

	"assay/incident"
)

// ataCommand notes which command libata reports next.
func (r *Reader) ataCommand(text string, _ int) {
	_, command, _ := strings.Cut(text, "failed command: ")
	r.command = strings.Clone(word(command))
	ataSays(ataPort.failed)(r, text, 0)
}

// ataPort is what libata said last of a SATA port.
type ataPort struct {
	vacant bool // it was empty, or its drive was exchanged
	resets bool // its link is being reset
	works  bool // a command failed: there is a drive
}

func (p ataPort) changed() (ataPort, bool) { p.vacant = !p.works; return p, false }
func (p ataPort) reset() (ataPort, bool)   { p.resets = true; return p, false }
func (ataPort) failed() (ataPort, bool)    { return ataPort{works: true}, false }
func (p ataPort) handled() (ataPort, bool) { return ataPort{vacant: p.vacant}, false }

// up is a drive that was plugged in, where there was none before.
func (p ataPort) up() (ataPort, bool) {
	if p.vacant && p.resets {
		return ataPort{}, true
	}
	p.vacant = false
	return p, false
}

// identified is a drive that was plugged in, where the link was reset to look for it: of
// one that it has already, libata does not tell the model again.
func (p ataPort) identified() (ataPort, bool) {
	if p.resets && !p.works {
		return ataPort{}, true
	}
	return p, false
}

// ataSays reads a line about a port, of which says tells how it is then, and whether a
// drive was plugged in.
func ataSays(says func(ataPort) (is ataPort, plugged bool)) func(*Reader, string, int) {
	return func(r *Reader, text string, n int) {
		name := blockDevice(text)
		was, known := r.ports[name]
		if !strings.HasPrefix(name, "ata") || !known && len(r.ports) >= most {
			return
		}
		is, plugged := says(was)
		r.ports[strings.Clone(name)] = is
		if plugged {
			r.event(incident.ATAPlugged, name, 0, r.line, n)
		}
	}
}

// ataAbort finds reads that a drive refused. Other commands are refused where a drive does
// not know them.
func (r *Reader) ataAbort(text string, n int) {
	if r.command == "READ" {
		r.event(incident.ATAAborted, blockDevice(text), 0, r.line, n)
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

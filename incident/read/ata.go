package read

import (
	"strings"

	"assay/incident"
)

// ataCommand notes the command that libata reports on next.
func (r *Reader) ataCommand(text string, _ int) {
	_, command, _ := strings.Cut(text, "failed command: ")
	r.command = strings.Clone(word(command))
	ataSays(ataPort.failed)(r, text, 0)
}

// ataPort is the last known state of a SATA port, as logged by libata.
type ataPort struct {
	vacant bool // was empty, or its drive was swapped
	resets bool // its link is being reset
	works  bool // a command failed: there is a drive
}

func (p ataPort) changed() (ataPort, bool) { p.vacant = !p.works; return p, false }
func (p ataPort) reset() (ataPort, bool)   { p.resets = true; return p, false }
func (ataPort) failed() (ataPort, bool)    { return ataPort{works: true}, false }
func (p ataPort) handled() (ataPort, bool) { return ataPort{vacant: p.vacant}, false }

// up handles link-up: it reports a plugged-in drive if there was none before.
func (p ataPort) up() (ataPort, bool) {
	if p.vacant && p.resets {
		return ataPort{}, true
	}
	p.vacant = false
	return p, false
}

// identified handles a model line: it reports a plugged-in drive if the link was reset
// to look for one, since libata does not log the model of a known drive again.
func (p ataPort) identified() (ataPort, bool) {
	if p.resets && !p.works {
		return ataPort{}, true
	}
	return p, false
}

// ataSays handles a line about a port: says returns the port's new state, and whether
// a drive was plugged in.
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

// ataAbort finds reads that a drive rejected. Other commands are rejected by drives that
// do not support them.
func (r *Reader) ataAbort(text string, n int) {
	if r.command == "READ" {
		r.event(incident.ATAAborted, blockDevice(text), 0, r.line, n)
	}
	r.command = ""
}

// security notes the security heading in hdparm -I.
func (r *Reader) security(text string, n int) {
	if strings.TrimSpace(text) == "Security:" {
		r.secured = n
	}
}

// securityLines is the maximum length of the section.
const securityLines = 12

// locked finds "locked" in that section, which otherwise reads "not locked".
func (r *Reader) locked(text string, n int) {
	if strings.TrimSpace(text) == "locked" && r.secured > 0 && n-r.secured <= securityLines {
		r.event(incident.DriveLocked, r.drive, 0, stamped{text: "Security: locked"}, n)
	}
}

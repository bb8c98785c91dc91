package ssh

import "time"

// SetBeat makes p send the far side a beat every d, a whole number of seconds.
func (p *Place) SetBeat(d time.Duration) { p.beat = d }

// Master returns the PID of the process that holds the shared connection.
func (p *Place) Master() int { return p.link.master.cmd.Process.Pid }

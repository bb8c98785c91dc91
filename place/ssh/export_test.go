package ssh

import "time"

// SetBeat has the far side hear from p every d, a whole number of seconds.
func (p *Place) SetBeat(d time.Duration) { p.beat = d }

// Master is the process that holds the shared connection.
func (p *Place) Master() int { return p.link.master.cmd.Process.Pid }

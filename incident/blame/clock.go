package blame

import (
	"math"
	"slices"
	"strconv"
	"time"

	"assay/incident"
	"assay/internal/lazyregexp"
)

// byClocks are the signs of wrong clocks, and of what these break: leases and
// quorums.
var byClocks = with(overClocks, incident.PodCrash, incident.MountFailed, incident.NodeNotReady, incident.ClusterNet, incident.MemberLost, incident.MemberLeft, incident.DRBDQuorum, incident.RBDBlocked, incident.NoRoute)

var overClocks = []incident.Kind{
	incident.ClockSkew, incident.CertNotYet, incident.CertTime, incident.CertExpired, incident.ClockStepped, incident.ClockUnstable, incident.ClockLost, incident.RTCLost, incident.ClockUnsynced, incident.ClockNoSource, incident.ClockFree, incident.CephMonDown,
}

var clock = Rule{ID: "clock", Title: "Clocks", Check: func(c Case) []Cause {
	skew, early, own := c.of(incident.ClockSkew), c.of(incident.CertNotYet), c.of(incident.ClockStepped, incident.ClockUnstable, incident.ClockLost, incident.RTCLost, incident.ClockUnsynced, incident.ClockNoSource)
	own = slices.DeleteFunc(own, func(e incident.Event) bool {
		return e.Kind == incident.ClockStepped && stepForm.MatchString(e.Text) && stepped([]incident.Event{e}) < everyday
	})
	if len(skew)+len(early)+len(own) == 0 {
		return nil
	}
	cause := Cause{Layer: incident.Clock, How: Possible, Says: "the clock of this machine", Why: "The kernel or its time service found the clock wrong. Leases and quorums depend on it.", Evidence: quote(4, skew, early, own),
		Next: []Step{{"check offset and source of each host", "chronyc tracking; chronyc sources -v"}}, explains: overClocks, anywhere: true}
	if len(skew) == 0 && len(early) > 0 {
		cause.Says, cause.Why = "a clock that is behind", "A certificate is not valid yet: either this machine's clock is slow, or the clock of the machine that issued it was fast."
	}
	if c.has(incident.RTCLost) {
		cause.Says, cause.Why = "the hardware clock of this machine, which lost its time", "The kernel took its time from the machine's own clock, which stood years back: its battery is empty, or it was never set."
		cause.Next = append(cause.Next, Step{"set it, switch the machine off for a while, and see whether it keeps the time", "hwclock --systohc; hwclock --show"})
	}
	off := stepped(own)
	switch {
	case len(skew) > 0:
		cause.Says = "clocks of hosts that differ"
	case len(early) == 0 && off >= farOff:
		cause.Says, cause.Why = "the clock of this machine, which was far off", "Its time service found it wrong by "+strconv.FormatFloat(off, 'f', 1, 64)+" s and set it. A machine that sleeps or has no clock of its own comes up so, and one whose clock runs wrong does it again and again. What was logged, leased or signed before has the wrong time."
	case len(early) == 0 && off > 0 && total(c.of(incident.ClockStepped)) >= again:
		cause.Says, cause.Why = "the clock of this machine, which is set again and again", "Its time service set it "+times(total(c.of(incident.ClockStepped)))+": the clock does not run true, or its source jumps."
	case len(early) > 0, len(c.of(incident.RTCLost)) > 0, c.has(incident.CertTime, incident.CertExpired):
	default:
		cause.Host = cause.Evidence[0].Host
		c.ownClock(&cause, own)
		return []Cause{cause}
	}
	// A clock makes no device fail: next to such errors it is a separate fault. A single step
	// after boot is normal on a machine without a clock that runs while it is off.
	atBoot := len(skew)+len(early) == 0 && c.has(incident.Booted) && !c.has(incident.RTCLost) && total(c.of(incident.ClockStepped)) < again
	if c.only(byClocks) && !atBoot {
		cause.How = VeryLikely
	}
	cause.Host = cause.Evidence[0].Host
	return []Cause{cause}
}}

// ownClock judges a clock that its own machine does not trust, if nothing else is
// wrong. Finding this during boot is normal.
func (c *Case) ownClock(cause *Cause, own []incident.Event) {
	const boot = 10 * time.Minute
	late := slices.ContainsFunc(own, func(e incident.Event) bool {
		return e.Kind == incident.ClockUnstable && (e.First.Up > boot || e.First.Up <= 0 && !c.has(incident.Booted))
	})
	switch {
	case !c.only(byClocks):
	case late:
		cause.How, cause.Says = Likely, "the clock source of this machine, which its kernel no longer trusts"
		cause.Why = "The kernel found that the processor's clock (TSC) does not run evenly, and took a slower one. Programs that ask for the time often become slow, and the clock may have jumped. Firmware, power saving and hypervisors do that."
		cause.Next = append(cause.Next, Step{"check which clock source is used, and which there are", "grep . /sys/devices/system/clocksource/clocksource0/*_clocksource"})
	case c.has(incident.ClockNoSource):
		cause.How, cause.Says = Likely, "the clock of this machine, which has no source to follow"
		cause.Why = "The time service has no usable server: none answers, or those that do are not trusted. Until it finds one, the clock runs free."
		cause.Next = append(cause.Next, Step{"check which servers answer, and which are trusted", "chronyc -n sources; chronyc ntpdata"})
	case c.has(incident.ClockUnsynced) && c.has(incident.ClockFree):
		cause.How, cause.Says = Likely, "the clock of this machine, which nothing sets"
		cause.Why = "Nothing synchronises the kernel's clock: no time service is running."
		cause.Next = append(cause.Next, Step{"have a time service set it", "timedatectl set-ntp true"})
	case c.has(incident.ClockUnsynced) && c.has(incident.ClockLost):
		cause.How, cause.Says = Likely, "the clock of this machine, which nothing sets"
		cause.Why = "The machine has no clock that runs while it is off, or lost it, and its time service has not reached a server: what it takes for the time is old."
	}
}

const (
	// everyday is how many seconds time services step healthy clocks by.
	everyday = 0.1
	// farOff is how many seconds a clock must have been off to be blamed.
	farOff = 10
	// again is how many steps of about a second a clock needs to be blamed.
	again = 3
)

var stepForm = lazyregexp.New(`(?:wrong by|stepped by|time reset|backwards by|offset|correction of) ([-+]?\d+(?:\.\d+)?) ?s`)

// stepped returns the largest step of a clock in seconds, as far as the texts
// tell.
func stepped(own []incident.Event) float64 {
	most := 0.
	for _, e := range own {
		if m := stepForm.FindStringSubmatch(e.Text); m != nil && e.Kind == incident.ClockStepped {
			if s, err := strconv.ParseFloat(m[1], 64); err == nil {
				most = max(most, math.Abs(s))
			}
		}
	}
	return most
}

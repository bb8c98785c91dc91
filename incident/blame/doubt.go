package blame

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/incident"
	"assay/internal/lazyregexp"
)

// doubts withdraw verdicts that a rule is too sure of. Each knows one way in which lines
// mislead, whichever rule reads them, and returns the other causes that the lines leave
// open; none if it has no doubt.
var doubts = []func(*Case, Cause) []Cause{standsStill, sharedByPorts, peerDown}

// weigh withdraws the verdict if there is a doubt: its cause is then only possible, as are
// those that the doubt names.
func (c *Case) weigh(v *Verdict) {
	if v.Cause == nil {
		return
	}
	for _, doubt := range doubts {
		if open := doubt(c, *v.Cause); len(open) > 0 {
			v.takeBack(open)
			return
		}
	}
	if complaint := c.unheard(*v.Cause); complaint.Text != "" {
		v.takeBack(nil)
		who := program(complaint.Text)
		v.Missing = append(v.Missing, Step{fmt.Sprintf("read what %s complains of in line %d, which no rule knows and may be what broke", who, complaint.Source.Line), "journalctl -n 200 -t " + who})
	}
}

func (v *Verdict) takeBack(open []Cause) {
	was := *v.Cause
	was.How = Possible
	v.Cause, v.Between = nil, append([]Cause{was}, open...)
	for _, rival := range v.Rivals {
		if !slices.ContainsFunc(v.Between, func(b Cause) bool { return b.Layer == rival.Layer }) {
			v.Between = append(v.Between, rival)
		}
	}
	v.Rivals = nil
}

// together is how far apart faults with one cause lie.
const together = time.Minute

// atOneTime reports whether two events are close in time, as far as they tell.
func atOneTime(a, b incident.Event) bool {
	d, known := b.First.Since(a.First)
	return a.Host == b.Host && (!known || d.Abs() <= together)
}

// parts are the signs of single parts of a machine failing on their own. Those in one
// group may depend on each other.
var parts = [][]incident.Kind{
	{incident.NICHang},
	{incident.MediumError, incident.ATAMedia, incident.ATATimeout, incident.CommandTimeout, incident.NVMeTimeout, incident.NVMeMedia, incident.TaskAbort},
	{incident.USBHost},
}

// standsStill doubts that a part is to blame if another, unrelated part failed in the same
// minute: a machine that stood still explains both.
func standsStill(c *Case, top Cause) []Cause {
	if !slices.Contains([]incident.Layer{incident.Network, incident.Drive, incident.Link, incident.Controller}, top.Layer) || c.has(sessionKinds...) || c.longhorn() {
		return nil
	}
	for i, group := range parts {
		for j, other := range parts {
			if i == j || !slices.ContainsFunc(top.Evidence, func(e incident.Event) bool { return slices.Contains(group, e.Kind) }) {
				continue
			}
			own, beside := c.of(group...), c.of(other...)
			for _, a := range own {
				for _, b := range beside {
					if atOneTime(a, b) && !c.remoteDisk([]incident.Event{a, b}) {
						return stoodStill([]incident.Event{a}, []incident.Event{b})
					}
				}
			}
		}
	}
	return nil
}

// sessionKinds show that a disk is on another machine, or that what failed runs over a
// network.
var sessionKinds = []incident.Kind{incident.ISCSIConn, incident.ISCSIDead, incident.NVMeOFConn, incident.NFSDown, incident.DRBDNet, incident.CephNoReply, incident.CephSlowPing, incident.CephSocket, incident.ClusterNet, incident.ReplicaError, incident.PCIeDown, incident.AERFatal, incident.AERCorrected}

// stoodStill returns the common cause of two parts.
func stoodStill(a, b []incident.Event) []Cause {
	return []Cause{{
		Rule: "stands-still", Layer: incident.Hypervisor, Host: a[0].Host, How: Possible, Says: "a machine that stood still: it slept, or its hypervisor paused it",
		Why:      "Two parts failed together that have nothing in common. Those of a guest do so when its host sleeps, or is too busy to serve them; those of a machine when it comes back from sleep, or its supply sags.",
		Evidence: quote(4, a, b),
		Next:     []Step{{"check whether this is a guest, and whether its host was suspended or overloaded at the time", "systemd-detect-virt; journalctl --since '1 day ago' | grep -iE 'suspend|sleep|resum'"}},
	}}
}

// sharedByPorts doubts that a cable is to blame if the links of several drives were
// damaged in the same minute: cables do not fail together.
func sharedByPorts(c *Case, top Cause) []Cause {
	if top.Layer != incident.Link {
		return nil
	}
	ports := c.of(incident.ATACRC, incident.ATALinkError, incident.ATAFatal, incident.ATABusError)
	ports = slices.DeleteFunc(ports, func(e incident.Event) bool { return !strings.HasPrefix(e.Device, "ata") })
	for i, a := range ports {
		for _, b := range ports[i+1:] {
			if a.Device == b.Device || !atOneTime(a, b) {
				continue
			}
			return []Cause{{
				Rule: "shared-by-ports", Layer: incident.Controller, Host: a.Host, How: Possible, Says: "what the ports share: adapter, backplane or power",
				Why:      "The links of several drives (" + a.Device + ", " + b.Device + ") were damaged within a minute. Cables do not fail together.",
				Evidence: quote(4, []incident.Event{a, b}),
				Next:     []Step{{"check which adapter the ports belong to, and whether the drives share a backplane or a power cable", "ls -l /sys/class/ata_port/; lspci -nnk | grep -iA3 -E 'sata|sas|raid'"}},
			}}
		}
	}
	return nil
}

// silence is what machines log about others that they no longer hear.
var silence = []incident.Kind{incident.ClusterNet, incident.MemberLost, incident.MemberLeft, incident.CephNoReply, incident.EngineSlow, incident.EngineFault, incident.ReplicaError, incident.CephDown}

// peerDown doubts that the network, or the engine above it, is to blame if all that is known
// is that another machine is not heard: one that was stopped, crashed or stands still is
// just as silent. It is the network if a line shows that the other machine was up, or that
// this one's link failed.
func peerDown(c *Case, top Cause) []Cause {
	silent := !slices.ContainsFunc(top.Evidence, func(e incident.Event) bool { return !slices.Contains(silence, e.Kind) })
	waited := slices.ContainsFunc(top.Evidence, func(e incident.Event) bool { return e.Kind == incident.EngineSlow })
	switch {
	case !silent || len(top.Evidence) == 0 || c.has(incident.NoSpace, incident.DiskPressure):
		return nil
	case top.Layer == incident.Engine && waited:
		return []Cause{{
			Rule: "peer-down", Layer: incident.Network, Host: top.Host, How: Possible, Says: "the network between an engine and its copies", Evidence: top.Evidence,
			Why:  "A copy did not answer in time. A network that loses some of the packets does that, and so does a copy whose disk or machine is too busy.",
			Next: []Step{{"measure loss between the two machines, with packets as large as the network's MTU", "ping -M do -s 1472 -c 200 NODE; ip -s link"}},
		}}
	case top.Layer != incident.Network || c.peerWasUp():
		return nil
	}
	return []Cause{{
		Rule: "peer-down", Layer: incident.Operator, How: Possible, Says: "a machine or daemon that is not heard because it was stopped, crashed or stood still", Evidence: top.Evidence,
		Why:  "All that these texts show is that another machine was not heard. One that somebody stopped or rebooted, that crashed, or whose hypervisor paused it, is silent in the same way.",
		Next: []Step{{"check whether the other machine was up then, and who stopped it", "last -x reboot shutdown | head; journalctl -b -1 -n 50   (on the machine that was not heard)"}},
	}}
}

// peerWasUp reports whether a line shows that a machine that was not heard was up, or that
// the path to it failed.
func (c *Case) peerWasUp() bool {
	if c.has(incident.NICDown, incident.NICUp, incident.NICHang, incident.NICNoLink, incident.BondDown, incident.PacketLoss, incident.NICDamaged, incident.MTUDiffers, incident.NICError, incident.SwitchFault, incident.BadChecksum, incident.CephSlowPing, incident.CephMarked) {
		return true
	}
	again := func(e incident.Event) bool { return strings.Contains(e.Text, "Retransmit List") }
	lost := slices.DeleteFunc(c.of(silence...), again)
	var silent, say []string // hosts of silent OSDs, and OSDs that report them
	for _, e := range c.of(silence...) {
		switch {
		case again(e) && (len(lost) == 0 || slices.ContainsFunc(lost, func(o incident.Event) bool { return atOneTime(e, o) })),
			strings.Contains(e.Text, "FAILED TO RECEIVE"), strings.Contains(e.Text, "ncrementing problem counter for"), strings.Contains(e.Text, "Marking ringid"):
			return true // they hear each other, but miss packets
		case manyDown.MatchString(e.Text):
			return true // no machine has so many
		case e.Kind == incident.CephNoReply:
			if m := noReply.FindStringSubmatch(e.Text); m != nil {
				say, silent = append(say, m[1]), append(silent, m[2])
			}
		}
	}
	return different(say) && different(silent) // one that hears nobody may itself be cut off
}

// manyDown matches more OSDs than a machine or two have.
var manyDown = lazyregexp.New(`\b(?:[2-9]\d|\d{3,5}) osds down`)

// noReply captures an OSD that hears nothing, and the host of the one that does not
// answer.
var noReply = lazyregexp.New(`\b(osd\.\d+) \d+ heartbeat_check: no reply from (\S+):\d+`)

// different reports whether names are not all equal.
func different(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return name != names[0] })
}

// unheard returns a program's complaint in words that no pattern knows, if the texts are an
// excerpt and the verdict rests on nothing else being wrong in them.
func (c *Case) unheard(top Cause) incident.Complaint {
	if top.How != Likely || !c.excerpt() || len(c.Complaints) == 0 {
		return incident.Complaint{}
	}
	return c.Complaints[0]
}

// program returns the program of a syslog line: "pmxcfs" for "pmxcfs[1892]: …".
func program(text string) string {
	name, _, _ := strings.Cut(text, "[")
	return name
}

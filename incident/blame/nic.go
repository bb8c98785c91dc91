package blame

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/incident"
)

// overNetwork are faults that a network can cause.
var overNetwork = with(consequences, incident.ISCSIConn, incident.ISCSIDead, incident.ISCSILogin, incident.NVMeOFConn, incident.NFSDown, incident.TransportError, incident.DRBDNet, incident.DRBDAlone, incident.DRBDSplit, incident.DRBDQuorum, incident.CephNoReply,
	incident.CephSlowPing, incident.CephSocket, incident.CephMonDown, incident.ReplicaError, incident.EngineSlow, incident.EngineFault, incident.GlusterDown, incident.QuorumLost, incident.NodeNotReady, incident.ClusterNet, incident.MemberLost, incident.MemberLeft, incident.NoRoute, incident.PathFailed, incident.MediumError, incident.WriteReadError,
	incident.NICDown, incident.NICNoLink, incident.BondDown, incident.NICSlow, incident.NICHang, incident.DeviceOffline, incident.NoConnect, incident.NameFails, incident.PortalFails, incident.BadChecksum)

// nic finds ports that flap, hang or run slowly.
var nic = Rule{ID: "nic", Title: "A network port", Check: func(c Case) []Cause {
	remote := c.of(incident.ISCSIConn, incident.ISCSIDead, incident.NVMeOFConn, incident.NFSDown, incident.DRBDNet, incident.CephNoReply, incident.CephSlowPing, incident.CephSocket, incident.ClusterNet, incident.ReplicaError, incident.NodeNotReady)
	hang, down, slow := c.of(incident.NICHang), c.of(incident.NICDown, incident.BondDown), c.of(incident.NICSlow)
	cause := Cause{Layer: incident.Network, How: VeryLikely, Next: []Step{{"look at the port's errors and its speed at both ends, change cable or SFP, then the switch port", "ethtool INTERFACE; ethtool -S INTERFACE | grep -iE 'err|drop|crc|flap'"}}, explains: overNetwork, anywhere: true}
	var events []incident.Event
	switch {
	case len(hang) > 0:
		events = hang
		cause.Says, cause.Why = "a network card that hangs", "The driver found its transmit queue stuck and reset the card. All that went over it stopped."
		cause.Next = []Step{{"update firmware and driver; turn off offloads as a test", "ethtool -K INTERFACE tso off gso off"}}
		if slices.ContainsFunc(hang, func(e incident.Event) bool {
			return lentPort(e) || c.hasOn(e.Host, incident.IsGuest) && emulatedPort(e)
		}) {
			cause.Layer, cause.How, cause.Says = incident.Hypervisor, Likely, "a virtual network card that its hypervisor does not serve"
			cause.Why = "This is a guest's driver: the hypervisor emulates the card, and took no packets for seconds."
			cause.Next = []Step{{"on the hypervisor: see how busy it is, and what it logged of this guest in the same minute", "vmstat 1 5; journalctl --since '1 hour ago' | grep -iE 'vhost|tap|qemu'"}}
		} else if slices.ContainsFunc(hang, emulatedPort) {
			cause.How = Possible
			return c.perhapsEmulated(cause, hang)
		}
	case len(down) > 0 && precedes(down, remote):
		events = down
		cause.Says, cause.Why = "a network link that went down", "The link was lost "+ahead(down, remote)+" before what runs over it."
	case c.has(incident.NICNoLink) && len(remote) > 0:
		events = c.of(incident.NICNoLink)
		cause.Says, cause.Why = "a network port without a link", "The port is in use and has no link now, and what runs over the network failed."
	case slices.ContainsFunc(down, c.flaps):
		events = down
		cause.Says, cause.Why = "a network link that flaps", "The link went down "+times(total(down))+"."
	case slices.ContainsFunc(down, twice) && !c.has(incident.Booted, incident.Rebooted):
		events, cause.How = down, Likely
		cause.Says, cause.Why = "a network link that was lost twice within a minute", "The link was lost, came back, and was lost again. Ports do that while a machine boots, of which these texts show nothing."
	case slices.ContainsFunc(down, lostAgain) && !c.has(incident.Booted, incident.Rebooted) && c.only(overNetwork):
		events, cause.How = down, Likely
		cause.Says, cause.Why = "a network link that is lost again and again", "The link was lost at least twice, and nothing else is wrong in these texts. A cable, a port, a driver, or power saving (Energy-Efficient Ethernet) that the two ends do differently makes a link flap."
		cause.Next = append([]Step{{"turn power saving of the link off as a test", "ethtool --set-eee INTERFACE eee off"}}, cause.Next...)
	case slices.ContainsFunc(down, timeless) && c.excerpt() && c.only(overNetwork):
		events, cause.How = down, Likely
		cause.Says, cause.Why = "a network link that was lost", "These few lines show a link that was lost, and nothing else. That is a fault unless somebody pulled a plug or restarted the other end: a cable, a port, a driver, or power saving (Energy-Efficient Ethernet) that the two ends do differently."
		cause.Next = append([]Step{{"turn power saving of the link off as a test", "ethtool --set-eee INTERFACE eee off"}}, cause.Next...)
	case slices.ContainsFunc(down, lostInBond) && !c.has(incident.Booted, incident.Rebooted) && c.only(overNetwork):
		events, cause.How = c.of(incident.BondDown), Likely
		cause.Says, cause.Why = "a bond that lost one of its links", "A bond reported one of its links down. That is normal during boot, but these logs show no boot. Traffic continues over the other links, if there are any."
	case len(slow) > 0:
		events, cause.How = slow, Possible
		cause.Says, cause.Why = "a network link at a low speed", "A broken pair in the cable, or a port fixed to a low speed, causes that."
		if slices.ContainsFunc(slow, gigabit) && c.only(overNetwork) {
			cause.How = Likely
			cause.Why = "The card can do at least 1 Gbit/s. " + cause.Why
		}
	case c.has(incident.ConntrackMax):
		events = c.of(incident.ConntrackMax)
		cause.Says, cause.Why = "the connection table is full: packets are dropped", "The kernel drops packets of new connections."
		cause.Next = []Step{{"check how many there are, and raise the limit", "sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max"}}
	default:
		return nil
	}
	if medium := c.of(incident.MediumError); len(medium) > 0 && len(remote) == 0 && !c.longhorn() && !c.remoteDisk(medium) {
		// A drive's medium has nothing to do with the network.
		cause.explains = slices.DeleteFunc(slices.Clone(cause.explains), func(k incident.Kind) bool { return k == incident.MediumError })
	}
	cause.Host, cause.Device = events[0].Host, only(devices(events))
	cause.Evidence = quote(4, events)
	if len(down) > 0 && precedes(down, remote) {
		cause.Evidence = quote(6, events, remote)
	}
	return []Cause{cause}
}}

// remoteDisk reports whether one of the events' disks is known to be on another
// machine.
func (c *Case) remoteDisk(events []incident.Event) bool {
	return slices.ContainsFunc(events, func(e incident.Event) bool { return c.Stack.Find(e.Host, incident.Whole(e.Device)).Transport.Remote() })
}

// gigabit reports whether a line is from a driver whose cards all do 1 Gbit/s or
// more.
func gigabit(e incident.Event) bool {
	return slices.ContainsFunc([]string{"igb", "e1000e", "igc", "tg3", "bnx2", "ixgbe", "r8125", "atlantic", "i40e"}, func(driver string) bool {
		return strings.Contains(e.Text, driver+" ") || strings.Contains(e.Text, driver+":")
	})
}

// lentPort reports whether a hanging card is provided by a hypervisor.
func lentPort(e incident.Event) bool {
	return slices.ContainsFunc([]string{"(virtio_net)", "virtio_net virtio", "(vmxnet3)", "vmxnet3 ", "(hv_netvsc)", "(xen-netfront)", "(vif)"}, func(driver string) bool { return strings.Contains(e.Text, driver) })
}

// emulatedPort reports whether a hanging card is one that hypervisors emulate, and that
// hardly any machine still has.
func emulatedPort(e incident.Event) bool {
	return slices.ContainsFunc([]string{"e1000 ", "e1000:", "8139cp", "pcnet32", "ne2k-pci"}, func(driver string) bool { return strings.Contains(e.Text, driver) })
}

// perhapsEmulated returns the causes if a hanging card is more likely emulated than real:
// no line says whether this machine is a guest.
func (c *Case) perhapsEmulated(card Cause, hang []incident.Event) []Cause {
	card.Host, card.Device, card.Evidence = hang[0].Host, only(devices(hang)), quote(4, hang)
	lent := card
	lent.Layer, lent.Says = incident.Hypervisor, "a virtual network card that its hypervisor does not serve"
	lent.Why = "Hypervisors emulate this card; hardly any real machine still has one. In a guest, the hypervisor took no packets for seconds."
	lent.Next = []Step{{"check whether this is a guest; then, on the hypervisor, how busy it is and what it logged of this guest", "systemd-detect-virt; vmstat 1 5"}}
	return []Cause{lent, card}
}

// ahead returns how long before the first event that it precedes the first of events
// came, in words.
func ahead(events, follow []incident.Event) string {
	for _, a := range events {
		for _, b := range follow {
			if d, ok := b.First.Since(a.First); ok && d >= 0 && d <= shortly {
				return fmt.Sprintf("%.0f s", d.Seconds())
			}
		}
	}
	return "just"
}

// twice reports whether a link was lost twice within a minute, by a clock that does not show
// the uptime.
func twice(e incident.Event) bool {
	d, ok := e.Last.Since(e.First)
	return e.Count == 2 && ok && d < time.Minute && e.First.Up == 0
}

// timeless reports whether a line has no timestamp, as in hand-picked excerpts.
func timeless(e incident.Event) bool { return !e.First.Known() }

// lostAgain reports whether a link was lost twice, in lines without timestamps.
func lostAgain(e incident.Event) bool { return e.Count >= 2 && timeless(e) }

// lostInBond reports whether a bond lost a link on a host that, as far as the line shows,
// had been up for a while.
func lostInBond(e incident.Event) bool {
	const settled = 10 * time.Minute
	return e.Kind == incident.BondDown && (e.First.Up == 0 || e.First.Up > settled)
}

// flaps reports whether a link went down repeatedly: three times within minutes, not once
// per boot, or twice within a minute on a host that had long been up.
func (c *Case) flaps(e incident.Event) bool {
	const settled = 10 * time.Minute
	boots := c.bootsAmid(e)
	if e.Count >= 3 {
		return e.Count > boots+1
	}
	d, ok := e.Last.Since(e.First)
	return e.Count == 2 && boots == 0 && ok && d >= 0 && d < time.Minute && e.First.Up > settled
}

// bootsAmid returns how many boots of the host there were between the first and last line
// of an event.
func (c *Case) bootsAmid(e incident.Event) int {
	n := 0
	for _, b := range c.of(incident.Booted) {
		if b.Source.File != e.Source.File || !sameHost(b.Host, e.Host) || b.Until < e.Source.Line || b.Source.Line > e.Until {
			continue
		}
		n += b.Count
		if b.Source.Line < e.Source.Line {
			n--
		}
		if b.Until > e.Until {
			n--
		}
	}
	return max(0, n)
}

package cluster

import (
	"strings"

	"assay/internal/yamldoc"
	"assay/place/guest"
)

// Guest says which virtual machine of which hypervisor a host is.
type Guest struct {
	On string `json:"on"` // the host that it runs on
	// Kind is the word of a guest.Kind, "" for a guest that is reached over SSH, and
	// Name what the guest is called there.
	Kind string `json:"kind,omitempty"`
	Name string `json:"name,omitempty"`
}

// guests reads the virtual machines. Each is a host that is reached through its
// hypervisor, or over SSH as others are.
func (r *reader) guests(n yamldoc.Node, common Host, c *Cluster) {
	hypervisors := hostNames(c.Hosts)
	taken := map[Guest]string{} // which host is that guest
	for _, p := range n.Pairs() {
		h := common.clone()
		h.Name, h.Guest = p.Key, &Guest{}
		r.named(p, "host", r.seen)
		p.What = "VM " + p.Key
		at, on := p.At, yamldoc.Node{}
		f := r.hostFields(&h)
		address := f["address"]
		f["address"] = func(n yamldoc.Node) { at = n.At; address(n) }
		f["on"] = func(n yamldoc.Node) { on, h.Guest.On = n, r.reference(n, "host", hypervisors) }
		for _, k := range guest.Kinds {
			f[k.Word] = func(n yamldoc.Node) { guestName(n, k, h.Guest) }
		}
		before := r.Faults()
		p.Fields(f)
		switch {
		case r.Faults() > before:
		case !on.There():
			p.FaultKey("VM %s: on which host? For example %q", p.Key, "on: "+hypervisors[0])
		case h.Guest.Kind == "":
			r.settle(&h, p, at)
		case h.Address != "" || h.Port != 0 && h.Port != common.Port:
			p.FaultKey("VM %s is reached by %s, and has no address or port", p.Key, h.Guest.Kind)
		case taken[*h.Guest] != "":
			p.FaultKey("VM %s is the same guest as %s", p.Key, taken[*h.Guest])
		default:
			taken[*h.Guest] = p.Key
			// What all hosts have in common is about SSH.
			h.User, h.Port, h.Sudo, h.SSH = "", 0, false, SSH{}
		}
		c.Hosts = append(c.Hosts, h)
	}
}

func guestName(n yamldoc.Node, k guest.Kind, g *Guest) {
	name, ok := n.Word()
	switch {
	case g.Kind != "":
		n.FaultKey("%s: it is reached by %s or by %s, not by both", n.What, g.Kind, k.Word)
	case !ok || !k.Valid(name):
		n.Fault("%s: %s is expected, not %s", n.What, k.What, strings.TrimSpace(yamldoc.Clip(name)+" "+wrongKind(n, ok)))
	default:
		g.Kind, g.Name = k.Word, name
	}
}

func wrongKind(n yamldoc.Node, scalar bool) string {
	if scalar {
		return ""
	}
	return n.Kind()
}

// Agent returns the agent of a guest that is reached through its hypervisor; false
// for every other host.
func (h Host) Agent() (guest.Agent, bool) {
	if h.Guest == nil {
		return guest.Agent{}, false
	}
	for _, k := range guest.Kinds {
		if k.Word == h.Guest.Kind {
			return k.Agent(h.Guest.Name), true
		}
	}
	return guest.Agent{}, false
}

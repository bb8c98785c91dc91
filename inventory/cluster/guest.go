package cluster

import (
	"cmp"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/internal/yamldoc"
	"assay/place/guest"
	"assay/stacks/migration"
)

// Guest says which virtual machine of which hypervisor a host is.
type Guest struct {
	On string `json:"on"` // the host that it runs on
	// Kind is the word of a guest.Kind, "" for a guest reached over SSH, and Name
	// the guest's name there.
	Kind string `json:"kind,omitempty"`
	Name string `json:"name,omitempty"`
	// OS is assay.Windows; "" for a Linux guest.
	OS string `json:"os,omitempty"`
	// Migrate says where the guest may be moved to; nil if it stays.
	Migrate *Migrate `json:"migrate,omitempty"`
	// Clone says that the guest is made for a run: Name is "" before. nil if it exists
	// already.
	Clone *Clone `json:"clone,omitempty"`
}

// Migrate says where a guest may be moved to.
type Migrate struct {
	To        string `json:"to"`                  // a host
	Network   string `json:"network,omitempty"`   // by which it is moved; "" is that of the hosts' addresses
	Transport string `json:"transport,omitempty"` // between the hosts; "" is migration.Transport
	Address   string `json:"address,omitempty"`   // the guest's own, to be asked
	Load      int64  `json:"load,omitempty"`      // bytes of its memory that are changed per second, where it is also moved under load
	Disks     string `json:"disks,omitempty"`     // migration.Copies where they go with it; "" where both hosts reach them
}

// Move returns how a guest is moved; ok is false if it stays.
func (c Cluster) Move(h Host) (m migration.Move, ok bool) {
	if h.Guest == nil || h.Guest.Migrate == nil {
		return m, false
	}
	how := h.Guest.Migrate
	end := func(host string) migration.End {
		for _, n := range c.Networks {
			if n.Name == how.Network {
				return migration.End{Host: host, Address: n.Address(host).String()}
			}
		}
		return migration.End{Host: host, Address: c.Host(host).Address}
	}
	return migration.Move{
		Kind: h.Guest.Kind, Guest: h.Guest.Name, Network: how.Network, Home: end(h.Guest.On), Away: end(how.To), Address: how.Address, Load: how.Load, Copy: how.Disks == migration.Copies,
		Transport: cmp.Or(how.Transport, migration.Transport(h.Guest.Kind)),
	}, true
}

// guests reads the virtual machines. Each is a host reached through its
// hypervisor, or over SSH like other hosts.
func (r *reader) guests(n yamldoc.Node, common Host, c *Cluster) {
	hypervisors := hostNames(c.Hosts)
	taken := map[guestName]string{} // host by guest
	for _, p := range n.Pairs() {
		h := common.clone()
		h.Name, h.Guest = p.Key, &Guest{}
		r.named(p, "host", r.seen)
		p.What = "VM " + p.Key
		at, on, moves, clone := p.At, yamldoc.Node{}, yamldoc.Node{}, yamldoc.Node{}
		system, measured := yamldoc.Node{}, yamldoc.Node{}
		f := r.hostFields(&h)
		address := f["address"]
		f["address"] = func(n yamldoc.Node) { at = n.At; address(n) }
		f["on"] = func(n yamldoc.Node) { on, h.Guest.On = n, r.reference(n, hypervisors) }
		for _, k := range guest.Kinds {
			f[k.Word] = func(n yamldoc.Node) { nameGuest(n, k, h.Guest) }
		}
		f["os"] = func(n yamldoc.Node) { system = n; h.Guest.OS = operatingSystem(n) }
		f["measure"] = func(n yamldoc.Node) { measured = n }
		f["clone"] = func(n yamldoc.Node) { clone = n }
		f["migrate"] = func(n yamldoc.Node) { moves = n; h.Guest.Migrate = r.migrate(n, hypervisors) }
		before := r.Faults()
		p.Fields(f)
		measureGuest(measured, &h)
		switch {
		case r.Faults() > before:
		case h.Guest.OS != "" && (h.Guest.Kind == "" || clone.There() || h.Guest.Migrate != nil && (h.Guest.Migrate.Address != "" || h.Guest.Migrate.Load > 0)):
			system.Fault("VM %s: os: windows needs libvirt: or proxmox:, and can't be combined with clone:, or with address: or load: under migrate:", p.Key)
		case clone.There() && (on.There() || h.Guest.Kind != "" || moves.There() || h.Address != ""):
			p.FaultKey("VM %s: clone: says where it runs and what it is made of; leave out on, libvirt, proxmox, migrate and address", p.Key)
		case clone.There():
			r.clones(p, clone, h, hypervisors, c)
			continue
		case !on.There():
			p.FaultKey("VM %s: on which host? For example %q", p.Key, "on: "+hypervisors[0])
		case moves.There() && !migration.Moves(h.Guest.Kind):
			moves.FaultKey("VM %s: migrate: assay moves guests that are named by libvirt: or proxmox:", p.Key)
		case moves.There() && h.Guest.Migrate.To == h.Guest.On:
			moves.FaultKey("VM %s: migrate: to: it runs on %s already", p.Key, h.Guest.On)
		case h.Guest.Kind == "":
			r.settle(&h, p, at)
		case h.Address != "" || h.Port != 0 && h.Port != common.Port:
			p.FaultKey("VM %s is reached by %s, and has no address or port", p.Key, h.Guest.Kind)
		case taken[h.Guest.who()] != "":
			p.FaultKey("VM %s is the same guest as %s", p.Key, taken[h.Guest.who()])
		default:
			taken[h.Guest.who()] = p.Key
			// The common settings are for SSH.
			h.User, h.Port, h.Sudo, h.SSH = "", 0, false, SSH{}
		}
		c.Hosts = append(c.Hosts, h)
	}
}

// guestName identifies a guest.
type guestName struct{ on, kind, name string }

func (g Guest) who() guestName { return guestName{g.On, g.Kind, g.Name} }

// lineLoad matches an amount of memory as in the schema.
var lineLoad = lazyregexp.New(`^([1-9][0-9]{0,5}[KMkm]|[1-9][0-9]{0,2}[Gg])$`)

// migrate reads where a guest may be moved to. Its network is checked once the networks are
// read.
func (r *reader) migrate(n yamldoc.Node, hosts []string) *Migrate {
	var m Migrate
	to := false
	n.Fields(fields{
		"to":      func(n yamldoc.Node) { to = true; m.To = r.reference(n, hosts) },
		"network": func(n yamldoc.Node) { m.Network, _ = n.Text() },
		"transport": func(n yamldoc.Node) {
			if m.Transport, _ = n.Text(); m.Transport != "" && !slices.Contains(migration.Transports(), m.Transport) {
				n.Fault("%s: %q is not one of %s", n.What, yamldoc.Clip(m.Transport), strings.Join(migration.Transports(), ", "))
			}
		},
		"address": func(n yamldoc.Node) {
			if m.Address, _ = n.Text(); m.Address != "" && !migration.ValidAddress(m.Address) {
				n.Fault("%s: %q is neither an IP address nor a name", n.What, yamldoc.Clip(m.Address))
			}
		},
		"disks": func(n yamldoc.Node) {
			if m.Disks, _ = n.Text(); m.Disks != "" && m.Disks != migration.Copies {
				n.Fault("%s: %q is not %s; leave it out for disks that both hosts reach", n.What, yamldoc.Clip(m.Disks), migration.Copies)
			}
		},
		"load": func(n yamldoc.Node) {
			word, ok := n.Text()
			size, valid := assay.ParseSize(word)
			if m.Load = size; ok && (!valid || !lineLoad.MatchString(word)) {
				n.Fault("%s: %q is not an amount of memory per second, such as 64M", n.What, yamldoc.Clip(word))
			}
		},
	})
	if !to && n.IsMap() {
		n.FaultKey("%s: to which host? For example %q", n.What, "to: "+hosts[len(hosts)-1])
	}
	return &m
}

// moves checks what movable guests need from the rest of the file.
func (r *reader) moves(n yamldoc.Node, c *Cluster) {
	for _, p := range n.Pairs() {
		h := c.Host(p.Key)
		if h == nil || h.Guest == nil || h.Guest.Migrate == nil {
			continue
		}
		how, at := h.Guest.Migrate, p.Get("migrate")
		if how.Network != "" {
			i := slices.IndexFunc(c.Networks, func(n Network) bool { return n.Name == how.Network })
			if i < 0 {
				var names []string
				for _, n := range c.Networks {
					names = append(names, n.Name)
				}
				at.Get("network").Fault("VM %s: migrate: no network %q%s", h.Name, yamldoc.Clip(how.Network), yamldoc.Meant(how.Network, names))
				continue
			}
			for _, host := range []string{h.Guest.On, how.To} {
				if !c.Networks[i].Address(host).IsValid() {
					at.Get("network").Fault("VM %s: migrate: host %s is not on network %s", h.Name, host, how.Network)
					return
				}
			}
		}
		m, _ := c.Move(*h)
		if err := m.Check(); err != nil {
			at.FaultKey("VM %s: migrate: %w", h.Name, err)
		}
	}
}

// operatingSystem reads a guest's operating system.
func operatingSystem(n yamldoc.Node) string {
	text, ok := n.Text()
	switch {
	case ok && text == assay.Windows:
		return text
	case ok && text != "linux":
		n.Fault("%s: %q is neither linux nor windows", n.What, yamldoc.Clip(text))
	}
	return ""
}

// measureGuest reads what is measured of a guest. The common settings name Linux directories,
// which do not exist on Windows.
func measureGuest(n yamldoc.Node, h *Host) {
	if h.Guest.OS == "" {
		if n.There() {
			measure(n, &h.Measure)
		}
		return
	}
	h.Measure = Measure{}
	if n.There() {
		n.Fields(fields{"directories": func(n yamldoc.Node) { h.Measure.Directories = texts(yamldoc.As[[]yamldoc.WindowsPath](n)) }})
	}
}

func nameGuest(n yamldoc.Node, k guest.Kind, g *Guest) {
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

// Windows reports whether the host runs Windows.
func (h Host) Windows() bool { return h.Guest != nil && h.Guest.OS == assay.Windows }

func (c *Cluster) runsWindows(host string) bool {
	h := c.Host(host)
	return h != nil && h.Windows()
}

// Agent returns the agent of a guest reached through its hypervisor; false for any
// other host.
func (h Host) Agent() (guest.Agent, bool) {
	switch {
	case h.Guest == nil:
		return guest.Agent{}, false
	case h.Made() && h.Guest.Name == "":
		return guest.Unmade("a clone of " + h.Guest.Clone.Of), true
	}
	for _, k := range guest.Kinds {
		if k.Word == h.Guest.Kind {
			return k.Agent(h.Guest.Name), true
		}
	}
	return guest.Agent{}, false
}

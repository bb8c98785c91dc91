package starter

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"assay"
	"assay/inventory/cluster"
	"assay/inventory/survey"
)

// Found is a target, how ssh reaches it, and its answer.
type Found struct {
	Target Target
	Way    Way
	Answer survey.Answer
}

// Write returns the starter. config is the file for ssh -F, "" for none. Names
// must be those of Name, and targets distinct.
func Write(found []Found, config string) []byte {
	d := &draft{found: found}
	d.put(0, "# The hosts that assay measures, and how it reaches them.")
	d.put(0, "#   assay hosts -i FILE     says what they are, and what differs between them")
	d.put(0, "#   assay init --schema     is the JSON Schema of this file, for editors")
	d.put(0, "")
	d.defaults(config)
	d.hosts()
	d.others(d.networks())
	return []byte(d.b.String())
}

// draft is the file so far.
type draft struct {
	b     strings.Builder
	found []Found
}

func (d *draft) put(indent int, format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if line != "" {
		d.b.WriteString(strings.Repeat(" ", indent))
	}
	d.b.WriteString(strings.TrimRight(line, " ") + "\n")
}

func (d *draft) defaults(config string) {
	d.put(0, "# What all hosts have in common; a host's own values win.")
	if config != "" {
		d.put(0, "defaults:")
		d.put(2, "ssh: {config: %s}", quoted(config))
	} else {
		d.put(0, "# defaults:")
	}
	d.put(0, "#   user: root")
	d.put(0, "#   sudo: true                # commands run under sudo -n")
	d.put(0, "#   measure: {directories: [/srv]}")
	d.put(0, "")
}

func (d *draft) hosts() {
	d.put(0, "# An address alone is enough: pve1: 10.0.0.1. A host without one is reached by")
	d.put(0, "# its name, as ~/.ssh/config knows it.")
	d.put(0, "hosts:")
	for _, f := range d.found {
		d.host(f)
	}
	d.put(0, "")
}

func (d *draft) host(f Found) {
	name := f.Answer.Host.Name
	d.put(2, "%s:", quoted(name))
	if way := f.Way.String(); way != "" {
		d.put(4, "# ssh goes to %s", clean(way))
	}
	if f.Answer.Err != nil {
		d.put(4, "# it could not be queried: %s", clean(f.Answer.Reason()))
	} else {
		d.put(4, "# %s", clean(summary(f.Answer.Facts)))
	}
	if f.Target.Address != name {
		d.put(4, "address: %s", quoted(f.Target.Address))
	}
	if f.Target.User != "" {
		d.put(4, "user: %s", quoted(f.Target.User))
	}
	if f.Answer.Err != nil {
		return
	}
	if !f.Answer.Facts.Root {
		d.put(4, "# sudo: true                # as an ordinary user it does not tell all")
	}
	d.put(4, "# labels: {cooling: stock}  # what you know and it does not")
	d.candidates(f.Answer.Facts)
}

// candidates writes the storage that could be measured, as comments: a person
// decides which of it may be written to.
func (d *draft) candidates(f assay.Facts) {
	directories, devices := roomy(f), disks(f)
	if len(directories)+len(devices) == 0 {
		return
	}
	d.put(4, "# measure:")
	if len(directories) > 0 {
		d.put(4, "#   directories:            # scratch files go there and are removed")
	}
	for _, dir := range directories {
		on := ""
		if len(dir.Drives) > 0 {
			on = " on " + strings.Join(dir.Drives, ", ")
		}
		note := fmt.Sprintf("%s%s, %s free", dir.FileSystem, on, size(dir.Free))
		if !dir.Writable {
			note += ", not writable for this user"
		}
		d.put(4, "#     - %s  # %s", quoted(dir.Path), clean(note))
	}
	if len(devices) > 0 {
		d.put(4, "#   devices:                # only ever read")
	}
	for _, b := range devices {
		d.put(4, "#     - %s  # %s", quoted(b.Path), clean(strings.Join(filled(b.Model, size(b.Bytes), string(b.Bus)), ", ")))
	}
}

// networks writes the networks that were found, and returns them.
func (d *draft) networks() []cluster.Network {
	answers := make([]survey.Answer, len(d.found))
	ways := map[string]string{}
	for i, f := range d.found {
		answers[i] = f.Answer
		ways[f.Answer.Host.Name] = f.Way.Hostname
	}
	networks := survey.Networks(answers, func(host string) string { return ways[host] })
	if len(networks) == 0 {
		d.put(0, "# No subnet joins two of these hosts. A network has each host's address on it:")
		d.put(0, "# networks:")
		d.put(0, "#   storage:")
		d.put(0, "#     rate: 10G")
		d.put(0, "#     hosts: {pve1: 10.0.1.1, pve2: 10.0.1.2}")
	} else {
		d.put(0, "# The subnets that two hosts or more are on. Every pair is measured, both ways.")
		d.put(0, "networks:")
	}
	for _, n := range networks {
		d.network(n, answers)
	}
	d.unshared(networks, answers)
	d.put(0, "")
	return networks
}

func (d *draft) network(n cluster.Network, answers []survey.Answer) {
	d.put(2, "%s:", quoted(n.Name))
	d.put(4, "kind: %s", n.Kind)
	d.put(4, "subnet: %s", quoted(n.Subnet.String()))
	if rate := cluster.FormatRate(n.Rate); rate != "" {
		d.put(4, "rate: %s", rate)
	} else {
		d.put(4, "# rate: 10G                 # the interfaces do not say the same, or nothing")
	}
	if cluster.ValidMTU(n.MTU) {
		d.put(4, "mtu: %d", n.MTU)
	} else {
		d.put(4, "# mtu: 1500                 # the interfaces do not say the same, or nothing")
	}
	d.put(4, "hosts:")
	for _, e := range n.Hosts {
		d.put(6, "%s: %s  # %s", quoted(e.Host), quoted(e.Address.String()), clean(port(e, answers)))
	}
}

// port returns the interface that has an address, and its settings.
func port(e cluster.End, answers []survey.Answer) string {
	for _, a := range answers {
		for _, ip := range a.Addresses {
			if a.Host.Name != e.Host || ip.Prefix.Addr() != e.Address {
				continue
			}
			rate, mtu := "", ""
			if nic := survey.NIC(a.Facts, ip.NIC); nic != nil {
				rate = cluster.FormatRate(survey.Speed(a.Facts, nic.Name))
				if nic.MTU > 0 {
					mtu = fmt.Sprintf("MTU %d", nic.MTU)
				}
			}
			return strings.Join(filled(ip.NIC, rate, mtu), ", ")
		}
	}
	return ""
}

// unshared lists the addresses that are on none of the networks: in a routed
// ring each host has one, without a subnet.
func (d *draft) unshared(networks []cluster.Network, answers []survey.Answer) {
	on := map[netip.Addr]bool{}
	for _, n := range networks {
		for _, e := range n.Hosts {
			on[e.Address] = true
		}
	}
	told := false
	for _, a := range answers {
		for _, ip := range a.Addresses {
			if on[ip.Prefix.Addr()] {
				continue
			}
			if !told {
				d.put(0, "# Other addresses, on networks of their own or second ones:")
				told = true
			}
			d.put(0, "#   %s %s %s", a.Host.Name, clean(ip.NIC), ip.Prefix)
		}
	}
}

// others shows what else can be configured besides hosts and networks.
func (d *draft) others(networks []cluster.Network) {
	var names []string
	for _, f := range d.found {
		names = append(names, quoted(f.Answer.Host.Name))
	}
	list := strings.Join(names[:min(len(names), 3)], ", ")
	d.put(0, "# Names for several hosts:")
	d.put(0, "# groups:")
	d.put(0, "#   some: [%s]", list)
	if len(names) < 2 {
		return
	}
	d.put(0, "")
	d.put(0, "# What hosts share: two tests that use it never run at once.")
	d.put(0, "# resources:")
	d.put(0, "#   power-circuit: {hosts: [%s]}  # all that these do", list)
	if len(networks) > 0 {
		d.put(0, "#   uplink: {networks: [%s]}  # every link on it", quoted(networks[0].Name))
	}
	if dir := d.common(); dir != "" {
		d.put(0, "#   pool: {directories: [%s]}  # this directory of every host; of some with hosts: [...]", quoted(dir))
	}
}

// common returns a directory other than the root that two hosts could measure;
// "" if there is none.
func (d *draft) common() string {
	seen := map[string]bool{"/": false}
	for _, f := range d.found {
		for _, dir := range roomy(f.Answer.Facts) {
			if seen[dir.Path] {
				return dir.Path
			}
			seen[dir.Path] = dir.Path != "/"
		}
	}
	return ""
}

// leastRoom is the free space, in bytes, below which a file system is not a
// candidate: less than a test's file.
const leastRoom = 4 << 30

func roomy(f assay.Facts) (found []assay.DirFacts) {
	for _, d := range f.Dirs {
		if d.Exists && d.Free >= leastRoom {
			found = append(found, d)
		}
	}
	return found
}

func disks(f assay.Facts) (found []assay.BlockDevice) {
	for _, b := range f.Block {
		if b.Kind == "disk" && b.Bytes > 0 && strings.HasPrefix(b.Path, "/dev/") {
			found = append(found, b)
		}
	}
	return found
}

func summary(f assay.Facts) string {
	cpu := f.CPU.Model
	if f.CPU.Threads > 0 {
		cpu = strings.TrimSpace(fmt.Sprintf("%d × %s", f.CPU.Threads, cpu))
	}
	ram := ""
	if f.Memory.Total > 0 {
		ram = size(f.Memory.Total) + " of RAM"
	}
	return strings.Join(filled(f.OS.Machine, cpu, ram, f.OS.Distribution), ", ")
}

func filled(words ...string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

func size(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	v, i := float64(n), 0
	for ; v >= 1000 && i < len(units)-1; i++ { // three digits, and no exponent
		v /= 1024
	}
	return strconv.FormatFloat(v, 'g', 3, 64) + " " + units[i]
}

// clean turns a host's text into a one-line comment.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, text)
	if letters := []rune(text); len(letters) > 160 {
		text = string(letters[:160]) + "…"
	}
	return strings.TrimSpace(text)
}

// quoted writes a word so that YAML reads it back: unquoted where that is safe.
func quoted(word string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	plain := strings.Trim(word, letters+"0123456789._-/") == "" &&
		(strings.ContainsAny(word[:min(1, len(word))], letters+"/") || dotted(word))
	switch strings.ToLower(word) {
	case "true", "false", "yes", "no", "on", "off", "null", "y", "n", "":
		plain = false
	}
	if plain {
		return word
	}
	return strconv.QuoteToASCII(word)
}

// dotted reports whether a word is an IPv4 address, with or without a prefix
// length.
func dotted(word string) bool {
	number, _, _ := strings.Cut(word, "/")
	ip, err := netip.ParseAddr(number)
	return err == nil && ip.Is4()
}

package hostview

import (
	"fmt"
	"strings"

	"assay"
	"assay/inventory/differences"
	"assay/inventory/traits"
	"assay/report"
)

// Table is rows of words. The first cell of a row names the host.
type Table struct {
	Header []string
	Rows   [][]string
}

// Tables returns the facts: system, machine, drives, directories, interfaces, and
// the state that limits a host. Tables without rows are left out. A host that did
// not answer is a row of the first, with the reason.
func (v View) Tables() []Table {
	var all []Table
	for _, t := range []Table{v.system(), v.machine(), v.drives(), v.directories(), v.interfaces(), v.state()} {
		if len(t.Rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

func (v View) system() Table {
	t := Table{Header: []string{"host", "CPU", "RAM", "governor", "kernel"}}
	for _, h := range v.Hosts {
		if h.Facts == nil {
			t.Rows = append(t.Rows, []string{h.Name, "failed: " + h.Error, "", "", ""})
			continue
		}
		cpu := h.Facts.CPU.Model
		if n := h.Facts.CPU.Threads; n > 0 {
			cpu = fmt.Sprintf("%d × %s", n, orUnknown(cpu))
		}
		ram := ""
		if n := h.Facts.Memory.Total; n > 0 {
			ram = report.Bytes(n)
		}
		t.Rows = append(t.Rows, []string{h.Name, orUnknown(cpu), orUnknown(ram), orUnknown(h.Facts.CPU.Governor), orUnknown(h.Facts.OS.Kernel)})
	}
	return t
}

func (v View) machine() Table {
	t := Table{Header: []string{"host", "machine", "BIOS", "system"}}
	for _, h := range v.Hosts {
		if h.Facts != nil {
			t.Rows = append(t.Rows, []string{h.Name, orUnknown(h.Facts.OS.Machine), orUnknown(h.Facts.OS.BIOS), orUnknown(h.Facts.OS.Distribution)})
		}
	}
	return t
}

func (v View) drives() Table {
	t := Table{Header: []string{"host", "drive", "model", "size", "bus", "firmware"}}
	for _, h := range v.Hosts {
		if h.Facts == nil {
			continue
		}
		for _, b := range h.Facts.Block {
			if b.Kind == "disk" && b.Bytes > 0 {
				t.Rows = append(t.Rows, []string{h.Name, b.Name, orUnknown(b.Model), report.Bytes(b.Bytes), orUnknown(string(b.Bus)), orUnknown(b.Firmware)})
			}
		}
	}
	return t
}

// directories shows the space in the requested directories.
func (v View) directories() Table {
	t := Table{Header: []string{"host", "directory", "file system", "size", "free", "inodes free"}}
	for _, h := range v.Hosts {
		if h.Facts == nil {
			continue
		}
		for _, d := range h.Facts.Dirs {
			size, free, inodes := "", "", ""
			if d.Bytes > 0 {
				size, free = report.Bytes(d.Bytes), fmt.Sprintf("%s (%.0f %%)", report.Bytes(d.Free), 100*float64(d.Free)/float64(d.Bytes))
			}
			if d.Inodes > 0 {
				inodes = fmt.Sprintf("%.0f %%", 100*float64(d.FreeInodes)/float64(d.Inodes))
			}
			t.Rows = append(t.Rows, []string{h.Name, d.Path, orUnknown(d.FileSystem), orUnknown(size), orUnknown(free), orUnknown(inodes)})
		}
	}
	return t
}

// state shows the clock and the cgroup limits of hosts where any of them is known.
func (v View) state() Table {
	t := Table{Header: []string{"host", "clock offset", "synchronised", "CPU quota", "memory limit", "I/O limit"}}
	for _, h := range v.Hosts {
		if h.Facts == nil || h.Facts.Clock == nil && h.Facts.Synchronised == nil && h.Facts.Limits == nil {
			continue
		}
		offset, synchronised := "", ""
		if c := h.Facts.Clock; c != nil {
			offset = fmt.Sprintf("%+.3f s ± %.3f s", c.Offset, c.Within)
		}
		if s := h.Facts.Synchronised; s != nil {
			synchronised = map[bool]string{true: "yes", false: "no"}[*s]
		}
		t.Rows = append(t.Rows, []string{
			h.Name, orUnknown(offset), orUnknown(synchronised),
			orUnknown(traits.Of("CPU quota", *h.Facts)), orUnknown(traits.Of("memory limit", *h.Facts)), orUnknown(traits.Of("I/O limit", *h.Facts)),
		})
	}
	return t
}

// interfaces shows the network cards, and whatever else has an address.
func (v View) interfaces() Table {
	t := Table{Header: []string{"host", "interface", "state", "speed", "MTU", "addresses"}}
	for _, h := range v.Hosts {
		if h.Facts == nil {
			continue
		}
		addresses := map[string][]string{}
		for _, ip := range h.Addresses {
			addresses[ip.NIC] = append(addresses[ip.NIC], ip.Prefix.String())
		}
		for _, n := range h.Facts.NICs {
			if n.Virtual && len(addresses[n.Name]) == 0 {
				continue
			}
			speed, mtu := "", ""
			if n.Speed > 0 {
				speed = report.Amount(n.Rate(), assay.BitsPerSecond)
			}
			if n.MTU > 0 {
				mtu = fmt.Sprint(n.MTU)
			}
			t.Rows = append(t.Rows, []string{h.Name, n.Name, orUnknown(n.State), orUnknown(speed), orUnknown(mtu), strings.Join(addresses[n.Name], ", ")})
		}
	}
	return t
}

func orUnknown(word string) string {
	if word == "" {
		return "unknown"
	}
	return word
}

// DifferenceTable returns the differences; it has no rows if nothing differs.
func (v View) DifferenceTable() Table {
	t := Table{Header: []string{"what differs", "usual", "the odd one out"}}
	for _, d := range v.Differences {
		t.Rows = append(t.Rows, differenceRow(d))
	}
	return t
}

// differenceRow names the hosts that differ from the rest, or all hosts with
// their values if no value is usual.
func differenceRow(d differences.Difference) []string {
	what, usual := d.What, "none"
	if d.Among != "" {
		what += " (" + d.Among + ")"
	}
	var odd []string
	for _, value := range d.Values {
		if value.Text == d.Usual {
			usual = fmt.Sprintf("%s (%s)", value.Text, hosts(len(value.Hosts)))
			continue
		}
		odd = append(odd, strings.Join(value.Hosts, ", ")+": "+value.Text)
	}
	if d.Declared {
		usual = d.Usual + " (declared)"
	}
	if len(d.Silent) > 0 {
		odd = append(odd, strings.Join(d.Silent, ", ")+": unknown")
	}
	return []string{what, usual, strings.Join(odd, "; ")}
}

func hosts(n int) string {
	if n == 1 {
		return "1 host"
	}
	return fmt.Sprintf("%d hosts", n)
}

package lspci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/limits"
)

type learner struct{}

// New returns the learner.
func New() assay.Learner { return learner{} }

// classes are the device classes (pci.ids) that lspci prints between a device's
// address and name, limited to those of current machines.
const classes = `Host bridge|PCI bridge|ISA bridge|Bridge|VGA compatible controller|3D controller|Display controller|` +
	`Ethernet controller|Network controller|Infiniband controller|Non-Volatile memory controller|SATA controller|IDE interface|` +
	`RAID bus controller|Serial Attached SCSI controller|SCSI storage controller|Mass storage controller|SD Host controller|` +
	`USB controller|Serial controller|Serial bus controller|Communication controller|Audio device|Multimedia [a-z ]+|SMBus|PIC|` +
	`RAM memory|Memory controller|System peripheral|Generic system peripheral|IOMMU|Encryption controller|Performance counters|` +
	`Signal processing controller|Processing accelerators|Non-Essential Instrumentation|FireWire \(IEEE 1394\)|Unassigned class|Unclassified device`

var (
	header  = lazyregexp.New(`^\s*((?:[0-9a-f]{4,}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]) (` + classes + `)(?: \[[0-9a-f]{4}\])?: (.+)$`)
	status  = lazyregexp.New(`^LnkSta:\s+Speed ([\d.]+)GT/s(?: \(\w+\))?, Width x(\d+)`)
	ability = lazyregexp.New(`^LnkCap:\s+.*Speed ([\d.]+)GT/s, Width x(\d+)`)
	driver  = lazyregexp.New(`^Kernel driver in use: (\S+)`)
	virtual = lazyregexp.New(`Virtio|QEMU|VMware|Hyper-V|VirtualBox|InnoTek|Amazon\.com|Google, Inc|Microsoft Corporation .*(?:PCI|bridge)`)
)

// Format recognises a device's first line by its address and its class.
func (learner) Format() assay.Format {
	return assay.Format{
		Tool: "lspci", Commands: []string{"lspci"}, Begins: header.MatchString,
		Splits: func(_ []byte, next string) bool {
			m := header.FindStringSubmatch(next)
			return m != nil && strings.TrimPrefix(m[1], "0000:") == "00:00.0" // the first of another machine
		},
	}
}

// device holds what lspci prints about one.
type device struct {
	slot, class, driver string
	has, could          *assay.Link
	denied              bool // "Capabilities: <access denied>"
}

// Learn sets the link of the block device named disk if there is exactly one
// NVMe controller, and the slot and link of each network card.
func (learner) Learn(tr assay.Transcript, f *assay.Facts) error {
	step := tr.Step("measure")
	if step == nil {
		return fmt.Errorf("lspci: %w", assay.ErrNoOutput)
	}
	devices, isVirtual := read(string(step.Output.Stdout))
	var nvme, cards []device
	denied, seen := false, map[string]bool{}
	for _, d := range devices {
		denied = denied || d.denied
		switch {
		case d.has == nil || seen[d.slot]:
		case d.class == "Non-Volatile memory controller":
			nvme = append(nvme, d)
		case d.class == "Ethernet controller" || d.class == "Infiniband controller" || d.class == "Network controller":
			cards = append(cards, d)
		}
		seen[d.slot] = seen[d.slot] || d.has != nil
	}
	switch {
	case len(devices) == 0:
		return fmt.Errorf("lspci: %w: no device", assay.ErrNoOutput)
	case isVirtual:
		return assay.WithHint("run on the hypervisor: sudo lspci -vv", "lspci: a virtual machine shows emulated links, which limit nothing")
	case len(nvme)+len(cards) == 0 && denied:
		return assay.WithHint("run it as root: sudo lspci -vv", "lspci: this user may not read the device capabilities")
	case len(nvme)+len(cards) == 0:
		return assay.WithHint("sudo lspci -vv prints them", "lspci: %w: no link (LnkSta) of an NVMe controller or a network card", assay.ErrNoOutput)
	}
	f.NICs = slots(f.NICs, cards)
	switch {
	case len(nvme) == 1:
		f.Block = disk(f.Block, nvme[0])
	case len(nvme) > 1:
		f.Missing = append(slices.Clone(f.Missing), assay.MissingFact{
			Fact: "disk pcie link", Why: fmt.Sprintf("lspci shows %d NVMe controllers", len(nvme)), Hint: "include only the one that was measured: sudo lspci -vv -s " + nvme[0].slot,
		})
	}
	return nil
}

// disk sets the link of the block device named disk.
func disk(known []assay.BlockDevice, d device) []assay.BlockDevice {
	all := slices.Clone(known)
	i := slices.IndexFunc(all, func(b assay.BlockDevice) bool { return b.Name == "disk" })
	if i < 0 {
		i = len(all)
		all = append(all, assay.BlockDevice{Name: "disk", Kind: "disk"})
	}
	all[i].Bus, all[i].Link = assay.BusNVMe, d.link()
	return all
}

// slots sets the slot and link of the network cards. A card whose name is not
// known yet is named by its slot.
func slots(known []assay.NICFacts, cards []device) []assay.NICFacts {
	all := slices.Clone(known)
	for _, d := range cards {
		full := d.slot
		if len(full) == len("00:00.0") {
			full = "0000:" + full
		}
		i := slices.IndexFunc(all, func(n assay.NICFacts) bool { return n.Slot == full })
		if i < 0 {
			i = len(all)
			all = append(all, assay.NICFacts{Name: full, Slot: full})
		}
		all[i].Link = d.link()
		if all[i].Driver == "" {
			all[i].Driver = d.driver
		}
	}
	return all
}

// link returns the link with its slot and any faster mode it supports.
func (d device) link() *assay.Link {
	l := *d.has
	l.At = d.slot
	if d.could != nil && d.could.Ceiling > l.Ceiling {
		l.At += " (downgraded from " + d.could.Mode + ")"
	}
	return &l
}

// read returns the devices of an output, and whether the machine is virtual.
func read(text string) (devices []device, isVirtual bool) {
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, " \r")
		if m := header.FindStringSubmatch(line); m != nil {
			devices = append(devices, device{slot: m[1], class: m[2]})
			isVirtual = isVirtual || virtual.MatchString(m[3])
			continue
		}
		if len(devices) == 0 {
			continue
		}
		d, said := &devices[len(devices)-1], strings.TrimSpace(line)
		if m := status.FindStringSubmatch(said); m != nil && d.has == nil {
			d.has = linkOf(m)
		} else if m := ability.FindStringSubmatch(said); m != nil && d.could == nil {
			d.could = linkOf(m)
		} else if m := driver.FindStringSubmatch(said); m != nil {
			d.driver = m[1]
		} else if strings.HasSuffix(said, "<access denied>") {
			d.denied = true
		}
	}
	return devices, isVirtual
}

// linkOf returns nil if the card is asleep or absent (Width x0).
func linkOf(m []string) *assay.Link {
	gts, err := strconv.ParseFloat(m[1], 64)
	lanes, errLanes := strconv.Atoi(m[2])
	if err != nil || errLanes != nil || lanes > 32 {
		return nil
	}
	return limits.PCIe(gts, lanes)
}

package inventory

import (
	"cmp"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

const blockDir = "/sys/class/block/"

// blocks reads the tree of block devices: whole disks, partitions and mappings.
func (r *reader) blocks() {
	r.phys = map[string]string{}
	for _, name := range r.under(strings.TrimSuffix(blockDir, "/")) {
		dir := blockDir + name
		at, known := r.links[dir]
		if !known || r.word(dir+"/hidden") == "1" {
			continue // a path of a multipath namespace is hidden behind its head
		}
		if sectors, ok := r.number(dir + "/size"); !ok || sectors == 0 && idle(name) {
			continue
		}
		r.phys[name] = at
		if controller := r.links[dir+"/controller"]; controller != "" {
			r.phys[name] = controller
		}
		r.facts.Block = append(r.facts.Block, r.block(name, at))
	}
	for i := range r.facts.Block {
		r.facts.Block[i].Mounts = r.mountsOf(r.facts.Block[i])
		r.missingOf(r.facts.Block[i])
	}
}

// syncing matches work on an array in /proc/mdstat: "recovery = 12.6%".
var syncing = lazyregexp.New(`(resync|recovery|check|reshape|repair) *= *([0-9.]+%|DELAYED|PENDING)`)

// sync returns the work in progress on an MD array: "recovery 12.6%", "idle"; "" if
// name is not one.
func (r *reader) sync(name string) string {
	found := ""
	for _, line := range r.files["/proc/mdstat"] {
		if word, _, ok := strings.Cut(line, " : "); ok {
			if found != "" {
				break
			}
			if word == name {
				found = "idle"
			}
			continue
		}
		if m := syncing.FindStringSubmatch(line); m != nil && found != "" {
			return m[1] + " " + m[2]
		}
	}
	return found
}

// idle reports whether a device of that name exists even when unused.
func idle(name string) bool {
	for _, stem := range []string{"loop", "ram", "nbd", "zram"} {
		if isNumbered(name, stem) {
			return true
		}
	}
	return false
}

func (r *reader) block(name, at string) assay.BlockDevice {
	dir := blockDir + name
	b := assay.BlockDevice{
		Name:       name,
		Path:       "/dev/" + strings.ReplaceAll(name, "!", "/"), // cciss!c0d0
		Kind:       r.kindOf(name, at),
		WriteCache: r.word(dir + "/queue/write_cache"),
		Scheduler:  chosen(r.word(dir + "/queue/scheduler")),
		ReadOnly:   r.word(dir+"/ro") == "1",
		Backing:    strings.TrimSuffix(r.word(dir+"/loop/backing_file"), " (deleted)"),
		On:         r.lists[dir+"/slaves"],
		Sync:       r.sync(name),
	}
	if sectors, ok := r.number(dir + "/size"); ok && sectors >= 0 && sectors < 1<<53 {
		b.Bytes = sectors * 512 // always 512, whatever the device's block size
	}
	if v := r.word(dir + "/queue/rotational"); v != "" {
		b.Rotational = truth(v == "1")
	}
	switch b.Kind {
	case "part":
		b.On = []string{base(parent(at))}
	case "crypt", "lvm":
		b.Path = "/dev/mapper/" + r.word(dir+"/dm/name")
	case "loop":
		b.Bus = assay.BusLoop
	case "disk":
		r.identify(&b, at)
		b.Link = r.way(r.phys[name])
	}
	return b
}

func (r *reader) kindOf(name, at string) string {
	dir := blockDir + name
	uuid := r.word(dir + "/dm/uuid")
	switch {
	case r.word(dir+"/partition") != "":
		return "part"
	case strings.HasPrefix(uuid, "CRYPT-"):
		return "crypt"
	case strings.HasPrefix(uuid, "LVM-"):
		return "lvm"
	case isNumbered(name, "dm-"):
		return "other"
	case strings.HasPrefix(name, "md") && strings.HasPrefix(at, "/sys/devices/virtual/"):
		return "raid"
	case isNumbered(name, "loop"):
		return "loop"
	case isNumbered(name, "zram"):
		return "zram"
	case isNumbered(name, "sr"):
		return "rom"
	case isNumbered(name, "ram"), isNumbered(name, "fd"):
		return "other"
	case bootPart.MatchString(name):
		return "other" // eMMC's small boot areas are not drives
	case strings.HasPrefix(at, "/sys/devices/virtual/nvme-subsystem/"):
		return "disk"
	case strings.HasPrefix(at, "/sys/devices/virtual/"):
		return "other" // zvol, DRBD, NBD, bcache
	case strings.HasPrefix(at, "/sys/devices/rbd/"):
		return "other" // a Ceph image mapped by the kernel
	}
	return "disk"
}

var bootPart = lazyregexp.New(`^mmcblk\d+(boot\d+|rpmb|gp\d+)$`)

// identify fills in what a whole disk reports about itself, from sysfs and
// udev.
func (r *reader) identify(b *assay.BlockDevice, at string) {
	dir := blockDir + b.Name
	udev := map[string]string{}
	for k, v := range r.fields("/run/udev/data/b"+r.word(dir+"/dev"), "=") {
		udev[strings.TrimPrefix(k, "E:")] = v
	}
	b.Bus = r.busOf(b.Name, at)
	vendor, model := r.word(dir+"/device/vendor"), r.word(dir+"/device/model")
	// SCSI truncates it to 16 characters, the last of which may be a blank:
	// "Samsung SSD 870 " of an EVO.
	full := strings.ReplaceAll(udev["ID_MODEL"], "_", " ")
	if len(model) >= 16 && len(full) > len(model) || strings.HasPrefix(full, model+" ") {
		model = full
	}
	switch {
	case vendor == "ATA" || vendor == "NVMe" || strings.HasPrefix(vendor, "0x"):
		vendor = "" // a transport or a PCI number, not a maker
	case strings.HasPrefix(strings.ToLower(model), strings.ToLower(vendor)):
		vendor = ""
	}
	b.Model = join(vendor, model)
	if b.Model == "" {
		b.Model = r.word(dir + "/device/name") // SD and eMMC
	}
	b.Serial = cmp.Or(r.word(dir+"/device/serial"), udev["ID_SERIAL_SHORT"], udev["ID_SCSI_SERIAL"], r.word(dir+"/serial"))
	b.Firmware = cmp.Or(r.word(dir+"/device/firmware_rev"), udev["ID_REVISION"], r.word(dir+"/device/rev"), r.word(dir+"/device/fwrev"))
	if rpm, err := strconv.Atoi(udev["ID_ATA_ROTATION_RATE_RPM"]); err == nil && rpm > 1 && rpm < 100000 {
		b.RPM = rpm
	}
}

var (
	virtioPart = lazyregexp.New(`/virtio\d+/`)
	ataPart    = lazyregexp.New(`/ata\d+/`)
	usbPart    = lazyregexp.New(`/usb\d+/`)
	iscsiPart  = lazyregexp.New(`/session\d+/target`)
	xenPart    = lazyregexp.New(`/vbd-\d+`)
)

// busOf derives the bus from the device's path in /sys/devices. USB comes
// first: the bridge in an enclosure may present a disk of another kind behind
// it.
func (r *reader) busOf(name, at string) assay.Bus {
	switch {
	case usbPart.MatchString(at):
		return assay.BusUSB
	case strings.HasPrefix(name, "nvme"):
		return assay.BusNVMe
	case strings.Contains(at, "/mmc_host/"):
		return assay.BusMMC
	case virtioPart.MatchString(at):
		return assay.BusVirtio
	case iscsiPart.MatchString(at):
		return assay.BusISCSI
	case ataPart.MatchString(at):
		return assay.BusSATA
	case strings.Contains(at, "/end_device-"):
		return assay.BusSAS
	case xenPart.MatchString(at):
		return assay.BusXen
	}
	return assay.BusNone
}

// missingOf records the facts of a whole disk that could not be determined.
func (r *reader) missingOf(b assay.BlockDevice) {
	if b.Kind != "disk" || b.Bytes == 0 {
		return
	}
	if b.Serial == "" {
		r.missing(b.Name+" serial", "found neither in /sys nor in udev", "smartctl -i "+b.Path)
	}
	if b.Rotational != nil && *b.Rotational && b.RPM == 0 && (b.Bus == assay.BusSATA || b.Bus == assay.BusSAS) {
		r.missing(b.Name+" rpm", "not in udev", "smartctl -i "+b.Path)
	}
	emulated := r.virtual() || b.Bus == assay.BusVirtio || b.Bus == assay.BusXen
	if !emulated && b.Bus != assay.BusISCSI {
		r.missing(b.Name+" power-loss protection", "the kernel does not expose it", "check the drive's data sheet")
	}
	transport := r.word(blockDir + b.Name + "/device/transport")
	switch {
	case b.Link != nil:
	case emulated:
		r.missing(b.Name+" link", "a virtual machine has emulated buses", "check on the hypervisor")
	case transport != "" && transport != "pcie":
		r.missing(b.Name+" link", "its transport is "+transport, "measure the network below it")
	case b.Bus == assay.BusISCSI:
		r.missing(b.Name+" link", "its transport is iscsi", "measure the network below it")
	case r.tunnelled(r.phys[b.Name]):
		r.missing(b.Name+" link", behindTunnel, "")
	case b.Bus == assay.BusMMC:
		r.missing(b.Name+" link", "the card slot's timing is in debugfs, which is not readable",
			"run as root, with debugfs mounted on /sys/kernel/debug")
	case b.Bus == assay.BusNVMe:
		r.missing(b.Name+" pcie link", "no hop of its path reports a speed", "lspci -vv")
	default:
		r.missing(b.Name+" link", "no hop of its path reports a speed", "")
	}
}

// chosen returns the word in brackets of "none [mq-deadline] kyber".
func chosen(schedulers string) string {
	if _, rest, ok := strings.Cut(schedulers, "["); ok {
		name, _, _ := strings.Cut(rest, "]")
		return name
	}
	return schedulers
}

// drivesUnder returns the disks at the bottom of the stack under a device, in
// tree order. A loop device stands on the disks of its backing file.
func (r *reader) drivesUnder(name string) []string {
	var bottom []string
	seen := map[string]bool{}
	var walk func(name string)
	walk = func(name string) {
		b := r.facts.Device(name)
		if b == nil || seen[name] {
			return
		}
		seen[name] = true
		below := b.On
		if b.Kind == "loop" && b.Backing != "" {
			if m := mountAt(r.mounts, b.Backing); m != nil {
				below = r.devicesOf(*m)
			}
		}
		if len(below) == 0 {
			bottom = append(bottom, name)
		}
		for _, next := range below {
			walk(next)
		}
	}
	walk(name)
	return bottom
}

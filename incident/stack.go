package incident

import "strings"

// Transport is how a block device is attached.
type Transport string

// The transports.
const (
	SATA    Transport = "sata"
	SAS     Transport = "sas"
	NVMe    Transport = "nvme"
	ISCSI   Transport = "iscsi"
	NVMeOF  Transport = "nvme-of" // NVMe over TCP, RDMA or Fibre Channel
	RBD     Transport = "rbd"
	DRBD    Transport = "drbd"
	FC      Transport = "fc"
	USB     Transport = "usb"
	MMC     Transport = "mmc"
	Virtual Transport = "virtual" // a hypervisor's virtual disk
	Loop    Transport = "loop"
	Mapped  Transport = "mapped" // device-mapper, md, a ZFS volume
)

// Real reports whether a device of this transport is a drive in or attached to the
// machine.
func (t Transport) Real() bool {
	switch t {
	case SATA, SAS, NVMe, USB, MMC:
		return true
	}
	return false
}

// Remote reports whether another machine serves a device of this transport.
func (t Transport) Remote() bool {
	switch t {
	case ISCSI, NVMeOF, RBD, DRBD, FC:
		return true
	}
	return false
}

// Device is a block device, as far as texts describe it.
type Device struct {
	Host      string
	Name      string // its kernel name
	Transport Transport
	Vendor    string
	Model     string
	Volume    string // what it belongs to: an iSCSI target's name, an image
	Mount     string
	Address   string // that of SCSI, "host:channel:target:LUN", where a text gives it
	Source    Source // of the line that gave the transport
	Line      string
}

// Stack is what is known about block devices.
type Stack struct {
	devices map[key]*Device
	order   []key
}

type key struct{ host, name string }

// Device returns a device's entry, creating it if it is new.
func (s *Stack) Device(host, name string) *Device {
	k := key{host, name}
	if s.devices == nil {
		s.devices = map[key]*Device{}
	}
	d, there := s.devices[k]
	if !there {
		d = &Device{Host: host, Name: name}
		s.devices[k] = d
		s.order = append(s.order, k)
	}
	return d
}

// All returns the devices in the order they were first named.
func (s Stack) All() []Device {
	all := make([]Device, 0, len(s.order))
	for _, k := range s.order {
		all = append(all, *s.devices[k])
	}
	return all
}

// Find returns what is known about a device or partition. What a text without a host says is
// found under any host. If host is empty, a name that only one host has is found as well.
func (s Stack) Find(host, name string) Device {
	for _, n := range []string{name, Whole(name)} {
		for _, h := range []string{host, ""} {
			if d, ok := s.devices[key{h, n}]; ok && d.Transport != "" {
				return *d
			}
		}
		if host == "" {
			var only []Device
			for _, k := range s.order {
				if k.name == n && s.devices[k].Transport != "" {
					only = append(only, *s.devices[k])
				}
			}
			if len(only) == 1 {
				return only[0]
			}
		}
	}
	found := Device{Host: host, Name: name, Transport: byName(Whole(name))}
	for _, h := range []string{host, ""} {
		if d, ok := s.devices[key{h, Whole(name)}]; ok && found.Address == "" {
			found.Address = d.Address
		}
	}
	return found
}

// byName returns the transport that a kernel name alone implies. An sd or nvme may be
// anything.
func byName(name string) Transport {
	for prefix, t := range map[string]Transport{"rbd": RBD, "drbd": DRBD, "vd": Virtual, "xvd": Virtual, "mmc": MMC, "loop": Loop, "dm-": Mapped, "md": Mapped, "zd": Mapped} {
		if strings.HasPrefix(name, prefix) {
			return t
		}
	}
	return ""
}

// Whole returns the device that a partition belongs to: sda for sda1, nvme0n1 for
// nvme0n1p2.
func Whole(name string) string {
	switch {
	case strings.HasPrefix(name, "sd"), strings.HasPrefix(name, "vd"), strings.HasPrefix(name, "xvd"), strings.HasPrefix(name, "hd"):
		return strings.TrimRight(name, "0123456789")
	case strings.HasPrefix(name, "nvme"), strings.HasPrefix(name, "mmcblk"), strings.HasPrefix(name, "nbd"), strings.HasPrefix(name, "rbd"):
		if at := strings.LastIndexByte(name, 'p'); at > 0 && strings.Trim(name[at+1:], "0123456789") == "" && at+1 < len(name) {
			return name[:at]
		}
	}
	return name
}

// ControllerOf returns the NVMe controller of a namespace: nvme0 for nvme0n1; other
// names as they are, such as nvme-Samsung_SSD_980_1 in /dev/disk/by-id.
func ControllerOf(name string) string {
	name = Whole(name)
	if rest, is := strings.CutPrefix(name, "nvme"); is {
		controller, namespace, found := strings.Cut(rest, "n")
		if found && namespace != "" && strings.Trim(namespace, "0123456789") == "" && controller != "" && strings.Trim(controller, "0123456789c") == "" {
			return "nvme" + controller
		}
	}
	return name
}

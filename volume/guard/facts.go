package guard

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Facts is what the node reports about a device.
type Facts struct {
	Path       string // as requested
	Absent     bool   // there is nothing at Path
	Other      bool   // Path is not a block device
	Name       string // the kernel's: sdb
	Number     string // major:minor
	Model      string // "" unknown
	Bytes      int64
	ReadOnly   bool
	Partition  bool     // it is one itself
	Partitions []string // kernel names of its partitions
	Holders    []string // what lies on it: device mapper, md, bcache, a loop device
	Serials    []string // its serials and world-wide names, from the kernel and udev
	Direct     bool     // its own serial is among them: no bridge in between
	// Others are the serials of the other whole disks of the node, by kernel name.
	Others map[string][]string
	// Links are its udev names, if the node's own /dev is visible.
	Links   []string
	Backing string // backing file of a loop device
	Swap    bool
	Mounts  []string // as far as the pod sees them
	// Exclusive reports whether opening it with O_EXCL succeeded: nobody holds
	// it. It is nil if that could not be tried; Failed may say why.
	Exclusive  *bool
	Failed     string
	Signatures []string // of file systems and the like
	Tables     []string // marks of partition tables
	Own        bool     // it has assay's mark, and is unchanged since
	Since      bool     // it has assay's mark, and was written to since
	// Blank reports that only zeros and erased bytes were found in it;
	// otherwise Written is the first other byte.
	Blank   bool
	Written int64
	seed    uint64 // of the samples taken
	head    sum    // of the area of the mark
	sum     sum    // of all else that was examined
}

// sectorBytes is the unit of sizes in /sys, whatever the device's sector size;
// see the kernel's Documentation/ABI/stable/sysfs-block.
const sectorBytes = 512

// ParseFacts parses the output of look.sh.
func ParseFacts(device string, b []byte) (Facts, error) {
	f := Facts{Path: device}
	kind := ""
	for line := range strings.Lines(string(b)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		value = strings.TrimSpace(value)
		switch key {
		case "kind":
			kind = value
		case "name":
			f.Name = value
		case "number":
			f.Number = value
		case "sectors":
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil || n < 0 || n > 1<<53 {
				return f, fmt.Errorf("size of %s: %w: %q", device, assay.ErrNoOutput, value)
			}
			f.Bytes = n * sectorBytes
		case "model":
			f.Model = value
		case "readonly":
			f.ReadOnly = value != "0"
		case "partition":
			f.Partition = true
		case "child":
			f.Partitions = addOnce(f.Partitions, value)
		case "holder":
			f.Holders = addOnce(f.Holders, value)
		case "serial":
			f.Serials = addOnce(f.Serials, value)
		case "direct":
			f.Direct = true
		case "other":
			disk, serial, _ := strings.Cut(value, " ")
			f.other(disk, strings.TrimSpace(serial))
		case "link":
			f.link(value)
		case "backing":
			f.Backing = value
		case "swap":
			f.Swap = true
		case "mount":
			f.Mounts = addOnce(f.Mounts, value)
		case "exclusive":
			if value != "unknown" {
				yes := value == "yes"
				f.Exclusive = &yes
			}
		case "failed":
			f.Failed = value
		case "signature":
			f.mark(value)
		}
	}
	f.Absent, f.Other = kind == "absent", kind == "other"
	if kind == "" || kind == "block" && (f.Name == "" || f.Number == "") {
		return f, fmt.Errorf("block device %s: %w: %q", device, assay.ErrNoOutput, strings.TrimSpace(string(b)))
	}
	return f, nil
}

// other adds a serial of another disk.
func (f *Facts) other(disk string, serials ...string) {
	if f.Others == nil {
		f.Others = map[string][]string{}
	}
	for _, serial := range serials {
		f.Others[disk] = addOnce(f.Others[disk], serial)
	}
}

// link adds what a udev link says of a disk: "sdb /dev/disk/by-id/ata-MODEL_SERIAL".
func (f *Facts) link(value string) {
	disk, link, _ := strings.Cut(value, " ")
	if disk != f.Name {
		f.other(disk, linkSerials(link)...)
		return
	}
	f.Links = addOnce(f.Links, link)
	if !f.named(link) {
		return
	}
	for _, serial := range linkSerials(link) {
		f.Serials = addOnce(f.Serials, serial)
	}
}

// named reports whether a link can be trusted to hold a serial of the disk that it
// leads to. Without a running udev, a link outlives its disk and leads to whatever
// took its place: then its serial is one that the kernel does not know. Behind a
// bridge only udev knows the disk's serial, but the kernel knows the bridge's.
func (f *Facts) named(link string) bool {
	name := path.Base(link)
	if !f.Direct && (len(f.Serials) == 0 || !strings.HasPrefix(name, "usb-")) {
		return true
	}
	for _, serial := range f.Serials {
		// A world-wide name is prefixed with its format: naa.5000c500a1b2c3d4.
		if _, number, is := strings.Cut(serial, "."); is && strings.Contains(name, number) {
			return true
		}
		if strings.Contains(name, inLinks.ReplaceAllString(serial, "_")) {
			return true
		}
	}
	return false
}

// inLinks matches the characters that udev does not allow in a name: see its rules
// for replacing them.
var inLinks = lazyregexp.New(`[^0-9A-Za-z#+.:=@_-]+`)

// instance matches the end of udev's names of USB devices: which of a device's
// disks it is.
var instance = lazyregexp.New(`-[0-9]+:[0-9]+$`)

// leastSerial is the minimum length for the end of a name to count as a serial:
// NVMe names may end with the namespace number.
const leastSerial = 4

// linkSerials returns the serials in a name in /dev/disk/by-id, as udev's rules
// build it: BUS-SERIAL, or BUS-MODEL_SERIAL, where tools call either MODEL_SERIAL or
// SERIAL the serial.
func linkSerials(link string) []string {
	_, long, _ := strings.Cut(path.Base(link), "-")
	long = instance.ReplaceAllString(long, "")
	short := long[strings.LastIndexByte(long, '_')+1:]
	if len(short) < leastSerial {
		return []string{long}
	}
	return []string{long, short}
}

func addOnce(all []string, value string) []string {
	for _, v := range all {
		if v == value {
			return all
		}
	}
	if value == "" {
		return all
	}
	return append(all, value)
}

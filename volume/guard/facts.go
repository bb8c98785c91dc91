package guard

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// Facts is what the node says of a device.
type Facts struct {
	Path       string // as it was asked for
	Absent     bool   // there is nothing at Path
	Other      bool   // something is, and no block device
	Name       string // the kernel's: sdb
	Number     string // major:minor
	Model      string // "" unknown
	Bytes      int64
	ReadOnly   bool
	Partition  bool     // it is one itself
	Partitions []string // kernel names of those on it
	Holders    []string // what lies on it: device mapper, md, bcache, a loop device
	Serials    []string // all that the kernel and udev call its serial or world-wide name
	Direct     bool     // its own serial is among them: no bridge is between it and the kernel
	// Others are the serials of the other whole disks of the node, by kernel name.
	Others map[string][]string
	// Links are the names that udev gave it, where the node's own /dev is in sight.
	Links   []string
	Backing string // the file under a loop device
	Swap    bool
	Mounts  []string // as far as the pod sees them
	// Exclusive says that it could be opened with O_EXCL: nobody holds it. nil
	// where that could not be tried, and Failed may say why.
	Exclusive  *bool
	Failed     string
	Signatures []string // marks of file systems and the like
	Tables     []string // marks of partition tables
	Own        bool     // it has assay's mark, and is as it was when that was left
	Since      bool     // it has assay's mark, and was written to since
	// Blank says that nothing but zeros and erased bytes was found in it, and
	// Written is otherwise the first byte that is something else.
	Blank   bool
	Written int64
	seed    uint64 // of the samples that were looked at
	head    sum    // of what lies where the mark would be
	sum     sum    // of all else that was looked at
}

// sectorBytes is the unit of a size in /sys, whatever the device's own sectors
// are; see the kernel's Documentation/ABI/stable/sysfs-block.
const sectorBytes = 512

// ParseFacts reads what look.sh prints.
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

// link adds what udev's name of a disk says: "sdb /dev/disk/by-id/ata-MODEL_SERIAL".
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

// named reports whether a link can be believed to hold a serial of the disk that it
// leads to. Where udev is not running, a link outlives its disk, and leads to whatever
// took that one's place: then what it holds is a serial that the kernel does not know.
// Behind a bridge udev alone knows it, but that of the bridge is the kernel's.
func (f *Facts) named(link string) bool {
	name := path.Base(link)
	if !f.Direct && (len(f.Serials) == 0 || !strings.HasPrefix(name, "usb-")) {
		return true
	}
	for _, serial := range f.Serials {
		// A world-wide name has its format before it: naa.5000c500a1b2c3d4.
		if _, number, is := strings.Cut(serial, "."); is && strings.Contains(name, number) {
			return true
		}
		if strings.Contains(name, inLinks.ReplaceAllString(serial, "_")) {
			return true
		}
	}
	return false
}

// inLinks are the letters that udev does not let stand in a name: see its rules for
// replacing them.
var inLinks = lazyregexp.New(`[^0-9A-Za-z#+.:=@_-]+`)

// instance ends udev's names of USB devices: which of a device's disks it is.
var instance = lazyregexp.New(`-[0-9]+:[0-9]+$`)

// leastSerial is what the end of a name must have to be taken for a serial, in
// letters: names of NVMe may end with the number of the namespace.
const leastSerial = 4

// linkSerials returns the serials in a name of /dev/disk/by-id, as udev's rules make
// them: BUS-SERIAL, or BUS-MODEL_SERIAL, of which tools call either the serial.
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

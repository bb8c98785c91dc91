package rawblock

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
)

// Facts is what the node says of a device.
type Facts struct {
	Path       string // as it was asked for
	Absent     bool   // there is nothing at Path
	Other      bool   // something is, and no block device
	Name       string // the kernel's: sdb
	Number     string // major:minor
	Bytes      int64
	ReadOnly   bool
	Partition  bool     // it is one itself
	Partitions []string // kernel names of those on it
	Holders    []string // what lies on it: device mapper, md, bcache, a loop device
	Serials    []string // all that the kernel and udev call its serial or world-wide name
	Backing    string   // the file under a loop device
	Swap       bool
	Mounts     []string // as far as the pod sees them
	// Exclusive says that it could be opened with O_EXCL: nobody holds it. nil
	// where that could not be tried, and Failed may say why.
	Exclusive  *bool
	Failed     string
	Signatures []string // marks of file systems and the like
	Tables     []string // marks of partition tables
}

// sectorBytes is the unit of a size in /sys, whatever the device's own sectors
// are; see the kernel's Documentation/ABI/stable/sysfs-block.
const sectorBytes = 512

// ParseFacts reads what look.sh prints.
func ParseFacts(path string, b []byte) (Facts, error) {
	f := Facts{Path: path}
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
				return f, fmt.Errorf("size of %s: %w: %q", path, assay.ErrNoOutput, value)
			}
			f.Bytes = n * sectorBytes
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
		return f, fmt.Errorf("block device %s: %w: %q", path, assay.ErrNoOutput, strings.TrimSpace(string(b)))
	}
	return f, nil
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

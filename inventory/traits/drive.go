package traits

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"assay"
)

// Drive lists the traits of a drive, or another block device.
var Drive = []Trait[assay.BlockDevice]{
	{
		Uses: Resume, Replaces: true, // the drive itself, so the trait has no name of its own
		Text: func(b assay.BlockDevice) string { return b.Model }, Also: func(b assay.BlockDevice) string { return b.Serial },
	},
	{Name: "kind", Uses: Resume, Text: func(b assay.BlockDevice) string { return b.Kind }},
	{Name: "firmware", Uses: Alike | Resume | Compare, Text: func(b assay.BlockDevice) string { return b.Firmware }},
	{Name: "size", Uses: Resume, Text: func(b assay.BlockDevice) string { return number(float64(b.Bytes), 1e9, "GB") }},
	{Name: "bus", Uses: Resume, Text: func(b assay.BlockDevice) string { return string(b.Bus) }},
	{Name: "link", Uses: Alike | Resume | Compare, Text: func(b assay.BlockDevice) string { return LinkMode(b.Link) }},
	{Name: "file", Uses: Resume, Text: func(b assay.BlockDevice) string { return b.Backing }},
	{Name: "medium", Uses: Resume, Text: medium},
	{Name: "speed", Uses: Resume, Text: func(b assay.BlockDevice) string { return number(float64(b.RPM), 1, "rpm") }},
	{Name: "write cache", Uses: Alike | Resume | Compare, Text: func(b assay.BlockDevice) string { return b.WriteCache }},
	{Name: "power-loss protection", Uses: Resume, Text: func(b assay.BlockDevice) string { return either(b.PLP, "yes", "no") }},
	{Name: "I/O scheduler", Uses: Resume | Compare, Text: func(b assay.BlockDevice) string { return b.Scheduler }},
	{Name: "being read-only", Uses: Resume, Text: func(b assay.BlockDevice) string { return either(&b.ReadOnly, "yes", "no") }},
}

// Directory lists the traits of a directory. Its file system's size is not one:
// on ZFS and on other people's servers it changes by itself, and no figure
// depends on it.
var Directory = []Trait[assay.DirFacts]{
	{
		Uses: Resume,
		Text: func(d assay.DirFacts) string { return either(&d.Exists, "there", "not there") },
		Also: func(d assay.DirFacts) string { return either(&d.Writable, "writable", "not writable") },
	},
	{Name: "mount point", Uses: Resume, Text: func(d assay.DirFacts) string { return d.Mount }},
	{Name: "file system", Uses: Resume | Compare, Text: func(d assay.DirFacts) string { return d.FileSystem }},
	{Name: "mount options", Uses: Resume | Compare, Text: func(d assay.DirFacts) string {
		return strings.Join(slices.Sorted(slices.Values(d.Options)), ",")
	}},
}

// Disks returns the whole drives of a host.
func Disks(f assay.Facts) (found []assay.BlockDevice) {
	for _, b := range f.Block {
		if b.Kind == "disk" && b.Bytes > 0 {
			found = append(found, b)
		}
	}
	return found
}

// Measured returns the drives under the directories that were measured, each once.
func Measured(f assay.Facts) (all []assay.BlockDevice) {
	for _, d := range f.Dirs {
		for _, name := range d.Drives {
			dev := f.Device(name)
			if dev != nil && !slices.ContainsFunc(all, func(b assay.BlockDevice) bool { return b.Name == name }) {
				all = append(all, *dev)
			}
		}
	}
	return all
}

// LinkMode formats a link as its kind and mode, "pcie Gen3 x4".
func LinkMode(l *assay.Link) string {
	if l == nil {
		return ""
	}
	return strings.TrimSpace(l.Kind + " " + l.Mode)
}

const spinning = "spinning disk"

func medium(b assay.BlockDevice) string { return either(b.Rotational, spinning, "SSD") }

// sold formats a drive's size as it is sold, in powers of ten, to two digits:
// drives of one size differ by a few sectors.
func sold(bytes int64) string {
	v, units := float64(bytes), []string{"B", "kB", "MB", "GB", "TB", "PB"}
	i := 0
	for ; v >= 995 && i < len(units)-1; i++ {
		v /= 1000
	}
	step := math.Pow(10, math.Floor(math.Log10(v))-1)
	return plainly(math.Round(v/step)*step, 4) + " " + units[i]
}

func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// number formats an amount exactly, in a unit of so many base units: different
// amounts never read the same.
func number(n, of float64, unit string) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatFloat(n/of, 'g', -1, 64) + " " + unit
}

// plainly formats a number to so many significant digits, keeping all before the point,
// without trailing zeros.
func plainly(v float64, significant int) string {
	decimals := significant - 1
	if v != 0 {
		decimals = max(0, significant-1-int(math.Floor(math.Log10(math.Abs(v)))))
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if decimals > 0 {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func either(b *bool, yes, no string) string {
	switch {
	case b == nil:
		return ""
	case *b:
		return yes
	default:
		return no
	}
}

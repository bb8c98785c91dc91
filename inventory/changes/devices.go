package changes

import (
	"slices"

	"assay"
)

// DeviceNames gives, by what the kernel calls a block device of a host now, what it
// called it at the look of before: under a claim, or a file that is mounted, there is
// one of another name each time. Only those are in it whose name is another. "" is
// for a device that has the name of one of before and is not that one.
func DeviceNames(was, is assay.Facts) map[string]string {
	names, taken := map[string]string{}, []string{}
	pair := func(now, before string) {
		if now != "" && before != "" && now != before {
			names[now] = before
		}
	}
	for _, d := range is.Dirs {
		before := was.Dir(d.Path)
		if before == nil {
			continue
		}
		pair(d.Device, before.Device)
		if len(d.Drives) == len(before.Drives) {
			for i := range d.Drives {
				pair(d.Drives[i], before.Drives[i])
			}
		}
		for _, name := range under(*before) {
			if !slices.Contains(under(d), name) {
				taken = append(taken, name)
			}
		}
	}
	for _, b := range is.Block {
		if before := was.DeviceAt(b.Path); before != nil && b.Path != "/dev/"+b.Name {
			pair(b.Name, before.Name)
			taken = append(taken, before.Name)
		}
	}
	for _, b := range is.Block {
		if _, renamed := names[b.Name]; !renamed && slices.Contains(taken, b.Name) && !stillAt(b, was) {
			names[b.Name] = ""
		}
	}
	return names
}

// under are the devices of a directory.
func under(d assay.DirFacts) []string { return append([]string{d.Device}, d.Drives...) }

// stillAt reports whether a device has a path of its own, and had it before.
func stillAt(b assay.BlockDevice, was assay.Facts) bool {
	before := was.Device(b.Name)
	return b.Path != "/dev/"+b.Name && before != nil && before.Path == b.Path
}

package changes

import (
	"slices"

	"assay"
)

// DeviceNames maps the kernel names of a host's block devices to their names at the
// previous look, where these differ: under a claim or a mounted file, the name
// changes each time. It maps a name to "" if it belonged to a different device then.
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

// under returns the devices of a directory.
func under(d assay.DirFacts) []string { return append([]string{d.Device}, d.Drives...) }

// stillAt reports whether a device has a path other than its kernel name, and
// had it before.
func stillAt(b assay.BlockDevice, was assay.Facts) bool {
	before := was.Device(b.Name)
	return b.Path != "/dev/"+b.Name && before != nil && before.Path == b.Path
}

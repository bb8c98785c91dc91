package inventory

import (
	"strings"

	"assay"
)

// mount is one line of /proc/self/mountinfo (proc(5)).
type mount struct {
	number  string // major:minor
	point   string
	options []string // of the mount and of the file system
	fs      string
	source  string
}

// readMounts parses mountinfo; incomplete lines are skipped.
func readMounts(lines []string) []mount {
	var out []mount
	for _, line := range lines {
		left, right, ok := strings.Cut(line, " - ")
		a, b := strings.Fields(left), strings.Fields(right)
		if !ok || len(a) < 6 || len(b) < 2 {
			continue
		}
		m := mount{number: a[2], point: unescape(a[4]), fs: b[0], source: unescape(b[1])}
		m.options = strings.Split(a[5], ",")
		if len(b) > 2 {
			m.options = distinct(append(m.options, strings.Split(unescape(b[2]), ",")...))
		}
		out = append(out, m)
	}
	return out
}

// unescape decodes the kernel's \040 for space, \011 tab, \012 line feed and
// \134 backslash.
func unescape(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`, `\043`, "#").Replace(s)
}

// mountAt returns the mount that holds a real path: the longest mount point above
// it; of several on one point the last, which hides the others.
func mountAt(mounts []mount, path string) *mount {
	var found *mount
	for i := range mounts {
		m := &mounts[i]
		if within(path, m.point) && (found == nil || len(m.point) >= len(found.point)) {
			found = m
		}
	}
	return found
}

func within(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == '/' || strings.HasSuffix(dir, "/"))
}

// deviceOf returns the kernel name of the block device directly under a mount, or
// "" for a file system on none or several.
func (r *reader) deviceOf(m mount) string {
	if strings.HasPrefix(m.number, "0:") {
		return ""
	}
	for _, b := range r.facts.Block {
		if r.word(blockDir+b.Name+"/dev") == m.number {
			return b.Name
		}
	}
	return ""
}

// devicesOf returns all block devices that a mount stands on: one, the members of
// a btrfs or ZFS pool, those under overlayfs's upper directory if that is visible
// from here, or none.
func (r *reader) devicesOf(m mount) []string { return r.devicesDown(m, 4) }

func (r *reader) devicesDown(m mount, depth int) []string {
	if depth == 0 {
		return nil
	}
	switch m.fs {
	case "btrfs":
		return r.btrfsMembers(m.source)
	case "zfs":
		pool, _, _ := strings.Cut(m.source, "/")
		return r.member[pool]
	case "overlay":
		if under := r.upper(m); under != nil {
			return r.devicesDown(*under, depth-1)
		}
		return nil
	}
	if name := r.deviceOf(m); name != "" {
		return []string{name}
	}
	return nil
}

// upper returns the mount that holds an overlay's upper directory, or nil: in a
// container that path is on the host and not visible.
func (r *reader) upper(m mount) *mount {
	for _, o := range m.options {
		dir, ok := strings.CutPrefix(o, "upperdir=")
		if !ok || !r.seen[dir] {
			continue
		}
		if under := mountAt(r.mounts, dir); under != nil && under.fs != "overlay" {
			return under
		}
	}
	return nil
}

// btrfsMembers returns the devices of the btrfs that source belongs to.
func (r *reader) btrfsMembers(source string) []string {
	name := r.byPath(source)
	if name == "" {
		return nil
	}
	for dir, members := range r.lists {
		if !strings.HasPrefix(dir, "/sys/fs/btrfs/") {
			continue
		}
		for _, m := range members {
			if m == name {
				return members
			}
		}
	}
	return []string{name}
}

// byPath returns the kernel name of the device with that path in /dev, or "".
func (r *reader) byPath(path string) string {
	for _, b := range r.facts.Block {
		if b.Path == path || "/dev/"+b.Name == path {
			return b.Name
		}
	}
	return ""
}

// mountsOf returns where a block device is mounted; "[SWAP]" if it is swap.
func (r *reader) mountsOf(b assay.BlockDevice) []string {
	number := r.word(blockDir + b.Name + "/dev")
	var out []string
	for _, m := range r.mounts {
		on := number != "" && m.number == number
		if m.fs == "btrfs" && r.byPath(m.source) == b.Name {
			on = true
		}
		if on {
			out = append(out, m.point)
		}
	}
	for _, line := range r.files["/proc/swaps"] {
		if f := strings.Fields(line); len(f) > 0 && (f[0] == b.Path || f[0] == "/dev/"+b.Name) {
			out = append(out, "[SWAP]")
		}
	}
	return distinct(out)
}

package survey

import (
	"cmp"
	"slices"
	"strings"
)

// mount is one line of /proc/self/mountinfo (proc(5)).
type mount struct {
	number   string // major:minor, the same for all mounts of a file system
	point    string
	fs       string
	source   string
	readOnly bool
}

func readMount(line string) (mount, bool) {
	left, right, ok := strings.Cut(line, " - ")
	a, b := strings.Fields(left), strings.Fields(right)
	if !ok || len(a) < 6 || len(b) < 2 {
		return mount{}, false
	}
	options := strings.Split(a[5], ",")
	if len(b) > 2 {
		options = append(options, strings.Split(b[2], ",")...)
	}
	return mount{
		number: a[2], point: plain(a[4]), fs: b[0], source: plain(b[1]),
		readOnly: slices.Contains(options, "ro"),
	}, true
}

// plain decodes the kernel's octal escapes.
func plain(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`, `\043`, "#").Replace(s)
}

// storage lists the file systems that hold data; all others are the kernel's
// own.
var storage = map[string]bool{
	"ext2": true, "ext3": true, "ext4": true, "xfs": true, "btrfs": true, "zfs": true, "f2fs": true, "bcachefs": true,
	"jfs": true, "overlay": true, "nfs": true, "nfs4": true, "cifs": true, "smb3": true, "ceph": true,
	"fuse.glusterfs": true, "ocfs2": true, "gfs2": true,
}

// notForData lists mount points whose content should be left alone.
var notForData = []string{
	"/boot", "/etc", "/proc", "/sys", "/dev", "/run", "/snap",
	"/var/lib/docker", "/var/lib/containers", "/var/lib/kubelet",
}

// mostCandidates is how many of a host's file systems are examined more
// closely: a server may have hundreds.
const mostCandidates = 16

// candidates returns the mount points of file systems that data could be
// written to: the shortest path for each file system, and one for each ZFS
// pool.
func (s sight) candidates() []string {
	best := map[string]string{}
	for _, m := range s.mounts {
		if !storage[m.fs] || m.readOnly || strings.ContainsAny(m.point, "\n\r\x00") || below(m.point, notForData) {
			continue
		}
		same := m.fs + " " + m.number
		switch pool, _, _ := strings.Cut(m.source, "/"); {
		case m.fs == "zfs":
			same = "zfs " + pool
		case strings.HasPrefix(m.source, "/dev/"):
			same = m.source // btrfs subvolumes have their own numbers
		}
		if old, there := best[same]; !there || len(m.point) < len(old) {
			best[same] = m.point
		}
	}
	var points []string
	for _, p := range best {
		points = append(points, p)
	}
	slices.SortFunc(points, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), cmp.Compare(a, b))
	})
	return points[:min(len(points), mostCandidates)]
}

func below(point string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(d string) bool { return point == d || strings.HasPrefix(point, d+"/") })
}

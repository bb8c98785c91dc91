package inventory

import (
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// directories parses the output about each requested directory.
func (r *reader) directories() {
	for i, lines := range r.dirs {
		asked := fieldsOf(lines, " ")
		d := assay.DirFacts{Path: after(lines, "asked ")}
		for _, line := range lines {
			switch line {
			case "exists":
				d.Exists = true
			case "writable":
				d.Writable = true // if it does not exist: where it would be made
			}
		}
		if asked["real"] == "" || d.Path == "" {
			continue
		}
		r.mounted(&d, after(lines, "real "))
		r.space(&d, r.runs["df."+strconv.Itoa(i)])
		d.Inodes, d.FreeInodes = inodes(r.runs["inodes."+strconv.Itoa(i)])
		r.facts.Dirs = append(r.facts.Dirs, d)
	}
}

// after returns the rest of the first line that begins with word, including
// blanks.
func after(lines []string, word string) string {
	for _, line := range lines {
		if text, ok := strings.CutPrefix(line, word); ok {
			return text
		}
	}
	return ""
}

// mounted finds the file system that holds the real path, and the drives below
// it.
func (r *reader) mounted(d *assay.DirFacts, target string) {
	m := mountAt(r.mounts, target)
	if m == nil {
		r.missing(d.Path+" file system", "/proc/self/mountinfo has no mount above "+target, "")
		return
	}
	d.Mount, d.FileSystem, d.Source, d.Options = m.point, m.fs, m.source, m.options
	switch m.fs {
	case "zfs":
		d.Dataset = m.source
	case "overlay":
		if under := r.upper(*m); under != nil {
			d.Device = r.deviceOf(*under)
		}
	default:
		d.Device = r.deviceOf(*m)
	}
	for _, device := range r.devicesOf(*m) {
		d.Drives = append(d.Drives, r.drivesUnder(device)...)
	}
	d.Drives = distinct(d.Drives)
	if len(d.Drives) > 0 {
		return
	}
	why, hint := "its file system ("+m.fs+") is on no visible block device", ""
	switch {
	case m.fs == "overlay" && r.facts.OS.Container != "":
		why, hint = "the upper directory of this container's overlay is on the host", "check on the host, or use a mounted volume"
	case m.fs == "zfs":
		why, hint = "cannot read the pool's devices", "run as root with the zfs tools installed"
	case m.fs == "tmpfs" || m.fs == "ramfs":
		why = "its file system (" + m.fs + ") is in memory"
	case isNetwork(m.fs):
		why, hint = "its file system ("+m.fs+") is on another machine", "check there too"
	}
	r.missing(d.Path+" drives", why, hint)
}

func isNetwork(fs string) bool {
	switch fs {
	case "nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "ceph", "fuse.sshfs", "fuse.glusterfs", "afs":
		return true
	}
	return false
}

// spaces matches the numbers of df -P -k: blocks, used, available, capacity.
// The source before and the mount point after them may contain blanks.
var spaces = lazyregexp.New(`\s(\d+)\s+(-?\d+)\s+(-?\d+)\s+(\d+%|-)\s`)

// space parses the size and the space free for ordinary users from df -P -k.
func (r *reader) space(d *assay.DirFacts, df ran) {
	for _, line := range df.lines {
		m := spaces.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		size, err := strconv.ParseInt(m[1], 10, 64)
		free, errFree := strconv.ParseInt(m[3], 10, 64)
		if err != nil || errFree != nil || size > 1<<52 || free > 1<<52 {
			break
		}
		d.Bytes, d.Free = size<<10, max(free, 0)<<10 // below 0: root is using the reserve
		return
	}
	r.missing(d.Path+" free space", "df -P -k: "+last(df.lines), "")
}

// inodes parses the total and free inodes from df -P -i; 0 if the file system
// creates them as needed.
func inodes(df ran) (all, free int64) {
	for _, line := range df.lines {
		if m := spaces.FindStringSubmatch(line); m != nil {
			all, _ = strconv.ParseInt(m[1], 10, 64)
			free, _ = strconv.ParseInt(m[3], 10, 64)
			return all, max(free, 0)
		}
	}
	return 0, 0
}

// pools reads the ZFS datasets under the directories, and their pools' members.
// Only complete properties count: "-" means not applicable.
func (r *reader) pools() {
	r.member = map[string][]string{}
	for i := range r.dirs {
		n := strconv.Itoa(i)
		r.members(r.runs["zpool."+n])
		run := r.runs["zfs."+n]
		if run.exit != 0 {
			continue
		}
		pool := assay.PoolFacts{Kind: "zfs", Version: r.word("/sys/module/zfs/version"), Properties: map[string]string{}}
		lines := run.lines
		if direct := r.runs["zfsdirect."+n]; direct.exit == 0 {
			lines = append(slices.Clone(lines), direct.lines...)
		}
		if v := r.word("/sys/module/zfs/parameters/zfs_dio_enabled"); v != "" {
			pool.Properties["zfs_dio_enabled"] = v // the module's, for all datasets
		}
		for _, line := range lines {
			f := strings.Split(line, "\t")
			if len(f) != 3 {
				continue
			}
			pool.Name = f[0]
			if f[2] != "-" {
				pool.Properties[f[1]] = f[2]
			}
		}
		if pool.Name != "" && r.facts.Pool(pool.Name) == nil {
			r.facts.Pools = append(r.facts.Pools, pool)
		}
	}
	for name, run := range r.runs {
		if strings.HasPrefix(name, "zvols.") {
			r.members(run)
		}
	}
	for i, b := range r.facts.Block {
		if pool := r.poolOf(b); pool != "" {
			r.facts.Block[i].On = r.member[pool]
		}
	}
	for _, lines := range r.dirs {
		m := mountAt(r.mounts, after(lines, "real "))
		if m != nil && m.fs == "zfs" && r.facts.Pool(m.source) == nil {
			r.missing(m.source+" properties", "zfs get returned none", "run as root with the zfs tools installed")
		}
	}
}

// poolOf returns the pool of a zvol, from the link that udev makes for it; "" if b is not
// a zvol.
func (r *reader) poolOf(b assay.BlockDevice) string {
	if !isNumbered(b.Name, "zd") {
		return ""
	}
	for _, line := range r.files["/run/udev/data/b"+r.word(blockDir+b.Name+"/dev")] {
		if dataset, is := strings.CutPrefix(line, "S:zvol/"); is {
			pool, _, _ := strings.Cut(dataset, "/")
			return pool
		}
	}
	return ""
}

// members parses zpool list -vHPL: the pool's name, then its virtual devices and
// devices, each after a tab; devices have a path. Log devices count, because
// sync writes go there; cache and spares, which come last under a heading, do
// not. Headings are padded with blanks and have no tab, despite -H.
func (r *reader) members(run ran) {
	if run.exit != 0 || len(run.lines) == 0 {
		return
	}
	pool, _, _ := strings.Cut(run.lines[0], "\t")
	if _, known := r.member[pool]; known || pool == "" {
		return
	}
	for _, line := range run.lines[1:] {
		heading, _, _ := strings.Cut(line, " ")
		if heading == "cache" || heading == "spare" {
			return
		}
		name, _, _ := strings.Cut(strings.TrimLeft(line, "\t "), "\t")
		if device := r.byPath(name); device != "" {
			r.member[pool] = append(r.member[pool], device)
		}
	}
}

package audit

import (
	"fmt"
	"strconv"
	"strings"

	"assay"
)

var directNotHonoured = Rule{
	ID: "direct-not-honoured", Number: 16, Applies: "fio, dd", Severities: "E",
	Title:   "Direct I/O that is not direct",
	Formula: "direct=1 on tmpfs, ramfs, 9p or an overlay on these; published figures for tmpfs or ramfs, unless they state direct=0; direct=1 on ZFS before 2.3, but for writes that are synchronous and reads of which the ARC counted how many it served; on later ZFS with the property direct=disabled or direct I/O switched off in the module, and for writes smaller than the record size",
	Source:  "Linux accepts O_DIRECT on tmpfs since 6.6; OpenZFS 2.3 release notes: Direct I/O, for requests aligned to the record size; zfsprops(7), direct; zfs(4), zfs_dio_enabled",
	Example: "direct=1 on tmpfs",
	Check:   checkDirect,
}

func checkDirect(e Evidence) []assay.Finding {
	const id = "direct-not-honoured"
	var found []assay.Finding
	for _, l := range e.storage() {
		if l.isDevice() || l.foreign() && l.rawDevice() {
			continue // no file system in between
		}
		for _, dir := range l.directions() {
			direct, known := isOn(l.label(dir, "direct"))
			d := l.dir()
			switch {
			case !known && l.foreign() && memoryFileSystems[l.fileSystem()]:
				found = append(found, l.finding(id, assay.Rejects, l.figuresOf(dir), "file system: "+l.fileSystem(),
					"this measures memory: "+l.fileSystem()+" has no drive under it", "let FILE be on a disk: "+l.again(dir, nil)))
			case !known:
				found = append(found, l.unchecked(id, nil, "whether the I/O was direct", "the tool's output or command line shows it"))
			case !direct:
			case l.foreign() && (d == nil || d.FileSystem == "") && l.fileSystem() != "":
				found = append(found, directOn(l, dir, assay.DirFacts{FileSystem: l.fileSystem()})...)
			case l.foreign() && (d == nil || d.FileSystem == ""):
				found = append(found, l.unchecked(id, nil, "file system that was measured", "say which it was"))
			case d == nil || d.FileSystem == "":
				found = append(found, l.unchecked(id, nil, "file system of "+l.Trial.Subject.Name, "take the inventory with this directory as an argument"))
			default:
				found = append(found, directOn(l, dir, *d)...)
			}
		}
	}
	return found
}

func directOn(l look, dir string, d assay.DirFacts) []assay.Finding {
	const id = "direct-not-honoured"
	metrics := l.figuresOf(dir)
	reject := func(arithmetic, message, advice string) []assay.Finding {
		return []assay.Finding{l.finding(id, assay.Rejects, metrics, arithmetic, message, advice)}
	}
	switch {
	case memoryFileSystems[d.FileSystem]:
		return reject("direct=1 on "+d.FileSystem, "this measures memory: "+d.FileSystem+" has no drive under it", "let FILE be on a disk: "+l.again(dir, nil))
	case d.FileSystem == "9p":
		return reject("direct=1 on 9p", "the page cache of the machine that serves this sits in between", "measure on that machine: "+l.again(dir, nil))
	case d.FileSystem == "overlay" && len(d.Drives) == 0 && d.Device == "":
		return []assay.Finding{l.unchecked(id, metrics, "what the overlay at "+d.Mount+" stands on", "use a directory outside the container's own file system, such as a mounted volume")}
	case d.FileSystem != "zfs":
		return nil
	}
	if dir == "write" && l.durable() {
		return nil // confirmed by the log; flush-too-fast judges it
	}
	if _, counted := l.fromARC(); dir == "read" && counted {
		return nil // arc-reads judges it
	}
	set := l.dataset()
	if set == nil || set.Version == "" {
		return []assay.Finding{l.unchecked(id, metrics, "version of ZFS", "run zfs version; for an imported output: --fact zfs.version=2.2")}
	}
	if !atLeast(set.Version, 2, 3) {
		return reject("direct=1 on ZFS "+set.Version, "ZFS before 2.3 accepts O_DIRECT but still caches: this may be its cache (ARC)",
			"zfs set primarycache=metadata "+set.Name+" for the duration of the test, and a file of more than twice the RAM: "+l.again(dir, map[string]string{"size": twiceRAM(l.facts)}))
	}
	if set.Properties["zfs_dio_enabled"] == "0" {
		return reject("direct=1 on ZFS "+set.Version+" with zfs_dio_enabled=0", "the ZFS module has direct I/O switched off and buffers instead", "echo 1 > /sys/module/zfs/parameters/zfs_dio_enabled")
	}
	switch set.Properties["direct"] {
	case "disabled":
		return reject("direct=1 on ZFS "+set.Version+" with direct=disabled", "the dataset has direct I/O disabled and buffers instead", "zfs set direct=standard "+set.Name)
	case "standard", "always": // they differ only in I/O not requested as direct
	default:
		return []assay.Finding{l.unchecked(id, metrics, "property direct of "+set.Name, "zfs get direct "+set.Name+"; for an imported output: --fact zfs.direct=standard")}
	}
	bs, okBs := parseSize(l.label(dir, "bs"))
	record, okRecord := parseSize(set.Properties["recordsize"])
	switch {
	case dir == "read":
		return []assay.Finding{l.unchecked(id, metrics, "whether the blocks were in the ARC", "arcstat during the run shows it; direct reads are served from the ARC if it holds the block")}
	case !okBs || !okRecord:
		return []assay.Finding{l.unchecked(id, metrics, "block and record size", "zfs get recordsize "+set.Name+"; for an imported output: --fact zfs.recordsize=128K")}
	case bs < record:
		return reject(fmt.Sprintf("direct=1 with blocks of %s on records of %s", memory(float64(bs)), memory(float64(record))),
			"ZFS sends writes smaller than the record size through its cache", fmt.Sprintf("use blocks of the record size: %s", l.again(dir, map[string]string{"bs": strconv.FormatInt(record, 10)})))
	}
	return nil
}

// atLeast compares the first two numbers of a version such as "2.2.4-pve1" or
// "zfs-2.3.0-1"; it is false for an unreadable version.
func atLeast(version string, major, minor int) bool {
	i := strings.IndexFunc(version, func(r rune) bool { return r >= '0' && r <= '9' })
	if i < 0 {
		return false
	}
	parts := strings.SplitN(version[i:], ".", 3)
	a, err := strconv.Atoi(parts[0])
	if err != nil || len(parts) < 2 {
		return err == nil && a > major
	}
	digits := strings.TrimRightFunc(parts[1], func(r rune) bool { return r < '0' || r > '9' })
	b, err := strconv.Atoi(digits)
	return a > major || a == major && err == nil && b >= minor
}

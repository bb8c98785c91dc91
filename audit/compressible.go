package audit

import (
	"strings"

	"assay"
)

var compressible = Rule{
	ID: "compressible", Number: 19, Applies: "fio, dd, rados", Severities: "W I",
	Title:   "Zeros",
	Formula: "the data is zeros, one repeated byte, or compressible by design: W if compression or deduplication is on or unknown, otherwise I; rados bench writes one byte over and over, and pools compress only when configured to: I, or W if they are",
	Source:  "OpenZFS and btrfs store a compressed block of zeros in almost no space, as some flash controllers do; Ceph src/common/obj_bencher.cc fills its objects with one byte, and bluestore_compression_mode is none by default",
	Example: "source zero on zfs with compression=lz4",
	Check: func(e Evidence) []assay.Finding {
		const id = "compressible"
		var found []assay.Finding
		for _, l := range e.storage() {
			for _, dir := range l.directions() {
				switch source := l.label(dir, "source"); {
				case source == "" && l.label(dir, "tool") == "dd" && dir == "write":
					found = append(found, l.unchecked(id, l.figuresOf(dir), "what was written", "dd's command line names it: if=/dev/zero or a file"))
				case squeezable[source]:
					severity, squeezed := l.squeezes()
					found = append(found, l.finding(id, severity, l.figuresOf(dir), "source "+strings.TrimPrefix(source, "/dev/")+" on "+squeezed,
						"such data can be stored in almost no space: real data may be slower",
						"write incompressible data: "+l.again(dir, nil)))
				}
			}
		}
		return append(found, sameByte(e)...)
	},
}

// squeezable are data sources that compress or deduplicate well.
var squeezable = map[string]bool{"zero": true, "/dev/zero": true, "repeated": true, "compressible": true}

// sameByte checks rados bench, whose objects repeat one byte.
func sameByte(e Evidence) []assay.Finding {
	const id = "compressible"
	var found []assay.Finding
	for _, l := range e.looks() {
		metrics := []string{"pool.write.bandwidth", "pool.write.iops"}
		if l.label("", "tool") != "rados" || !l.positive(metrics[0]) && !l.positive(metrics[1]) {
			continue
		}
		severity, mode := assay.Informs, l.label("", "compression")
		if s, _ := l.facts.StackOf(l.Trial.Subject); mode == "" && s != nil && s.Settings["pg_num"] != "" {
			if mode = s.Settings["compression_mode"]; mode == "" || mode == "none" {
				continue // the pool is known to compress nothing
			}
		}
		switch mode {
		case "":
			mode = "compression off unless somebody turned it on"
		case "none", "off", "passive":
			mode = "compression " + mode
		default:
			severity, mode = assay.Warns, "compression "+mode
		}
		found = append(found, l.finding(id, severity, metrics, "one byte repeated, on a pool with "+mode,
			"a pool that compresses stores such objects in almost no space",
			"check it: ceph osd pool get POOL compression_mode"))
	}
	return found
}

// squeezes reports whether the storage under the subject may compress or
// deduplicate, as a severity, and what is known about it in words.
func (l look) squeezes() (assay.Severity, string) {
	d := l.dir()
	if fs := l.fileSystem(); l.foreign() && fs != "" && (d == nil || d.FileSystem == "") {
		d = &assay.DirFacts{FileSystem: fs}
	}
	switch {
	case l.foreign() && l.rawDevice():
		d = &assay.DirFacts{FileSystem: "a raw device"}
	case d == nil || d.FileSystem == "":
		return assay.Warns, "an unknown file system"
	case d.FileSystem == "zfs":
		set := l.dataset()
		if set == nil || set.Properties["compression"] == "" {
			return assay.Warns, "zfs with compression unknown"
		}
		if set.Properties["compression"] != "off" || set.Properties["dedup"] != "" && set.Properties["dedup"] != "off" {
			return assay.Warns, "zfs with compression=" + set.Properties["compression"]
		}
		return assay.Informs, "zfs with compression=off"
	case d.FileSystem == "btrfs" || d.FileSystem == "f2fs" || d.FileSystem == "bcachefs":
		for _, o := range d.Options {
			if strings.HasPrefix(o, "compress") {
				return assay.Warns, d.FileSystem + " with " + o
			}
		}
	}
	drives, missing, _ := l.drives()
	if missing != "" && !l.foreign() {
		return assay.Warns, d.FileSystem + " on something unknown"
	}
	for _, b := range drives {
		if l.virtual(b) {
			return assay.Warns, d.FileSystem + " on a virtual disk, with what is under it unknown"
		}
	}
	return assay.Informs, d.FileSystem + ", which does not compress"
}

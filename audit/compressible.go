package audit

import (
	"strings"

	"assay"
)

var compressible = Rule{
	ID: "compressible", Number: 19, Applies: "fio, dd", Severities: "W I",
	Title:   "Zeros",
	Formula: "the data are zeros: W where compression or deduplication is on or not known, otherwise I",
	Source:  "OpenZFS and btrfs store a compressed block of zeros as next to nothing; some flash controllers do too",
	Example: "source zero on zfs with compression=lz4",
	Check: func(e Evidence) []assay.Finding {
		const id = "compressible"
		var found []assay.Finding
		for _, l := range e.storage() {
			for _, dir := range l.directions() {
				switch source := l.label(dir, "source"); {
				case source == "" && l.label(dir, "tool") == "dd" && dir == "write":
					found = append(found, l.unchecked(id, l.figuresOf(dir), "what was written", "dd's command line names it: if=/dev/zero or a file"))
				case source == "zero" || source == "/dev/zero":
					severity, squeezed := l.squeezes()
					found = append(found, l.finding(id, severity, l.figuresOf(dir), "source zero on "+squeezed,
						"zeros can be stored as next to nothing: real data may be slower",
						"write incompressible data: dd if=/dev/urandom of=SOURCE bs=1M count=1024, then dd if=SOURCE of=FILE bs=1M conv=fdatasync"))
				}
			}
		}
		return found
	},
}

// squeezes says whether what is under the subject may compress or deduplicate,
// as a severity, and what is known of it in words.
func (l look) squeezes() (assay.Severity, string) {
	d := l.dir()
	switch {
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
	if missing != "" {
		return assay.Warns, d.FileSystem + " on something unknown"
	}
	for _, b := range drives {
		if l.virtual(b) {
			return assay.Warns, d.FileSystem + " on a virtual disk, with what is under it unknown"
		}
	}
	return assay.Informs, d.FileSystem + ", which does not compress"
}

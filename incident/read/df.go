package read

import (
	"strings"

	"assay/incident"
)

// dfHeader begins a table of df or df -i, where none has begun.
func (r *Reader) dfHeader(text string, _ int) {
	if fields := strings.Fields(text); len(fields) >= 6 && fields[0] == "Filesystem" {
		r.table = dfTable{}
	}
}

// dfTable is what df prints, of which file systems on devices that are full are read.
type dfTable struct{}

// counted reports whether df's name of a file system is of one whose space is a machine's own:
// a device, or the root of a container.
func counted(name string) bool {
	return strings.HasPrefix(name, "/dev/") || name == "overlay" || name == "rootfs"
}

// onlyRead are devices of images that are meant to be full.
var onlyRead = []string{"/dev/loop", "/dev/sr"}

func (dfTable) row(r *Reader, line string, n int) bool {
	fields := strings.Fields(line)
	if len(fields) < 6 || !strings.HasSuffix(fields[4], "%") && fields[4] != "-" {
		return false
	}
	if fields[4] != "100%" || !counted(fields[0]) {
		return true
	}
	for _, o := range onlyRead {
		if strings.HasPrefix(fields[0], o) {
			return true
		}
	}
	r.event(incident.FSFull, blockDevice(fields[0]), 0, stamped{text: line}, n)
	return true
}

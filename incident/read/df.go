package read

import (
	"strings"

	"assay/incident"
)

// dfHeader starts a table of df or df -i, if none is open.
func (r *Reader) dfHeader(text string, _ int) {
	if fields := strings.Fields(text); len(fields) >= 6 && fields[0] == "Filesystem" {
		r.table = dfTable{}
	}
}

// dfTable is df's output, from which full file systems on devices are read.
type dfTable struct{}

// counted reports whether a file system name in df stands for the machine's own space: a
// device, or the root of a container.
func counted(name string) bool {
	return strings.HasPrefix(name, "/dev/") || name == "overlay" || name == "rootfs"
}

// onlyRead are image devices, which are full by design.
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

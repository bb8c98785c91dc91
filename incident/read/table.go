package read

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/incident"
)

// tableReader reads the rows below a heading, for as long as there are any.
type tableReader interface {
	row(r *Reader, line string, n int) bool // whether line was a row
}

// tableHeader starts a table of lsblk or zpool status.
func (r *Reader) tableHeader(text string, _ int) {
	fields := strings.Fields(text)
	has := func(name string) bool {
		for _, f := range fields {
			if f == name {
				return true
			}
		}
		return false
	}
	switch {
	case len(fields) == 0: // the word is elsewhere in a JSON entry
	case has("STATE") && has("READ") && has("WRITE") && has("CKSUM"):
		r.table = &zpoolTable{}
	case fields[0] == "NAME" && (has("TRAN") || has("TYPE") || has("VENDOR") || has("MODEL")):
		r.table = newBlockTable(text)
	}
}

// blockTable is the output of lsblk. Its text cells are aligned with their
// headings.
type blockTable struct {
	names  []string
	starts []int // in runes
	above  string
}

func newBlockTable(header string) *blockTable {
	t := &blockTable{}
	at := 0
	for at < len(header) {
		if header[at] == ' ' {
			at++
			continue
		}
		end := at
		for end < len(header) && header[end] != ' ' {
			end++
		}
		t.names = append(t.names, header[at:end])
		t.starts = append(t.starts, at)
		at = end
	}
	return t
}

// cell returns the text below a heading, in a row whose words keep their columns.
func (t *blockTable) cell(row []rune, name string) string {
	for i, is := range t.names {
		if is != name || t.starts[i] >= len(row) {
			continue
		}
		end := len(row)
		if i+1 < len(t.starts) {
			end = min(end, t.starts[i+1])
		}
		return strings.TrimSpace(string(row[t.starts[i]:end]))
	}
	return ""
}

func (t *blockTable) row(r *Reader, line string, n int) bool {
	if !utf8.ValidString(line) {
		return false
	}
	row := []rune(line)
	name := strings.TrimLeft(strings.ReplaceAll(line, "/dev/", ""), " │├└─|`-")
	name, _, _ = strings.Cut(name, " ")
	if !isDevice(name) {
		return strings.HasPrefix(strings.TrimSpace(line), "sr") || strings.ContainsAny(line, "├└")
	}
	tran := strings.ToLower(t.cell(row, "TRAN"))
	vendor, model := t.cell(row, "VENDOR"), t.cell(row, "MODEL")
	kind := blockTransport(name, tran, vendor+" "+model+" ")
	d := r.know(name, kind, line, n)
	d.Vendor, d.Model = vendor, model
	for _, heading := range []string{"MOUNTPOINT", "MOUNTPOINTS"} {
		if m := t.cell(row, heading); m != "" {
			d.Mount = m
		}
	}
	r.mounted(d, line, n)
	if line[0] != ' ' && name == strings.Fields(line)[0] {
		t.above = name
	} else if whole := r.log.Stack.Device(r.host, t.above); t.above != "" && whole.Mount == "" {
		whole.Mount = d.Mount
	}
	return true
}

// mounted learns from where a device is mounted which engine it is of.
func (r *Reader) mounted(d *incident.Device, line string, n int) {
	if strings.Contains(d.Mount, "driver.longhorn.io") {
		d.Volume = "longhorn"
		r.longhorn(line, n)
	}
}

// blockTransport is what a row of lsblk says that a device hangs on.
func blockTransport(name, tran, product string) incident.Transport {
	switch tran {
	case "sata", "ata":
		return incident.SATA
	case "sas":
		return incident.SAS
	case "nvme":
		return incident.NVMe
	case "tcp", "rdma", "fc_nvme":
		return incident.NVMeOF
	case "iscsi":
		return incident.ISCSI
	case "usb":
		return incident.USB
	case "fc":
		return incident.FC
	case "mmc":
		return incident.MMC
	}
	if t := productOf(product); t != "" {
		return t
	}
	return incident.Stack{}.Find("", name).Transport
}

// zpoolTable is the table of zpool status.
type zpoolTable struct{ pool string }

func (t *zpoolTable) row(r *Reader, line string, n int) bool {
	fields := strings.Fields(line)
	if len(fields) == 0 || strings.HasSuffix(fields[0], ":") {
		return len(fields) == 0 && t.pool == ""
	}
	if len(fields) < 2 {
		return true // logs, cache, spares
	}
	name, state := fields[0], fields[1]
	if strings.ToUpper(state) != state || strings.Trim(state, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return false
	}
	if t.pool == "" && !aDisk(name) {
		t.pool = name
	}
	s := stamped{text: line}
	leaf := name != t.pool && !strings.HasPrefix(name, "mirror-") && !strings.HasPrefix(name, "raidz") && !strings.HasPrefix(name, "draid") &&
		!strings.HasPrefix(name, "replacing-") && !strings.HasPrefix(name, "spare-")
	if !leaf {
		if state == "SUSPENDED" {
			r.event(incident.ZFSSuspended, name, 0, s, n)
		}
		return true
	}
	if state == "FAULTED" || state == "UNAVAIL" || state == "REMOVED" {
		r.event(incident.ZFSFaulted, name, 0, s, n)
	}
	if len(fields) >= 5 {
		if io := zpoolCount(fields[2]) + zpoolCount(fields[3]); io > 0 {
			r.event(incident.ZFSIO, name, io, s, n)
		}
		if sums := zpoolCount(fields[4]); sums > 0 {
			r.event(incident.ZFSChecksum, name, sums, s, n)
		}
	}
	return true
}

// aDisk reports whether a name is one that disks have and pools do not: people post the
// rows of the disks that have errors.
func aDisk(name string) bool {
	for _, prefix := range []string{"ata-", "wwn-", "scsi-", "nvme-", "gptid/", "diskid/", "/dev/"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	controller, target, of := strings.Cut(strings.TrimPrefix(name, "c"), "t") // c0t4d0 of illumos
	return isDevice(name) || of && name[0] == 'c' && digits(controller) && strings.Trim(target, "0123456789ABCDEFdps") == "" && target != ""
}

// zpoolCount reads 12 and 1.2K.
func zpoolCount(s string) float64 {
	factor := 1.
	if at := strings.IndexAny(s, "KMG"); at == len(s)-1 && at > 0 {
		factor = map[byte]float64{'K': 1e3, 'M': 1e6, 'G': 1e9}[s[at]]
		s = s[:at]
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v < 0 || v > 1e15 {
		return 0
	}
	return v * factor
}

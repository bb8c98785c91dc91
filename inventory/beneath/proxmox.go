package beneath

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

// The key of a VM's disk: its bus and its number there.
var diskKey = lazyregexp.New(`^(ide|sata|scsi|virtio)[0-9]+$`)

// Proxmox parses the output of qm config for a VM: a line "key: value" per setting. If no
// cache mode is set, Proxmox VE uses mode none.
func Proxmox(text []byte) (assay.GuestFacts, error) {
	var f assay.GuestFacts
	known, controller := 0, ""
	for line := range strings.Lines(string(text)) {
		key, value, found := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
		if !found {
			continue
		}
		switch {
		case key == "cpu":
			f.CPU, _, _ = strings.Cut(strings.TrimPrefix(value, "cputype="), ",")
		case key == "machine":
			f.Machine, _, _ = strings.Cut(value, ",")
		case key == "scsihw":
			controller = value
		case diskKey.MatchString(key):
			if d, is := proxmoxDisk(key, value); is {
				f.Disks = append(f.Disks, d)
			}
		case !slices.Contains([]string{"cores", "memory", "name", "boot", "ostype", "sockets", "net0"}, key):
			continue
		}
		known++
	}
	if known < 2 {
		return assay.GuestFacts{}, fmt.Errorf("not the configuration of a VM: %w", assay.ErrNoOutput)
	}
	for i, d := range f.Disks {
		if strings.HasPrefix(d.Name, "scsi") {
			f.Disks[i].Bus = strings.TrimSpace("scsi " + controller)
		}
	}
	return f, nil
}

// proxmoxDisk parses "local-lvm:vm-101-disk-0,cache=writeback,iothread=1"; it returns
// false for a CD.
func proxmoxDisk(key, value string) (assay.GuestDisk, bool) {
	source, rest, _ := strings.Cut(value, ",")
	d := assay.GuestDisk{Name: key, Bus: strings.TrimRight(key, "0123456789"), Source: strings.TrimPrefix(source, "file="), Cache: "none"}
	if storage, _, named := strings.Cut(d.Source, ":"); named && !strings.HasPrefix(d.Source, "/") {
		d.Storage = storage
	}
	for setting := range strings.SplitSeq(rest, ",") {
		switch name, value, _ := strings.Cut(setting, "="); name {
		case "cache":
			d.Cache = cmp.Or(value, d.Cache)
		case "aio":
			d.AIO = value
		case "iothread":
			d.IOThread = value == "1"
		case "serial":
			d.Serial = value
		case "media":
			if value == "cdrom" {
				return d, false
			}
		}
	}
	return d, d.Source != "none"
}

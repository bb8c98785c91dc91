package guest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"
)

// Bus is how a disk is attached.
type Bus string

// The supported buses.
const (
	Virtio Bus = "virtio"
	SCSI   Bus = "scsi"
	NVMe   Bus = "nvme"
	SATA   Bus = "sata"
	USB    Bus = "usb"
)

// Buses lists all of them.
var Buses = []Bus{Virtio, SCSI, NVMe, SATA, USB}

// hardware holds QEMU's options for disks on a bus.
type hardware struct {
	controller string // needed once for all disks; "" for none
	device     string // of a disk
	link       string // udev's name for it, before its serial
	suffix     string // and after it
}

var emulated = map[Bus]hardware{
	Virtio: {"", "virtio-blk-pci", "virtio-", ""},
	SCSI:   {"virtio-scsi-pci,id=hba", "scsi-hd,bus=hba.0", "scsi-0QEMU_QEMU_HARDDISK_", ""},
	NVMe:   {"", "nvme", "nvme-QEMU_NVMe_Ctrl_", ""},
	SATA:   {"", "ide-hd", "ata-QEMU_HARDDISK_", ""}, // on the machine's built-in controller, which has six ports
	USB:    {"qemu-xhci,id=usb,p2=15,p3=15", "usb-storage,bus=usb.0", "usb-QEMU_QEMU_HARDDISK_", "-0:0"},
}

// Disk is a disk of a guest, initially all zeros.
type Disk struct {
	Bus    Bus
	Serial string // as the disk reports it: 1 to 20 letters and digits
	Bytes  int64  // a multiple of 1 MiB
	Sector int    // B, reported physical sector size; 0: 512
	// From is a file on this machine with the initial contents, "" for zeros. The disk
	// is read-only.
	From string
	// In is the drive in this program that holds its data, with the same number of bytes;
	// nil for a file.
	In   *Drive
	IOPS int // QEMU's limit in operations a second; 0: none
	// Unreadable is the offset of an aligned 512 B sector whose reads always fail; 0 for
	// none.
	Unreadable int64
}

// Link returns the disk's udev name in the guest.
func (d Disk) Link() string {
	h := emulated[d.Bus]
	return "/dev/disk/by-id/" + h.link + d.Serial + h.suffix
}

// name returns a name that is unique among a guest's disks.
func (d Disk) name() string { return string(d.Bus) + "-" + d.Serial }

// device returns QEMU's name for the drive itself, not for its data.
func (d Disk) device() string { return "disk-" + d.name() }

var plainSerial = regexp.MustCompile(`^[0-9A-Za-z]{1,20}$`)

func checkDisks(disks []Disk) error {
	for i, d := range disks {
		if _, known := emulated[d.Bus]; !known || !plainSerial.MatchString(d.Serial) || d.Bytes < 1<<20 || d.Bytes%(1<<20) != 0 ||
			d.Unreadable%512 != 0 || d.Unreadable < 0 || d.Unreadable >= d.Bytes {
			return fmt.Errorf("no disk can be %+v", d)
		}
		if slices.ContainsFunc(disks[:i], func(other Disk) bool { return other.name() == d.name() }) {
			return fmt.Errorf("two disks are %s", d.name())
		}
	}
	return nil
}

// Image returns the file on this machine that holds a disk's data. What a guest
// has written is there once the guest has flushed it.
func (g *Guest) Image(d Disk) string { return filepath.Join(g.Dir, d.name()+".img") }

// makeDisks creates the files of the disks, and returns QEMU's arguments for
// them.
func (g *Guest) makeDisks(disks []Disk) (args []string, err error) {
	controllers := map[string]bool{"": true}
	sata := 0
	for _, d := range disks {
		file, more := g.Image(d), ""
		switch {
		case d.In != nil:
		case d.From != "":
			file, more = d.From, ",readonly=on"
		default:
			if err := makeImage(file, d.Bytes); err != nil {
				return nil, err
			}
		}
		if d.IOPS > 0 {
			more += ",throttling.iops-total=" + strconv.Itoa(d.IOPS)
		}
		h := emulated[d.Bus]
		if !controllers[h.controller] {
			controllers[h.controller] = true
			args = append(args, "-device", h.controller)
		}
		device := h.device + ",id=" + d.device() + ",drive=" + d.name() + ",serial=" + d.Serial
		if d.Sector > 0 {
			device += ",physical_block_size=" + strconv.Itoa(d.Sector)
		}
		if d.Bus == SATA {
			device += ",bus=ide." + strconv.Itoa(sata)
			sata++
		}
		args = append(args, "-drive", "if=none,format=raw,id="+d.name()+d.data(file)+more, "-device", device)
	}
	return args, nil
}

// data returns QEMU's options for the file that holds a disk's data.
func (d Disk) data(file string) string {
	if d.In != nil {
		return ",file.driver=nbd,file.server.type=unix,file.server.path=" + OptionWord(d.In.listener.Addr().String())
	}
	if d.Unreadable == 0 {
		return ",file=" + OptionWord(file)
	}
	return fmt.Sprintf(",file.driver=blkdebug,file.image.driver=file,file.image.filename=%s,file.inject-error.0.event=none,file.inject-error.0.iotype=read,file.inject-error.0.errno=%d,file.inject-error.0.sector=%d",
		OptionWord(file), syscall.EIO, d.Unreadable/512)
}

func makeImage(file string, bytes int64) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(bytes), f.Close())
}

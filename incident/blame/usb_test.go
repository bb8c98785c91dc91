package blame_test

import (
	"testing"

	"assay/incident"
	"assay/incident/blame"
)

// UPSs, mice and radio sticks are reset by the hour, beside faults that have nothing to do
// with them.
func TestAUSBResetIsOfADisk(t *testing.T) {
	const (
		slow  = "[9.1] usb 1-4: reset low-speed USB device number 3 using xhci_hcd\n"
		quick = "[9.1] usb 1-4: reset high-speed USB device number 3 using xhci_hcd\n"
		gone  = "[9.1] usb 1-4: USB disconnect, device number 3\n"
		hung  = "[9.2] INFO: task jbd2/nvme0n1p2:300 blocked for more than 120 seconds.\n"
		sda   = "[9.2] I/O error, dev sda, sector 7\n[9.3] EXT4-fs error (device sda1): x\n"
		nvme  = "[9.2] I/O error, dev nvme0n1, sector 7\n"
		sata  = "NAME TRAN TYPE\nsda  sata disk\n"
		stick = "NAME TRAN TYPE\nsda  usb  disk\n"
	)
	for name, c := range map[string]struct {
		hosts []on
		usb   bool
	}{
		"a UPS and a stall":               {[]on{{"a", slow + hung}}, false},
		"a UPS and a disk":                {[]on{{"a", slow + sda}}, false},
		"a camera and a stall":            {[]on{{"a", quick + hung}}, false},
		"a camera and an NVMe drive":      {[]on{{"a", quick + nvme}}, false},
		"a camera and a SATA drive":       {[]on{{"a", sata + quick + sda}}, false},
		"a camera and another's disk":     {[]on{{"a", quick}, {"b", sda}}, false},
		"a phone and an NVMe drive":       {[]on{{"a", gone + nvme}}, false},
		"a phone and another's disk":      {[]on{{"a", gone}, {"b", sda}}, false},
		"a disk that may be on USB":       {[]on{{"a", quick + sda}}, true},
		"a disk that is on USB":           {[]on{{"a", stick + quick + sda}}, true},
		"a disk that was lost":            {[]on{{"a", gone + sda}}, true},
		"a text that does not name hosts": {[]on{{"", quick + sda}}, true},
	} {
		v := judgeHosts(t, c.hosts...)
		if is := v.Cause != nil && v.Cause.Rule == "usb" && v.Cause.Layer == incident.Link && v.Cause.How == blame.VeryLikely; is != c.usb {
			t.Errorf("%s: %+v", name, v.Cause)
		}
	}
}

// A reset that has nothing to do with an error does not hide what its own rule makes of it.
func TestAUSBResetHidesNothing(t *testing.T) {
	with := judgeHosts(t, on{"a", "[9.1] usb 1-4: reset high-speed USB device number 3 using xhci_hcd\n[9.2] I/O error, dev nvme0n1, sector 7\n"})
	for _, c := range with.Follows {
		t.Errorf("hides %s: %s", c.Rule, c.Says)
	}
}

package limits

import (
	"fmt"
	"math"
	"strings"

	"assay"
)

// Link returns the payload rate of a link; missing if there is none or its rate is
// unknown.
func Link(l *assay.Link) Limit {
	if l == nil || !(l.Ceiling > 0) {
		return missing("link", "lspci -vv and /sys show it, given permission to read them")
	}
	return Limit{Name: LinkName(*l), Value: l.Ceiling, Unit: assay.BytesPerSecond, Sum: linkSum(*l)}
}

// LinkName returns the usual name of a link: "PCIe Gen3 x4", "SATA 6.0 Gb/s".
func LinkName(l assay.Link) string {
	kind := map[string]string{"pcie": "PCIe", "emmc": "eMMC"}[l.Kind]
	if kind == "" {
		kind = strings.ToUpper(l.Kind)
	}
	return strings.TrimSpace(kind + " " + l.Mode)
}

// linkSum returns "8 GT/s x 4 x 128/130 / 8" or "sata 6.0 Gb/s x 8/10", and for
// other links only their name, "usb 480 Mb/s".
func linkSum(l assay.Link) string {
	for _, e := range pcieEncoding {
		if l.Kind == "pcie" && l.GTs == e.gts && l.Lanes > 0 {
			return fmt.Sprintf("%v GT/s x %d x %v/%v / 8", l.GTs, l.Lanes, e.data, e.raw)
		}
	}
	name := strings.TrimSpace(l.Kind + " " + l.Mode)
	if raw, unit := 0., ""; l.Kind != "emmc" && l.Kind != "sd" {
		if n, _ := fmt.Sscanf(l.Mode, "%g %s", &raw, &unit); n == 2 {
			for _, c := range serialCoding {
				bits := raw * map[string]float64{"Gb/s": 1e9, "Mb/s": 1e6}[unit]
				if bits > 0 && math.Abs(8*l.Ceiling/bits-c.data/c.raw) < 1e-6 {
					return fmt.Sprintf("%s x %v/%v", name, c.data, c.raw)
				}
			}
		}
	}
	return name
}

// serialCoding is the share of a serial link's raw bits that is data: 8b/10b for SATA and
// early USB; 128b/150b for SAS above 12 Gb/s; 128b/132b for USB from 10.
var serialCoding = []struct{ data, raw float64 }{{8, 10}, {128, 150}, {128, 132}}

// Drives returns what the links of some drives carry together.
func Drives(drives []assay.BlockDevice) Limit {
	var all []Limit
	for _, d := range drives {
		l := Link(d.Link)
		if !l.Known() {
			return missing("link of "+d.Name, noLink(d))
		}
		all = append(all, l)
	}
	if len(all) == 0 {
		return missing("link of the drive", "lsblk and /sys show which drive it is")
	}
	return Together(all)
}

// noLink returns a hint for finding out the link of a drive.
func noLink(d assay.BlockDevice) string {
	switch d.Bus {
	case assay.BusVirtio, assay.BusXen:
		return "the disk is virtual; its link is known only to the host: measure there"
	case assay.BusISCSI:
		return "the drive is behind a network; its link is known only to the server"
	case assay.BusLoop:
		return "a loop device has no link; name the device that holds its file"
	}
	return "lspci -vv and /sys show the link, given permission to read them"
}

// pcieEncoding is the share of a PCIe lane's raw bits that is data, by GT/s:
// 8b/10b, then 128b/130b, then flits of 242 bytes in 256 (PCI Express Base
// Specification 1.0 to 6.0).
var pcieEncoding = []struct{ gts, data, raw float64 }{
	{2.5, 8, 10}, {5, 8, 10}, {8, 128, 130}, {16, 128, 130}, {32, 128, 130}, {64, 242, 256},
}

// PCIe returns a PCIe link of that many lanes at that many GT/s each, or nil if
// no generation has that speed or there are no lanes.
func PCIe(gts float64, lanes int) *assay.Link {
	for i, e := range pcieEncoding {
		if gts == e.gts && lanes > 0 {
			return &assay.Link{
				Kind:    "pcie",
				Mode:    fmt.Sprintf("Gen%d x%d", i+1, lanes),
				Ceiling: gts * 1e9 * float64(lanes) * (e.data / e.raw) / 8,
				GTs:     gts,
				Lanes:   lanes,
			}
		}
	}
	return nil
}

// usbCeilings maps USB speeds in Mb/s to payload bytes per second. At 12 a
// frame of 1 ms holds 19 bulk packets of 64 B and at 480 a microframe of 125 µs
// 13 of 512 B (USB 2.0, 5.8.4); 5 Gb/s is coded 8b/10b, 10 and 20 Gb/s
// 128b/132b (USB 3.2, 3.2 and 6.3).
var usbCeilings = map[int]float64{
	12:    19 * 64 * 1000,
	480:   13 * 512 * 8000,
	5000:  5e9 * 8 / 10 / 8,
	10000: 10e9 * 128 / 132 / 8,
	20000: 20e9 * 128 / 132 / 8,
}

// USB returns a USB link of that many Mb/s, or nil if USB has no such speed or
// it carries no storage.
func USB(megabits int) *assay.Link {
	ceiling := usbCeilings[megabits]
	if ceiling == 0 {
		return nil
	}
	return &assay.Link{Kind: "usb", Mode: fmt.Sprintf("%d Mb/s", megabits), Ceiling: ceiling}
}

// Serial returns a SATA or SAS link (kind "sata", "sas") of that many Gb/s:
// 8b/10b up to 12, 128b/150b above. It returns nil if they have no such rate.
func Serial(kind string, gigabits float64) *assay.Link {
	if !(gigabits >= 1.5 && gigabits <= 24) {
		return nil
	}
	share := 8. / 10
	if gigabits > 12 {
		share = 128. / 150
	}
	return &assay.Link{Kind: kind, Mode: fmt.Sprintf("%.1f Gb/s", gigabits), Ceiling: gigabits * 1e9 * share / 8}
}

// cardModes lists the bus speed modes of cards with the bytes per second of all
// their data lines, 4 for SD and 8 for eMMC (SD Physical Layer Specification;
// JEDEC JESD84).
var cardModes = []struct {
	kind, mode string
	ceiling    float64
}{
	{"sd", "SDR104", 104e6},
	{"sd", "SDR50", 50e6},
	{"sd", "DDR50", 50e6},
	{"sd", "SDR25", 25e6},
	{"sd", "SDR12", 12.5e6},
	{"sd", "high speed", 25e6},
	{"emmc", "HS400", 400e6},
	{"emmc", "HS200", 200e6},
	{"emmc", "DDR52", 104e6},
	{"emmc", "high speed", 52e6},
}

// Card returns the bus of an SD card or an eMMC (kind "sd", "emmc") in one of
// its modes, such as SDR104 and HS400, or nil if there is no such mode.
func Card(kind, mode string) *assay.Link {
	for _, m := range cardModes {
		if m.kind == kind && m.mode == mode {
			return &assay.Link{Kind: kind, Mode: mode, Ceiling: m.ceiling}
		}
	}
	return nil
}

package inventory

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay"
)

// way gives how fast the way from the device at the physical path phys to the
// root of /sys/devices is: the slowest of its hops, of whatever bus. It gives
// nil where no hop says its speed.
//
// A virtual machine's buses are emulated: their "2.5 GT/s x1" or "1.5 Gbps"
// bind nothing, so it has no links at all.
func (r *reader) way(phys string) *assay.Link {
	if r.virtual() || !strings.HasPrefix(phys, "/sys/devices/") {
		return nil
	}
	var least *assay.Link
	for at := phys; len(at) > len("/sys/devices"); at = parent(at) {
		for _, hop := range []*assay.Link{r.pcieHop(at), r.usbHop(at), r.sataHop(at), r.sasHop(at), r.mmcHop(at)} {
			if hop != nil && (least == nil || hop.Ceiling < least.Ceiling) {
				hop.At = base(at)
				least = hop
			}
		}
	}
	return least
}

func parent(path string) string {
	return path[:max(strings.LastIndexByte(path, '/'), 0)]
}

func base(path string) string {
	return path[strings.LastIndexByte(path, '/')+1:]
}

// pcieEncoding is the share of a PCIe lane's raw bits that is data, by GT/s:
// 8b/10b, then 128b/130b, then flits of 242 bytes in 256 (PCI Express Base
// Specification 1.0 to 6.0).
var pcieEncoding = []struct {
	gts   float64
	share float64
}{
	{2.5, 8. / 10}, {5, 8. / 10}, {8, 128. / 130}, {16, 128. / 130}, {32, 128. / 130}, {64, 242. / 256},
}

// pcieHop reads one PCIe link. "Unknown", zero lanes and 255 lanes are what the
// kernel says of a bridge or a device without a link: no hop.
func (r *reader) pcieHop(dir string) *assay.Link {
	speed, _, _ := strings.Cut(r.word(dir+"/current_link_speed"), " ")
	gts, err := strconv.ParseFloat(speed, 64)
	lanes, ok := r.number(dir + "/current_link_width")
	if err != nil || !ok || lanes < 1 || lanes > 32 {
		return nil
	}
	for i, g := range pcieEncoding {
		if gts == g.gts {
			return &assay.Link{
				Kind:    "pcie",
				Mode:    fmt.Sprintf("Gen%d x%d", i+1, lanes),
				Ceiling: gts * 1e9 * float64(lanes) * g.share / 8,
				GTs:     gts,
				Lanes:   int(lanes),
			}
		}
	}
	return nil
}

// usbHop reads one USB device's speed in Mb/s. At 480 a microframe of 125 µs
// holds 13 bulk packets of 512 B (USB 2.0, 5.8.4) and at 12 a frame of 1 ms 19
// of 64 B; 5 Gb/s is coded 8b/10b, 10 and 20 Gb/s 128b/132b.
func (r *reader) usbHop(dir string) *assay.Link {
	if r.word(dir+"/busnum") == "" {
		return nil
	}
	speed := r.word(dir + "/speed")
	ceilings := map[string]float64{
		"12":    19 * 64 * 1000,
		"480":   13 * 512 * 8000,
		"5000":  5e9 * 8 / 10 / 8,
		"10000": 10e9 * 128 / 132 / 8,
		"20000": 20e9 * 128 / 132 / 8,
	}
	ceiling := ceilings[speed]
	if ceiling == 0 {
		return nil
	}
	return &assay.Link{Kind: "usb", Mode: speed + " Mb/s", Ceiling: ceiling}
}

// sataHop reads the links of one ATA port: linkN, and linkN.M behind a port
// multiplier. All of them are 8b/10b.
func (r *reader) sataHop(dir string) *assay.Link {
	if !isNumbered(base(dir), "ata") {
		return nil
	}
	var least *assay.Link
	for _, link := range r.under(dir) {
		if !strings.HasPrefix(link, "link") {
			continue
		}
		least = slower(least, serial("sata", r.word(dir+"/"+link+"/ata_link/"+link+"/sata_spd")))
	}
	return least
}

// sasHop reads the phys of one SAS port, which carry data together: a wide port
// is as fast as their sum. "12.0 Gbit" and slower are 8b/10b; "22.5 Gbit" is
// 128b/150b.
func (r *reader) sasHop(dir string) *assay.Link {
	if !strings.HasPrefix(base(dir), "port-") {
		return nil
	}
	var port *assay.Link
	for _, phy := range r.under(dir) {
		one := serial("sas", r.word(dir+"/"+phy+"/sas_phy/"+phy+"/negotiated_linkrate"))
		switch {
		case one == nil:
		case port == nil:
			port = one
		default:
			port.Ceiling += one.Ceiling
			port.Lanes++
		}
	}
	if port != nil && port.Lanes > 0 {
		port.Lanes++
		port.Mode += " x" + strconv.Itoa(port.Lanes)
	}
	return port
}

// serial reads the line rate of SATA or SAS: "6.0 Gbps", "6.0 Gbit".
func serial(kind, rate string) *assay.Link {
	number, _, _ := strings.Cut(rate, " ")
	gbit, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(gbit) || gbit < 1.5 || gbit > 24 {
		return nil
	}
	share := 8. / 10
	if gbit > 12 {
		share = 128. / 150
	}
	return &assay.Link{Kind: kind, Mode: number + " Gb/s", Ceiling: gbit * 1e9 * share / 8}
}

func slower(a, b *assay.Link) *assay.Link {
	if a == nil || b != nil && b.Ceiling < a.Ceiling {
		return b
	}
	return a
}

// timings are the modes of a card slot with their bytes per second on all the
// data lines of that mode: what the kernel calls it (drivers/mmc/core/debugfs.c,
// old and new words), what people call it, and the lines that the figure is for.
var timings = []struct {
	kernel, kind, mode string
	ceiling            float64
	lines              float64
}{
	{"sd uhs sdr104", "sd", "SDR104", 104e6, 4},
	{"sd uhs sdr50", "sd", "SDR50", 50e6, 4},
	{"sd uhs ddr50", "sd", "DDR50", 50e6, 4},
	{"sd uhs sdr25", "sd", "SDR25", 25e6, 4},
	{"sd uhs sdr12", "sd", "SDR12", 12.5e6, 4},
	{"sd high-speed", "sd", "high speed", 25e6, 4},
	{"mmc hs400", "emmc", "HS400", 400e6, 8},
	{"mmc high-speed ddr200", "emmc", "HS400", 400e6, 8},
	{"mmc hs200", "emmc", "HS200", 200e6, 8},
	{"mmc high-speed sdr200", "emmc", "HS200", 200e6, 8},
	{"mmc ddr52", "emmc", "DDR52", 104e6, 8},
	{"mmc high-speed", "emmc", "high speed", 52e6, 8},
}

// mmcHop reads what debugfs says of a card slot: its timing, its data lines and
// its clock. Fewer lines carry less; a clock beyond the standard's (Raspberry
// Pi's overclock) carries more.
func (r *reader) mmcHop(dir string) *assay.Link {
	if !isNumbered(base(dir), "mmc") {
		return nil
	}
	ios := r.fields("/sys/kernel/debug/"+base(dir)+"/ios", ":")
	_, spec, _ := strings.Cut(ios["timing spec"], "(")
	spec = strings.ToLower(spec)
	_, wide, _ := strings.Cut(ios["bus width"], "(")
	lines := float64(leading(wide))
	hertz := float64(0)
	for _, field := range []string{"clock", "actual clock"} {
		number, _, _ := strings.Cut(ios[field], " ")
		if hz, err := strconv.ParseFloat(number, 64); err == nil && hz > 0 && hz < 1e9 {
			hertz = max(hertz, hz)
		}
	}
	for _, t := range timings {
		if !strings.HasPrefix(spec, t.kernel) {
			continue
		}
		ceiling := t.ceiling
		if lines > 0 && lines < t.lines {
			ceiling *= lines / t.lines
		} else {
			lines = t.lines
		}
		edges := 1.
		if strings.Contains(t.mode, "DDR") || t.mode == "HS400" {
			edges = 2
		}
		ceiling = max(ceiling, hertz*lines*edges/8)
		return &assay.Link{Kind: t.kind, Mode: t.mode, Ceiling: ceiling}
	}
	return nil
}

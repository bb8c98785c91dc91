package inventory

import (
	"slices"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
	"assay/limits"
)

// way returns the speed of the path from the device at the physical path phys
// to the root of /sys/devices: that of its slowest hop, on any bus. It returns
// nil if no hop reports its speed.
//
// A virtual machine's buses are emulated: their "2.5 GT/s x1" or "1.5 Gbps"
// limit nothing, so it has no links at all. The PCIe ports of a Thunderbolt or
// USB4 tunnel report 2.5 GT/s whatever it carries: there no PCIe hop counts.
func (r *reader) way(phys string) *assay.Link {
	if r.virtual() || !strings.HasPrefix(phys, "/sys/devices/") {
		return nil
	}
	tunnelled := r.tunnelled(phys)
	var least *assay.Link
	for at := phys; len(at) > len("/sys/devices"); at = parent(at) {
		for _, hop := range []*assay.Link{r.pcieHop(at), r.usbHop(at), r.sataHop(at), r.sasHop(at), r.mmcHop(at)} {
			if hop == nil || hop.Kind == "pcie" && tunnelled {
				continue
			}
			if least == nil || hop.Ceiling < least.Ceiling {
				hop.At = base(at)
				least = hop
			}
		}
	}
	return least
}

// behindTunnel is why a path through a tunnel has no link.
const behindTunnel = "behind Thunderbolt/USB4: the tunnel's speed is unknown"

// tunnelPorts is the minimum number of hops that a tunnel's ports add to a
// path: the root's, and both ends of the switch in the first device.
const tunnelPorts = 3

var thunderboltDevice = lazyregexp.New(`^\d+-[0-9a-f]*[1-9a-f][0-9a-f]*$`)

// tunnelled reports whether a path leads through Thunderbolt or USB4: a PCI device on
// it is removable by hand (Documentation/ABI/testing/sysfs-devices-removable), or, if
// the firmware does not say, something is attached to Thunderbolt (0-0 is the machine
// itself) and the path has as many 2.5 GT/s hops as a tunnel has ports.
func (r *reader) tunnelled(phys string) bool {
	slow := 0
	for at := phys; len(at) > len("/sys/devices"); at = parent(at) {
		speed := r.word(at + "/current_link_speed")
		if speed == "" {
			continue // no PCI device: USB says "removable" of sticks too
		}
		if r.word(at+"/removable") == "removable" {
			return true
		}
		if strings.HasPrefix(speed, "2.5 ") {
			slow++
		}
	}
	return slow >= tunnelPorts && slices.ContainsFunc(r.lists["/sys/bus/thunderbolt/devices"], thunderboltDevice.MatchString)
}

func parent(path string) string {
	return path[:max(strings.LastIndexByte(path, '/'), 0)]
}

func base(path string) string {
	return path[strings.LastIndexByte(path, '/')+1:]
}

// pcieHop reads one PCIe link. For a bridge or a device without a link, the
// kernel reports "Unknown", zero lanes or 255 lanes: not a hop.
func (r *reader) pcieHop(dir string) *assay.Link {
	speed, _, _ := strings.Cut(r.word(dir+"/current_link_speed"), " ")
	gts, err := strconv.ParseFloat(speed, 64)
	lanes, ok := r.number(dir + "/current_link_width")
	if err != nil || !ok || lanes < 1 || lanes > 32 {
		return nil
	}
	return limits.PCIe(gts, int(lanes))
}

// usbHop reads one USB device's speed in Mb/s.
func (r *reader) usbHop(dir string) *assay.Link {
	if r.word(dir+"/busnum") == "" {
		return nil
	}
	speed, err := strconv.Atoi(r.word(dir + "/speed"))
	if err != nil {
		return nil
	}
	return limits.USB(speed)
}

// sataHop reads the links of one ATA port: linkN, and linkN.M behind a port
// multiplier. All of them use 8b/10b.
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

// sasHop reads the phys of one SAS port, which carry data in parallel: a wide
// port is as fast as their sum. "12.0 Gbit" and slower use 8b/10b; "22.5 Gbit"
// uses 128b/150b.
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

// serial parses the line rate of SATA or SAS: "6.0 Gbps", "6.0 Gbit".
func serial(kind, rate string) *assay.Link {
	number, _, _ := strings.Cut(rate, " ")
	gbit, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return nil
	}
	return limits.Serial(kind, gbit)
}

func slower(a, b *assay.Link) *assay.Link {
	if a == nil || b != nil && b.Ceiling < a.Ceiling {
		return b
	}
	return a
}

// timings are the modes of a card slot, by the kernel's names
// (drivers/mmc/core/debugfs.c, old and new wording) and the common ones.
var timings = []struct{ kernel, kind, mode string }{
	{"sd uhs sdr104", "sd", "SDR104"},
	{"sd uhs sdr50", "sd", "SDR50"},
	{"sd uhs ddr50", "sd", "DDR50"},
	{"sd uhs sdr25", "sd", "SDR25"},
	{"sd uhs sdr12", "sd", "SDR12"},
	{"sd high-speed", "sd", "high speed"},
	{"mmc hs400", "emmc", "HS400"},
	{"mmc high-speed ddr200", "emmc", "HS400"},
	{"mmc hs200", "emmc", "HS200"},
	{"mmc high-speed sdr200", "emmc", "HS200"},
	{"mmc ddr52", "emmc", "DDR52"},
	{"mmc high-speed", "emmc", "high speed"},
}

// dataLines is the number of data lines that the ceiling of a card's mode
// assumes.
var dataLines = map[string]float64{"sd": 4, "emmc": 8}

// mmcHop reads a card slot's timing, data lines and clock from debugfs. Fewer
// lines carry less; a clock beyond the standard's (Raspberry Pi's overclock)
// carries more.
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
		link := limits.Card(t.kind, t.mode)
		if link == nil {
			return nil
		}
		if all := dataLines[t.kind]; lines > 0 && lines < all {
			link.Ceiling *= lines / all
		} else {
			lines = all
		}
		edges := 1.
		if strings.Contains(t.mode, "DDR") || t.mode == "HS400" {
			edges = 2
		}
		link.Ceiling = max(link.Ceiling, hertz*lines*edges/8)
		return link
	}
	return nil
}

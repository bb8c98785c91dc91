package audit

import (
	"fmt"
	"strings"

	"assay"
)

// way is the way to the drives of a subject: the links of all of them together.
type way struct {
	kind    string  // of the link: pcie, sata, usb, sd, emmc
	ceiling float64 // B/s
	sum     string  // how the ceiling comes about, "8 GT/s x 4 x 128/130 / 8 = 3,938 MB/s"
	name    string  // "PCIe Gen3 x4"
	gts     float64 // pcie only, of the fastest
}

// way adds up the links of the subject's drives: a mirror reads from all of
// them, a stripe writes to all of them, and nothing does more.
func (l look) way(drives []assay.BlockDevice) (w way, missing, hint string) {
	var sums []string
	for _, d := range drives {
		ceiling, sum := linkCeiling(d.Link)
		if !(ceiling > 0) {
			return w, "link of " + d.Name, whyMissing(l.facts, noLink(d), d.Name, "link")
		}
		if w.kind == "" {
			w.kind, w.name = d.Link.Kind, strings.TrimSpace(strings.ToUpper(d.Link.Kind)+" "+d.Link.Mode)
		}
		w.ceiling += ceiling
		w.gts = max(w.gts, d.Link.GTs)
		sums = append(sums, sum)
	}
	w.sum = strings.Join(sums, " + ")
	if len(sums) > 1 {
		w.sum += " = " + rate(w.ceiling)
	}
	return w, "", ""
}

// linkCeiling gives what a link can carry in B/s and the sum of it; 0 where it
// cannot be told.
func linkCeiling(k *assay.Link) (float64, string) {
	if k == nil {
		return 0, ""
	}
	return k.Ceiling, k.Arithmetic() + " = " + rate(k.Ceiling)
}

// noLink says what would give the link of a drive.
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

// linkKinds and linkBuses say which of the three link rules speaks of a drive,
// by its link or, where that is not known, by its bus.
var (
	linkKinds = map[string]string{
		"pcie": "pcie-ceiling", "sata": "sata-usb-ceiling", "sas": "sata-usb-ceiling", "usb": "sata-usb-ceiling",
		"sd": "sd-emmc-ceiling", "emmc": "sd-emmc-ceiling", "mmc": "sd-emmc-ceiling",
	}
	linkBuses = map[assay.Bus]string{
		assay.BusSATA: "sata-usb-ceiling", assay.BusSAS: "sata-usb-ceiling", assay.BusUSB: "sata-usb-ceiling",
		assay.BusMMC: "sd-emmc-ceiling",
	}
)

// linkRule gives the rule that speaks of these drives: pcie-ceiling where
// nothing says otherwise, so that one missing fact is named once.
func linkRule(drives []assay.BlockDevice) string {
	for _, d := range drives {
		if d.Link != nil && linkKinds[d.Link.Kind] != "" {
			return linkKinds[d.Link.Kind]
		}
		if linkBuses[d.Bus] != "" {
			return linkBuses[d.Bus]
		}
	}
	return "pcie-ceiling"
}

// overLink is the body of the three link rules: above the ceiling is an E,
// otherwise near says what a share of the ceiling is worth.
func overLink(e Evidence, id string, near func(l look, w way, metric, arithmetic string, share float64) []assay.Finding) []assay.Finding {
	var found []assay.Finding
	for _, l := range e.storage() {
		drives, missing, hint := l.drives()
		if linkRule(drives) != id {
			continue
		}
		var w way
		if missing == "" {
			w, missing, hint = l.way(drives)
		}
		for _, dir := range l.directions() {
			metric := "storage." + dir + ".bandwidth"
			bandwidth, ok := l.median(metric)
			if !ok || l.warm(dir) {
				continue // a cache that says it is one may be faster than the bus
			}
			if missing != "" {
				found = append(found, l.unchecked(id, []string{metric}, orFact(missing, "link of the drive"), hint))
				break
			}
			share := bandwidth / w.ceiling
			arithmetic := fmt.Sprintf("%s against %s: %s", rate(bandwidth), w.sum, times(share))
			if share <= 1 {
				found = append(found, near(l, w, metric, arithmetic, share)...)
				continue
			}
			found = append(found, l.finding(id, assay.Rejects, []string{metric}, arithmetic,
				"faster than its bus: this measures a cache, not the drive",
				"measure with direct I/O on a file of more than twice the RAM: "+
					l.again(dir, map[string]string{"size": twiceRAM(l.facts)})))
		}
	}
	return found
}

// twiceRAM is a file size for a command line.
func twiceRAM(f assay.Facts) string {
	if f.Memory.Total <= 0 || f.Memory.Total > 1<<50 {
		return "64G"
	}
	return fmt.Sprintf("%dG", 2*(f.Memory.Total>>30+1))
}

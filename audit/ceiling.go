package audit

import (
	"fmt"
	"strings"

	"assay"
	"assay/limits"
)

// way returns what the links of the subject's drives carry together.
func (l look) way(drives []assay.BlockDevice) (way limits.Limit, missing, hint string) {
	way = limits.Drives(drives)
	if way.Known() {
		return way, "", ""
	}
	return way, way.Missing, whyMissing(l.facts, way.Hint, strings.TrimPrefix(way.Missing, "link of "), "link")
}

// linkKinds and linkBuses select one of the three link rules for a drive, by
// its link or, if that is unknown, by its bus.
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

// linkRule returns the rule for these drives: pcie-ceiling by default, so that
// one missing fact is named once.
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
// otherwise near judges the share of the ceiling.
func overLink(e Evidence, id string, near func(l look, drives []assay.BlockDevice, metric, arithmetic string, share float64) []assay.Finding) []assay.Finding {
	var found []assay.Finding
	for _, l := range e.storage() {
		drives, missing, hint := l.drives()
		if linkRule(drives) != id {
			continue
		}
		var way limits.Limit
		if missing == "" {
			way, missing, hint = l.way(drives)
		}
		for _, dir := range l.directions() {
			metric := "storage." + dir + ".bandwidth"
			bandwidth, ok := l.median(metric)
			if !ok || l.warm(dir) {
				continue // a declared cache figure may be faster than the bus
			}
			if missing != "" {
				found = append(found, l.unchecked(id, []string{metric}, orFact(missing, "link of the drive"), hint))
				break
			}
			share := bandwidth / way.Value
			arithmetic := fmt.Sprintf("%s against %s: %s", rate(bandwidth), way.Arithmetic(), times(share))
			if share <= 1 {
				found = append(found, near(l, drives, metric, arithmetic, share)...)
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

// twiceRAM returns a file size for a command line.
func twiceRAM(f *assay.Facts) string {
	if f.Memory.Total <= 0 || f.Memory.Total > 1<<50 {
		return "64G"
	}
	return fmt.Sprintf("%dG", 2*(f.Memory.Total>>30+1))
}

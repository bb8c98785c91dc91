package smart

import "strings"

// units lists the parts of attribute names that give the size of one count, in
// bytes.
var units = []struct {
	part  string
	bytes float64
}{
	{"32MiB", 32 << 20}, {"_GiB", 1 << 30}, {"_MiB", 1 << 20}, {"_TiB", 1 << 40},
	{"_GB", 1e9}, {"_MB", 1e6}, {"_TB", 1e12},
}

// readTraffic reads the bytes written or read over the drive's life: from the
// device statistics, or else from the vendor's attribute, whose unit only its
// name gives. A name without a unit yields nothing.
func (r *reading) readTraffic(metric, statistic string, id int, verb string, attributes map[int]attribute, statistics map[string]node) {
	block, ok := r.doc.at("logical_block_size").number()
	if !ok || block <= 0 {
		block = 0
	}
	if block > 0 && r.addScaled(metric, statistics[statistic], block, fromStatistics) {
		return
	}
	a, there := attributes[id]
	if !there || !strings.Contains(strings.ToLower(a.name), verb) {
		if a, there = unitNamed(verb, attributes); !there {
			return
		}
	}
	if r.defaultNames() {
		block = 0
	}
	if unit := unitOf(a, block, attributes); unit > 0 {
		r.addScaled(metric, a.printed(), unit, a.source())
	}
}

// defaultNames reports whether "LBAs" may be any unit: smartctl gives the
// attributes of a drive that its database does not know the names that they have
// on a disk, and many SSDs count units of 32 MiB or 1 GiB.
func (r *reading) defaultNames() bool {
	known, said := r.doc.at("in_smartctl_database").truth()
	rpm, _ := r.doc.at("rotation_rate").number()
	return said && !known && rpm == 0
}

// unitOf returns the bytes per count, or 0 if the name does not tell.
func unitOf(a attribute, block float64, attributes map[int]attribute) float64 {
	if unit := unitIn(a.name); unit > 0 {
		return unit
	}
	if !strings.Contains(a.name, "LBA") {
		return 0
	}
	if unit := unitOfTwin(attributes[241], "writ", attributes); unit > 0 {
		return unit
	}
	if unit := unitOfTwin(attributes[242], "read", attributes); unit > 0 {
		return unit
	}
	return block
}

// unitOfTwin detects drives whose "LBAs" are not LBAs: a second attribute
// repeats the count under a name with its true unit. That unit then applies to
// reads as well as writes.
func unitOfTwin(a attribute, verb string, attributes map[int]attribute) float64 {
	twin, there := unitNamed(verb, attributes)
	if !there || twin.id == a.id {
		return 0
	}
	x, okX := twin.printed().number()
	y, okY := a.printed().number()
	if !okX || !okY || x != y || x == 0 {
		return 0
	}
	return unitIn(twin.name)
}

// unitNamed returns the attribute for host traffic whose name contains a unit.
func unitNamed(verb string, attributes map[int]attribute) (attribute, bool) {
	for id := 1; id <= 255; id++ { // in order, so that the result is stable
		a, there := attributes[id]
		name := strings.ToLower(a.name)
		isHost := strings.HasPrefix(name, "host_") || strings.HasPrefix(name, "lifetime_") || strings.HasPrefix(name, "total_host_")
		if there && isHost && strings.Contains(name, verb) && unitIn(a.name) > 0 {
			return a, true
		}
	}
	return attribute{}, false
}

func unitIn(name string) float64 {
	for _, u := range units {
		if strings.Contains(name, u.part) {
			return u.bytes
		}
	}
	return 0
}

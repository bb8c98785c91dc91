package smart

import (
	"slices"
	"strconv"
	"strings"

	"assay/internal/lazyregexp"
)

// readATA reads the device statistics, which are standard, and the vendor's
// attributes if those lack a value. The label source names which was used.
func (r *reading) readATA() {
	attributes := attributesOf(r.doc)
	statistics := statisticsOf(r.doc)

	r.readSpare(attributes)
	r.readWear(attributes, statistics)
	r.readUncorrectable(attributes, statistics)
	r.addTemperature(r.hottest(attributes, statistics), r.doc.at("temperature", "current"), statistics["Current Temperature"],
		attributes[194].printed(), attributes[190].printed())
	r.readPowerOn(attributes, statistics)
	r.readTraffic("smart.data_written", "Logical Sectors Written", 241, "writ", attributes, statistics)
	r.readTraffic("smart.data_read", "Logical Sectors Read", 242, "read", attributes, statistics)
	r.readPowerLoss(attributes)
	r.readATAErrorLog()
	r.readFailing()
	r.readReallocated(attributes, statistics)
	r.readCounters(attributes, statistics)
	r.readOverTemperature(statistics)
}

// attribute is one row of the vendor's table, or zero if there is none.
type attribute struct {
	id   int
	name string
	node node
}

func attributesOf(doc node) map[int]attribute {
	found := map[int]attribute{}
	for _, line := range doc.at("ata_smart_attributes", "table").list() {
		id, ok := line.at("id").number()
		if !ok || id < 1 || id > 255 {
			continue
		}
		found[int(id)] = attribute{id: int(id), name: line.at("name").text(), node: line}
	}
	return found
}

// printed returns the raw value as smartctl prints it for this model, up to the
// first non-digit: the raw 48 bits may hold several numbers.
func (a attribute) printed() node {
	raw := a.node.at("raw")
	if n, ok := leadingNumber(raw.at("string").text()); ok {
		return node{n, raw.at("string").line}
	}
	return node{}
}

// counted returns the raw value of a sector counter. Some vendors put other counters into
// the upper part of its 48 bits (Fujitsu: the number of spare sectors): smartmontools'
// raw16(raw16) prints them separately, older versions do not. No drive has more spare
// sectors than the lower 32 bits can count.
func (a attribute) counted() node {
	n := a.printed()
	if v, ok := n.number(); ok && v >= 1<<32 && v < 1<<48 {
		n.value = float64(uint64(v) & (1<<32 - 1))
	}
	return n
}

// unreadable matches the names under which drives count unreadable sectors, and not
// Not_In_Use, Host_Reads_GiB and others that some drives have under the same ids.
var unreadable = lazyregexp.New(`(?i)pending|unc|_UE_|Read_Failure`)

// ofUnreadable returns the attribute if its name, where it has one, is of unreadable
// sectors, else none.
func (a attribute) ofUnreadable() attribute {
	if a.name != "" && !unreadable.MatchString(a.name) {
		return attribute{}
	}
	return a
}

func (a attribute) source() map[string]string {
	return map[string]string{"source": strings.TrimSpace("attribute " + strconv.Itoa(a.id) + " " + a.name)}
}

// statisticsOf returns the valid entries of the device statistics, by name.
func statisticsOf(doc node) map[string]node {
	found := map[string]node{}
	for _, page := range doc.at("ata_device_statistics", "pages").list() {
		for _, line := range page.at("table").list() {
			valid, known := line.at("flags", "valid").truth()
			if name := line.at("name").text(); name != "" && (valid || !known) {
				found[name] = line.at("value")
			}
		}
	}
	return found
}

var fromStatistics = map[string]string{"source": "device statistics"}

// spares lists the attributes whose normalised value is the share of spare
// blocks left, under the names of smartctl's drive database.
var spares = []wearAttribute{{232, "Reservd_Space"}, {170, "Reservd_Space"}, {170, "Reserve_Block"}}

// wears lists the attributes whose normalised value counts down from 100 as the
// flash wears. The id alone is ambiguous: 233 is Media_Wearout_Indicator on one
// drive and Total_LBAs_Written on another.
var wears = []wearAttribute{
	{231, "Life_Left"}, {233, "Wearout"}, {202, "Lifetime"}, {202, "End_of_Life"}, {202, "Life_Remain"},
	{169, "Remaining_Life"}, {245, "Life_Remain"}, {245, "Life_Left"}, {173, "Wear_Leveling"}, {177, "Wear_Leveling"},
}

type wearAttribute struct {
	id   int
	part string // of the name
}

// firstNormalised returns the first of the wanted attributes that the drive has,
// with its normalised value in percent.
func firstNormalised(wanted []wearAttribute, attributes map[int]attribute) (attribute, float64, bool) {
	for _, want := range wanted {
		a, there := attributes[want.id]
		if !there || !strings.Contains(a.name, want.part) {
			continue
		}
		if v, ok := a.node.at("value").number(); ok && v >= 0 && v <= 100 && (!a.unfilled() || a.nothingLeft(attributes)) {
			return a, v, true
		}
	}
	return attribute{}, 0, false
}

// extremes matches what smartctl prints after a temperature for some vendors: 43 (Min/Max
// 0/91).
var extremes = lazyregexp.New(`Min/Max -?\d+/(\d{1,3})\)`)

// hottest returns the highest temperature that the drive has recorded in its life, or nil
// if it keeps none. If the normalised value of attribute 194 is the temperature itself,
// the worst value is the highest.
func (r *reading) hottest(attributes map[int]attribute, statistics map[string]node) map[string]string {
	highest := 0.0
	note := func(n node) {
		if v, ok := n.number(); ok && v <= 150 {
			highest = max(highest, v)
		}
	}
	note(r.doc.at("temperature", "lifetime_max"))
	note(statistics["Highest Temperature"])
	for _, id := range []int{190, 194} {
		a := attributes[id]
		if m := extremes.FindStringSubmatch(a.node.at("raw", "string").text()); m != nil {
			note(node{value: m[1]})
		}
		now, ok := a.printed().number()
		value, known := a.node.at("value").number()
		worst, _ := a.node.at("worst").number()
		if id == 194 && ok && known && now == value && worst > value {
			note(node{value: worst})
		}
	}
	if highest == 0 {
		return nil
	}
	return map[string]string{"highest": strconv.FormatFloat(highest, 'f', -1, 64)}
}

// unfilled reports whether a drive leaves an attribute's normalised value empty: it is 0,
// which is not a valid value (SFF-8035i: 1 to 253), as is the worst, and there is no
// threshold.
func (a attribute) unfilled() bool {
	value, _ := a.node.at("value").number()
	worst, known := a.node.at("worst").number()
	limit, _ := a.node.at("thresh").number()
	return known && value == 0 && worst == 0 && limit == 0
}

// repeated lists the attributes whose raw value is the percentage once more.
var repeated = []wearAttribute{{231, "SSD_Life_Left"}, {169, "Remaining_Life"}}

// nothingLeft reports whether a row of zeros says 0 %: its raw value says so
// too, and the drive fills in the values of other attributes.
func (a attribute) nothingLeft(attributes map[int]attribute) bool {
	raw, known := a.printed().number()
	if !known || raw != 0 || !slices.ContainsFunc(repeated, func(w wearAttribute) bool { return w.id == a.id && strings.Contains(a.name, w.part) }) {
		return false
	}
	for _, other := range attributes {
		if v, _ := other.node.at("value").number(); v > 0 {
			return true
		}
	}
	return false
}

// noShare is a byte of ones, which drives report for a percentage that they do not
// track.
const noShare = 255

func (r *reading) readSpare(attributes map[int]attribute) {
	if a, percent, ok := firstNormalised(spares, attributes); ok {
		labels := a.source()
		if limit, ok := a.node.at("thresh").number(); ok && limit > 0 {
			labels["threshold"] = strconv.FormatFloat(limit/100, 'g', -1, 64)
		}
		r.add("smart.available_spare", percent/100, a.node.line, labels)
	}
}

func (r *reading) readWear(attributes map[int]attribute, statistics map[string]node) {
	used := statistics["Percentage Used Endurance Indicator"]
	if v, _ := used.number(); v != noShare && r.addShare("smart.percentage_used", used, noShare, fromStatistics) {
		return
	}
	if rpm, ok := r.doc.at("rotation_rate").number(); ok && rpm > 0 {
		return // platters do not wear
	}
	if a, left, ok := firstNormalised(wears, attributes); ok {
		r.add("smart.percentage_used", (100-left)/100, a.node.line, a.source())
	}
}

// readUncorrectable keeps the largest counter of unreadable sectors: the
// counters overlap, so their sum would count sectors twice.
func (r *reading) readUncorrectable(attributes map[int]attribute, statistics map[string]node) {
	worst, line, known := 0.0, 0, false
	labels := map[string]string{}
	note := func(label string, n node) {
		v, ok := n.number()
		if !ok {
			return
		}
		labels[label] = strconv.FormatFloat(v, 'f', -1, 64)
		if label != "reallocated" {
			if !known || v > worst {
				worst, line = v, n.line
			}
			known = true
		}
		if v < 0 {
			r.add("smart.media_errors", v, n.line, nil) // fails the reading
		}
	}
	note("reported", r.firstOf(statistics["Number of Reported Uncorrectable Errors"], attributes[187].ofUnreadable().printed()))
	note("pending", attributes[197].ofUnreadable().counted())
	note("offline", attributes[198].ofUnreadable().counted())
	note("reallocated", attributes[5].counted())
	if known {
		r.add("smart.media_errors", worst, line, labels)
	}
}

func (r *reading) readPowerOn(attributes map[int]attribute, statistics map[string]node) {
	if r.addPowerOn() || r.addScaled("smart.power_on_hours", statistics["Power-on Hours"], 3600, fromStatistics) {
		return
	}
	if a := attributes[9]; strings.HasPrefix(a.name, "Power_On_Hours") {
		r.addScaled("smart.power_on_hours", a.printed(), 3600, a.source())
	}
}

// readPowerLoss counts unexpected power losses. Hard disks use 192 for head
// retracts, most of which were requested.
func (r *reading) readPowerLoss(attributes map[int]attribute) {
	for _, id := range []int{174, 192} {
		a := attributes[id]
		if strings.Contains(a.name, "Unsafe") || strings.Contains(a.name, "Unexpect") {
			r.addScaled("smart.unsafe_shutdowns", a.printed(), 1, a.source())
			return
		}
	}
}

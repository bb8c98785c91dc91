package smart

import (
	"fmt"
	"maps"
	"math"
	"path"
	"strconv"
	"strings"

	"assay"
)

// reading collects the measurements of one drive.
type reading struct {
	doc    node
	labels map[string]string
	status int
	found  []assay.Measurement
	err    error // the first impossible value
}

func (r *reading) read() error {
	r.readStatus()
	switch {
	case r.doc.at("nvme_smart_health_information_log").exists():
		r.readNVMe()
	case r.doc.at("scsi_error_counter_log").exists(), r.doc.at("scsi_grown_defect_list").exists(),
		r.doc.at("device", "protocol").text() == "SCSI":
		r.readSCSI()
	default:
		r.readATA()
	}
	r.readSelfTests()
	return r.err
}

// readStatus reads the drive's own verdict. If smartctl could not get one, its
// exit status still reveals a failing disk.
func (r *reading) readStatus() {
	extra := map[string]string{}
	if news := newsOf(r.status); news != "" {
		extra["news"] = news
	}
	warning, warned := r.doc.at("nvme_smart_health_information_log", "critical_warning").number()
	if warned && warning > 0 && warning < 256 {
		extra["critical_warning"] = criticalWarnings(int(warning))
	}
	passed, known := r.doc.at("smart_status", "passed").truth()
	if !known {
		switch {
		case r.status&diskFailing != 0:
			passed, known = false, true
		case warned:
			passed, known = warning == 0, true
		}
	}
	if !known {
		return
	}
	value := 0.0
	if passed {
		value = 1
	}
	line := r.doc.at("smart_status", "passed").line
	if line == 0 {
		line = r.doc.at("nvme_smart_health_information_log", "critical_warning").line
	}
	r.add("smart.passed", value, line, extra)
}

// most exceeds any counter of 128 bits in any unit used here.
const most = 1e50

// add adds a measurement in the metric's own unit, with its line, or 0 if it
// has no line of its own: then the line is where the output begins. A value
// that no drive can have fails the reading.
func (r *reading) add(metric string, value float64, line int, extra map[string]string) {
	known, ok := assay.Describe(metric)
	if !ok || math.IsNaN(value) || value > most || (value < 0 && known.Unit != assay.Celsius) {
		if r.err == nil {
			r.err = fmt.Errorf("smartctl: %s of %v is impossible", metric, value)
		}
		return
	}
	if line == 0 {
		line = r.doc.line
	}
	labels := maps.Clone(r.labels)
	maps.Copy(labels, extra)
	r.found = append(r.found, assay.Measurement{Metric: metric, Value: value, Unit: known.Unit, Labels: labels, Line: line})
}

// addScaled adds n x factor if n exists.
func (r *reading) addScaled(metric string, n node, factor float64, extra map[string]string) bool {
	value, ok := n.number()
	if ok {
		r.add(metric, value*factor, n.line, extra)
	}
	return ok
}

// addShare adds a percentage as a share; most is the field's maximum (NVMe's
// percentage used goes to 255).
func (r *reading) addShare(metric string, n node, most float64, extra map[string]string) bool {
	percent, ok := n.number()
	if !ok {
		return false
	}
	if percent > most && r.err == nil {
		r.err = fmt.Errorf("smartctl: %s of %v %% is impossible", metric, percent)
	}
	r.add(metric, percent/100, n.line, extra)
	return true
}

// addTemperature adds the first plausible temperature. A drive without a sensor
// reports 0 K, which smartctl turns into -273 °C: that is not a temperature.
func (r *reading) addTemperature(labels map[string]string, candidates ...node) {
	for _, n := range candidates {
		if t, ok := n.number(); ok && t >= -50 && t <= 150 {
			r.add("smart.temperature", t, n.line, labels)
			return
		}
	}
}

// addPowerOn adds power_on_time, which smartctl derives for all protocols.
func (r *reading) addPowerOn() bool {
	at := r.doc.at("power_on_time", "hours")
	hours, ok := at.number()
	if !ok {
		return false
	}
	minutes, _ := r.doc.at("power_on_time", "minutes").number()
	r.add("smart.power_on_hours", hours*3600+minutes*60, at.line, nil)
	return true
}

// commonLabels identifies the drive, but not by its serial number.
func commonLabels(doc node) map[string]string {
	labels := map[string]string{"tool": tool}
	set := func(name string, values ...string) {
		for _, v := range values {
			if v != "" {
				labels[name] = v
				return
			}
		}
	}
	if name := doc.at("device", "name").text(); name != "" {
		set("drive", path.Base(name))
	}
	set("model", doc.at("model_name").text(), doc.at("scsi_model_name").text())
	set("protocol", doc.at("device", "protocol").text())
	set("firmware", doc.at("firmware_version").text(), doc.at("scsi_revision").text(), doc.at("revision").text())
	set("version", versionOf(doc))
	set("capacity", capacityOf(doc))
	return labels
}

// versionOf returns smartctl's version, as in 7.4.
func versionOf(doc node) string {
	var parts []string
	for _, part := range doc.at("smartctl", "version").list() {
		if v, ok := part.number(); ok && v >= 0 {
			parts = append(parts, strconv.FormatFloat(v, 'f', -1, 64))
		}
	}
	return strings.Join(parts, ".")
}

// capacityOf returns the size of the whole drive in bytes, or of the queried
// namespace if an NVMe drive does not report it.
func capacityOf(doc node) string {
	for _, n := range []node{doc.at("nvme_total_capacity"), doc.at("user_capacity", "bytes"), doc.at("user_capacity")} {
		if v, ok := n.number(); ok && v > 0 && v <= 1<<60 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	return ""
}

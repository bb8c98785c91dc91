package smart

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"strings"

	"assay"
)

// Parse reads smartctl's JSON of any version since 7.0. What the drive did not
// report gives no measurement. Where several steps were run, the last one that
// reached the drive counts.
func (probe) Parse(tr assay.Transcript) ([]assay.Measurement, error) {
	var failures []error
	for i := len(tr.Steps) - 1; i >= 0; i-- {
		ms, err := parseAnswer(tr.Steps[i].Output)
		if err == nil {
			return ms, nil
		}
		if errors.Is(err, errAsleep) {
			return nil, assay.WithHint(wakeHint(tr.Settings["device"]), "%w", err)
		}
		failures = append(failures, err)
	}
	switch len(failures) {
	case 0:
		return nil, fmt.Errorf("smartctl was not run: %w", assay.ErrNoOutput)
	case 1:
		return nil, failures[0]
	}
	// The first step's message names the cause; the last one's, the way out
	// that was tried and failed too.
	first, last := failures[len(failures)-1], failures[0]
	return nil, assay.WithHint(
		"smartctl --scan-open lists the device types that fit; try another with smartctl -d TYPE -x",
		"%w; with -d sat: %w", first, last)
}

// parseAnswer reads what one smartctl printed.
func parseAnswer(out assay.Output) ([]assay.Measurement, error) {
	if len(bytes.TrimSpace(out.Stdout)) == 0 {
		return nil, fmt.Errorf("smartctl (exit status %d)%s: %w", out.Exit, said(out.Stderr), assay.ErrNoOutput)
	}
	if mode := lowPowerMode(out.Stdout); mode != "" {
		return nil, fmt.Errorf("the drive sleeps (%s): %w", mode, errAsleep)
	}
	doc, err := parseTree(fromDocument(out.Stdout))
	if err != nil {
		if bytes.Contains(out.Stdout, []byte("UNRECOGNIZED OPTION")) {
			return nil, assay.WithHint("install smartmontools 7.0 or newer", "smartctl does not know --json")
		}
		return nil, fmt.Errorf("smartctl printed no JSON document: %w", err)
	}
	status, err := exitStatus(doc, out.Exit)
	if err != nil {
		return nil, err
	}
	r := &reading{doc: doc, labels: commonLabels(doc), status: status}
	if err := r.read(); err != nil {
		return nil, err
	}
	if len(r.found) == 0 {
		return nil, whyNothing(doc, status)
	}
	return r.found, nil
}

// fromDocument leaves out the lines before the one that begins with "{": some
// builds of smartctl warn on standard output first.
func fromDocument(out []byte) []byte {
	if at := bytes.Index(out, []byte("\n{")); at >= 0 && !bytes.HasPrefix(out, []byte("{")) {
		return out[at+1:]
	}
	return out
}

// said is what a command wrote on its standard error, for a message.
func said(stderr []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(stderr)), "\n")
	if line == "" {
		return ""
	}
	return ": " + line
}

// reading collects the measurements of one document.
type reading struct {
	doc    node
	labels map[string]string
	status int
	found  []assay.Measurement
	err    error // the first value that cannot be
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
	return r.err
}

// readStatus reads the drive's verdict on itself. Where smartctl could not get
// one, its exit status still tells of a failing disk.
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
	r.add("smart.passed", value, extra)
}

// most is above any counter of 128 bits in any unit used here.
const most = 1e50

// add keeps a measurement in the metric's own unit. A value that no drive can
// have fails the reading.
func (r *reading) add(metric string, value float64, extra map[string]string) {
	known, ok := assay.Describe(metric)
	if !ok || math.IsNaN(value) || value > most || (value < 0 && known.Unit != assay.Celsius) {
		if r.err == nil {
			r.err = fmt.Errorf("smartctl: %s cannot be %v", metric, value)
		}
		return
	}
	labels := maps.Clone(r.labels)
	maps.Copy(labels, extra)
	r.found = append(r.found, assay.Measurement{Metric: metric, Value: value, Unit: known.Unit, Labels: labels})
}

// addScaled keeps n x factor where n is there.
func (r *reading) addScaled(metric string, n node, factor float64, extra map[string]string) bool {
	value, ok := n.number()
	if ok {
		r.add(metric, value*factor, extra)
	}
	return ok
}

// addShare keeps a percentage as a share; most is the greatest that the field
// can hold (NVMe's percentage used goes to 255).
func (r *reading) addShare(metric string, n node, most float64, extra map[string]string) bool {
	percent, ok := n.number()
	if !ok {
		return false
	}
	if percent > most && r.err == nil {
		r.err = fmt.Errorf("smartctl: %s cannot be %v %%", metric, percent)
	}
	r.add(metric, percent/100, extra)
	return true
}

// addTemperature keeps a plausible temperature. A drive without a sensor says
// 0 K, which smartctl turns into -273 °C: that is not a temperature but none.
func (r *reading) addTemperature(candidates ...node) {
	for _, n := range candidates {
		if t, ok := n.number(); ok && t >= -50 && t <= 150 {
			r.add("smart.temperature", t, nil)
			return
		}
	}
}

// addPowerOn keeps power_on_time, which smartctl works out for all protocols.
func (r *reading) addPowerOn() bool {
	hours, ok := r.doc.at("power_on_time", "hours").number()
	if !ok {
		return false
	}
	minutes, _ := r.doc.at("power_on_time", "minutes").number()
	r.add("smart.power_on_hours", hours*3600+minutes*60, nil)
	return true
}

// commonLabels names the drive, but not by its serial number.
func commonLabels(doc node) map[string]string {
	labels := map[string]string{}
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
	return labels
}

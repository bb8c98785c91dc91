package sensors

import "strings"

// sensor is one temperature.
type sensor struct {
	chip  string // "" where its line was lost
	label string
	value float64 // °C
	crit  float64 // °C, 0 where no critical limit is printed
	off   bool    // the chip reports it unconnected
	line  int
}

// The kinds of sensor.
const (
	cpu   = "cpu"
	drive = "drive"
	other = "other"
)

// key names the sensor: chip and label.
func (s sensor) key() string {
	if s.chip == "" {
		return s.label
	}
	return s.chip + "/" + s.label
}

// kind returns the kind by the chip's driver, or by the label if the chip is
// unknown.
func (s sensor) kind() string {
	driver, _, _ := strings.Cut(s.chip, "-")
	switch driver {
	case "coretemp", "k10temp", "k8temp", "fam15h_power", "zenpower", "via_cputemp", "cpu_thermal", "cpu":
		return cpu
	case "nvme", "drivetemp":
		return drive
	case "":
		switch {
		case s.label == "Composite":
			return drive
		case strings.HasPrefix(s.label, "Core "), strings.Contains(s.label, " id "), strings.HasPrefix(s.label, "T"):
			return cpu
		}
	}
	return other
}

const otherRank = 3

// rank returns how well a sensor represents the CPU; less is better. AMD's Tctl
// may include an offset for fan control, Tdie does not.
func (s sensor) rank() int {
	switch {
	case s.kind() != cpu:
		return otherRank
	case strings.HasPrefix(s.label, "Package"), strings.HasPrefix(s.label, "Physical"), s.label == "Tdie", strings.HasPrefix(s.chip, "cpu_thermal"):
		return 0
	case s.label == "Tctl":
		return 1
	}
	return 2
}

// A running machine's temperatures lie between these, in °C. Inputs without a
// sensor read 0, -128, -55, 127 or 129.5.
const (
	coldest = -40
	hottest = 125
)

// superIO lists the drivers of chips whose inputs are often left open. Such
// inputs drift anywhere, even above the limit at which the board would have
// shut down.
var superIO = []string{"nct", "it8", "it5", "f71", "f81", "f75", "w83", "sch5", "lm78", "lm85", "asb1"}

// plausible reports whether the value can be a temperature.
func (s sensor) plausible() bool {
	if s.off || s.value == 0 || s.value <= coldest || s.value >= hottest {
		return false
	}
	for _, driver := range superIO {
		if strings.HasPrefix(s.chip, driver) && s.crit > 0 && s.value >= s.crit {
			return false
		}
	}
	return true
}

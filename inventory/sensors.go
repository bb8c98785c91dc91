package inventory

import (
	"cmp"
	"strconv"
	"strings"

	"assay"
	"assay/internal/lazyregexp"
)

const (
	hwmonDir   = "/sys/class/hwmon"
	thermalDir = "/sys/class/thermal"
)

// sensors reads the temperature sensors: those of hwmon, and the thermal zones
// that no hwmon covers. Sensors without a value are left out.
func (r *reader) sensors() {
	chips := map[string]bool{}
	for _, hwmon := range r.under(hwmonDir) {
		r.chip(hwmonDir+"/"+hwmon, chips)
	}
	for _, zone := range r.under(thermalDir) {
		dir := thermalDir + "/" + zone
		typ := r.word(dir + "/type")
		if _, ok := r.number(dir + "/temp"); !ok || typ == "" || covered(typ, chips) {
			continue
		}
		r.sensor(assay.Sensor{Key: typ + "/" + zone, Path: dir + "/temp", Kind: sensorKind(typ)})
	}
	if len(r.facts.Sensors) == 0 {
		why, hint := "neither "+hwmonDir+" nor "+thermalDir+" has one", "load the CPU's sensor module: modprobe coretemp, or k10temp"
		if r.virtual() {
			why, hint = "the host's sensors are not visible in a virtual machine", "check on the hypervisor"
		}
		r.missing("temperature sensors", why, hint)
	}
}

// chip reads one hwmon chip. A drive's chip is named after the drive, because
// all drives of one kind share the chip name.
func (r *reader) chip(dir string, chips map[string]bool) {
	name := r.word(dir + "/name")
	if name == "" {
		return
	}
	chips[name] = true
	drive := ""
	if name == "nvme" || name == "drivetemp" {
		for _, d := range r.lists[dir+"/drives"] {
			drive = headOf(d)
			break
		}
	}
	for _, file := range r.under(dir) {
		input, ok := strings.CutSuffix(file, "_input")
		if !ok || !isNumbered(input, "temp") {
			continue
		}
		if _, ok := r.number(dir + "/" + file); !ok {
			continue
		}
		label := cmp.Or(r.word(dir+"/"+input+"_label"), input)
		chip := name
		if drive != "" {
			chip += ":" + drive
		}
		r.sensor(assay.Sensor{Key: chip + "/" + label, Path: dir + "/" + file, Kind: sensorKind(name), Drive: drive})
	}
}

var namespacePath = lazyregexp.New(`^nvme(\d+)c\d+n(\d+)$`)

// headOf returns the namespace of a native NVMe multipath path such as
// nvme0c1n1.
func headOf(name string) string {
	return namespacePath.ReplaceAllString(name, "nvme${1}n${2}")
}

// sensor adds a sensor under a unique key: two packages have two chips of the
// same name.
func (r *reader) sensor(s assay.Sensor) {
	key := s.Key
	for n := 2; r.taken(s.Key); n++ {
		s.Key = key + ":" + strconv.Itoa(n)
	}
	r.facts.Sensors = append(r.facts.Sensors, s)
}

func (r *reader) taken(key string) bool {
	for _, s := range r.facts.Sensors {
		if s.Key == key {
			return true
		}
	}
	return false
}

// sensorKind tells from its name what a chip or thermal zone measures.
func sensorKind(name string) string {
	switch name {
	case "coretemp", "k8temp", "k10temp", "zenpower", "x86_pkg_temp", "soc_thermal", "soc-thermal":
		return "cpu"
	case "nvme", "drivetemp":
		return "drive"
	}
	if strings.HasPrefix(name, "cpu") { // cpu_thermal, cpu-thermal, cpu0_thermal
		return "cpu"
	}
	return "other"
}

// covered reports whether a hwmon chip shows the same as a thermal zone of that
// type. The kernel names a zone's own hwmon chip after its type, with "_" for
// "-"; coretemp shows the package as x86_pkg_temp does.
func covered(zone string, chips map[string]bool) bool {
	return chips[zone] || chips[strings.ReplaceAll(zone, "-", "_")] || zone == "x86_pkg_temp" && chips["coretemp"]
}

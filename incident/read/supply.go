package read

import (
	"strconv"
	"strings"

	"assay/incident"
)

// supplySignatures match messages of server management, UPSs and their daemons about power
// supplies, feeds and batteries.
var supplySignatures = []signature{
	// a clock's battery, whose voltage has the same wording
	{has: "VBAT", kind: incident.RTCLost, device: nothing, or: []string{"ower Critical going low", "ower Non-critical going low", "ower Non-recoverable going low"}},
	{has: "CMOS Batt", kind: incident.RTCLost, device: nothing, or: []string{"going low", "| Failed", "| Low", "ailed | Asserted"}},
	{has: "| Battery ", kind: incident.RTCLost, device: nothing, and: "Asserted", or: []string{"| Low", "| Failed"}, not: []string{"UPS", "BBU", "PERC", "RAID"}},
	// ipmitool sel list, by maker
	{has: "Power Supply", kind: incident.PowerLost, device: nothing, and: "Asserted", or: []string{"Config Error", "AC out-of-range", "Input lost or out-of-range"}},
	{has: "Power Supply", kind: incident.PowerLost, device: nothing, and: "Presence detected | Deasserted"},
	{has: "PSU", kind: incident.PowerLost, device: nothing, or: []string{"Failure detected", "AC lost", "input lost", "redictive failure", "has failed", "input voltage is out", "AC_LOST", "status: failed", "fault detected"}},
	{has: "PS", kind: incident.PowerLost, device: nothing, and: "| Power Supply |", or: []string{"Failure", "AC lost", "out-of-range"}},
	{has: "Power Unit", kind: incident.PowerLost, device: nothing, and: "Asserted", or: []string{"Power off/down", "AC lost", "Soft-power control failure", "240VA power down", "Redundancy Degraded", "Non-Redundant"}},
	{has: "Redundancy Lost", kind: incident.PowerLost, device: nothing, and: "Asserted", or: []string{"Power", "PS "}},
	{has: "ower supplies are not redundant", kind: incident.PowerLost, device: nothing},
	{has: "| Voltage", kind: incident.PowerLost, device: nothing, and: "| Upper ", or: []string{"ritical going high", "on-recoverable going high"}},
	{has: "System Power Supply: ", kind: incident.PowerLost, device: nothing, or: []string{"Failure", "Input Power Loss", "Removed"}}, // HPE's log
	{has: "Unplugged Power Cord", kind: incident.PowerLost, device: nothing},
	{has: "System Power Fault Detected", kind: incident.PowerLost, device: nothing},
	{has: "as lost its AC input", kind: incident.PowerLost, device: nothing}, // Lenovo's
	{has: "Power Supply ", kind: incident.PowerLost, device: nothing, or: []string{" has Failed", "has lost input", "Voltage Fault", "Current Fault", "configuration mismatch", "Configuration Mismatch"}},
	{has: "ower supply: ", kind: incident.PowerLost, device: nothing, or: []string{"ailed", "AC lost", "nput lost"}},
	{has: "omponent PSU", kind: incident.PowerLost, device: nothing, or: []string{"ailed", "egraded", "aulty"}},
	{has: "fault.chassis.power", kind: incident.PowerLost, device: nothing}, // Solaris, illumos
	{has: "fault.chassis.env.power", kind: incident.PowerLost, device: nothing},
	{has: "%ENVMON-", kind: incident.PowerLost, device: nothing, or: []string{"POWER", "PWR", "RPS"}}, // switches
	{has: "PFMA-2-PS_FAIL", kind: incident.PowerLost, device: nothing},
	// UPSs: NUT, apcupsd, PowerPanel, and as reported by a NAS or a card
	{has: "UPS", kind: incident.PowerLost, device: nothing, or: []string{"low battery", "Low battery", "LOW BATTERY", "battery needs replacing", "battery needs to be replaced", "eplace battery", "attery exhausted", "overload", "n battery power", "On Battery", "ONBATT", "ON BATTERY", "shutdown in progress"}, not: []string{"not overload", "no overload"}},
	{has: "attery disconnected", kind: incident.PowerLost, device: nothing, and: "apcupsd"},
	{has: "UPS battery must be replaced", kind: incident.PowerLost, device: nothing},
	{has: "Reached run time limit on batteries", kind: incident.PowerLost, device: nothing},
	{has: "Reached remaining time percentage limit on batteries", kind: incident.PowerLost, device: nothing},
	{has: "Remaining battery charge below limit", kind: incident.PowerLost, device: nothing, and: "apcupsd"},
	{has: "Power is back. UPS running on mains", kind: incident.PowerLost, device: nothing},
	{has: "Mains returned. No longer on UPS batteries", kind: incident.PowerLost, device: nothing},
	{has: "on line power", kind: incident.PowerLost, device: nothing, and: "upsmon", or: []string{"UPS "}}, // it was on battery before
	{has: "ups.alarm:", kind: incident.PowerLost, device: nothing, or: []string{"eplace battery", "attery", "verload", "ault"}},
	{has: "ups.status: ", kind: incident.PowerLost, device: nothing, or: []string{" LB", " RB", " OVER", "OB", " BYPASS", "FSD"}},
	{has: "ups.test.result: ", kind: incident.PowerLost, device: nothing, or: []string{"ailed", "error"}},
	{has: "STATUS   : ", kind: incident.PowerLost, device: nothing, or: []string{"LOWBATT", "REPLACEBATT", "OVERLOAD", "ONBATT", "SHUTTING DOWN"}}, // apcaccess
	{has: "Power Supply by.", kind: incident.PowerLost, device: nothing, and: "Battery Power"},                                                     // pwrstat
	{has: "State.....", kind: incident.PowerLost, device: nothing, and: "Power Failure"},
	{has: "safe mode", kind: incident.PowerLost, device: nothing, and: "UPS"}, // Synology
	{has: "OnBattery", kind: incident.PowerLost, device: nothing, or: []string{"UPS", "ups"}},
	{has: "Communications with UPS", kind: incident.UPSSilent, device: nothing, or: []string{" lost"}},
	{has: "UPS ", kind: incident.UPSSilent, device: nothing, and: " is unavailable"},
	{has: "Data for UPS [", kind: incident.UPSSilent, device: nothing, and: "stale"},
	{has: "STATUS   : COMMLOST", kind: incident.UPSSilent, device: nothing},
	// rails in sensors output that are past their limit
	{has: "V  (min = ", kind: incident.PowerLost, device: nothing, and: "ALARM", or: []string{"+12V:", "+5V:", "+3.3V:", "12V:", "5VSB:"}},
	// regulators and hosts
	{has: "regulator", kind: incident.UnderVoltage, device: nothing, or: []string{"under-voltage", "over-current", "nder voltage", "ver current"}, not: []string{"protection", "limit", "not supported"}},
	{has: "oltage normalised", kind: incident.UnderVoltage, device: nothing, and: "hwmon"}, // the Pi's, after under-voltage
	{has: "not enough power", kind: incident.USBPower, device: usbPort, or: []string{"usb", "USB", "hub"}},
	{has: "rejected 1 configuration due to insufficient", kind: incident.USBPower, device: usbPort},
	{has: "without cleanly shutting down first", kind: incident.SuddenStop, device: nothing}, // Windows
	{has: "corrupted or uncleanly shut down, renaming and replacing", kind: incident.SuddenStop, device: nothing},
	{has: ": recovering journal", kind: incident.SuddenStop, device: nothing, not: []string{"raid", "RAID"}},
	{has: "Dirty bit is set", kind: incident.SuddenStop, device: nothing},
	{has: "corrupted or uncleanly shut down", kind: incident.SuddenStop, device: nothing},
}

// manyStops is a count of power losses that a drive with good power never reaches in its
// life.
const manyStops = 1000

// unsafeStops reads how often an NVMe drive lost power without a shutdown: "Unsafe
// Shutdowns: 7,676" from smartctl, "unsafe_shutdowns : 7676" from nvme-cli.
func (r *Reader) unsafeStops(text string, n int) {
	_, value, _ := strings.Cut(text, ":")
	count, err := strconv.ParseInt(strings.ReplaceAll(strings.TrimSpace(value), ",", ""), 10, 64)
	if err == nil && count >= manyStops {
		r.smart(incident.SMARTUnsafe, float64(count), text, n)
	}
}

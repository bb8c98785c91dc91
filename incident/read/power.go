package read

import (
	"strings"

	"assay/incident"
)

var powerSignatures = []signature{
	{has: "nder-voltage detected", kind: incident.UnderVoltage, device: nothing},
	{has: "Undervoltage detected", kind: incident.UnderVoltage, device: nothing},
	{has: "Power Supply", kind: incident.PowerLost, device: nothing, or: []string{"AC lost", "Failure detected", "lost", "input lost"}},
	{has: "Power Unit", kind: incident.PowerLost, device: nothing, or: []string{"AC lost", "Failure detected", "Redundancy Lost"}},
	{has: "Regulator ", kind: incident.PowerLost, device: nothing, and: "Server Critical Fault"}, // HPE's log
	{has: "Pwr. Supply Bay Failed", kind: incident.PowerLost, device: nothing},                   // hplog
	{has: "input power for power supply", kind: incident.PowerLost, device: nothing, and: "lost"},
	{has: "power input for power supply", kind: incident.PowerLost, device: nothing, and: "lost"},
	{has: "PS Redundancy", kind: incident.PowerLost, device: nothing, or: []string{"Redundancy Lost", "Non-Redundant"}},
	{has: "due to insufficient available bus power", kind: incident.USBPower, device: usbPort},
	{has: "Power supply redundancy is lost", kind: incident.PowerLost, device: nothing},
	{has: "| Voltage", kind: incident.PowerLost, device: nothing, and: "| Lower Critical going low"},
	{has: "on battery", kind: incident.PowerLost, device: nothing, and: "UPS"},
	{has: "n UPS batteries", kind: incident.PowerLost, device: nothing, or: []string{"Running on"}}, // apcupsd
	{has: "]: Power failure.", kind: incident.PowerLost, device: nothing, and: "apcupsd"},
	{has: "Battery power exhausted", kind: incident.PowerLost, device: nothing, and: "apcupsd"},
	{has: "percentage limit on batteries", kind: incident.PowerLost, device: nothing, and: "apcupsd"},
	{has: "forced shutdown in progress", kind: incident.PowerLost, device: nothing, and: "UPS"}, // upsmon
	{has: "battery is low", kind: incident.PowerLost, device: nothing, and: "UPS"},
	{has: "ups.status: OB", kind: incident.PowerLost, device: nothing},    // upsc of NUT
	{has: "STATUS   : ONBATT", kind: incident.PowerLost, device: nothing}, // apcaccess
	{has: "UPS battery must be replaced", kind: incident.PowerLost, device: nothing},
	{has: "attery needs to be replaced", kind: incident.PowerLost, device: nothing, and: "UPS"},
	{has: "ower supply ", kind: incident.PowerLost, device: nothing, or: []string{" has failed", " failed.", "has lost AC power", "is unable to provide", "is operating outside"}},
	{has: "Power Supply Failure", kind: incident.PowerLost, device: nothing},
	{has: "Power Supplies Not Redundant", kind: incident.PowerLost, device: nothing},
	{has: "Power Supplies", kind: incident.PowerLost, device: nothing, or: []string{"edundancy lost", "edundancy Lost"}},
	{has: "voltage is outside", kind: incident.PowerLost, device: nothing, or: []string{"PSU", "oard", "upply"}},
	{has: "voltage is less than the lower critical", kind: incident.PowerLost, device: nothing},
	{has: "| Voltage", kind: incident.PowerLost, device: nothing, or: []string{"| Lower Non-recoverable going low"}},
	{has: "Pwr Consumption", kind: incident.PowerLost, device: nothing, and: "Upper Critical going high"},
	{has: "power-fail shutdown", kind: incident.PowerLost, device: nothing},
	{has: "Power Supply", kind: incident.PowerLost, device: nothing, or: []string{"Predictive failure", "Predictive Failure", "out-of-range", "Input out-of-range"}},
	{has: "PG voltage is outside", kind: incident.PowerLost, device: nothing},
	{has: "Utility power failure", kind: incident.PowerLost, device: nothing}, // pwrstat
	{has: "lost power input", kind: incident.PowerLost, device: nothing},
	{has: "attery is low", kind: incident.PowerLost, device: nothing, and: "UPS"},
	{has: "rownout detected", kind: incident.UnderVoltage, device: nothing},
	{has: "Self Test completed: Battery failure", kind: incident.PowerLost, device: nothing}, // apcupsd
}

// powerSupply notes the heading of a power supply in hpasmcli output.
func (r *Reader) powerSupply(_ string, n int) { r.supply = n }

// condition reads "Condition: FAILED" below that heading.
func (r *Reader) condition(text string, n int) {
	const lines = 6
	if r.supply > 0 && n-r.supply <= lines && strings.Contains(text, "FAILED") {
		r.event(incident.PowerLost, "", 0, stamped{text: text}, n)
	}
}

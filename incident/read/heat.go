package read

import "assay/incident"

var heatSignatures = []signature{
	{has: "critical temperature reached", kind: incident.TooHot, device: nothing},
	{has: "ritical temperature", kind: incident.TooHot, device: nothing, or: []string{"shutting down", "reached", "exceeded"}},
	{has: "Thermal Trip", kind: incident.TooHot, device: nothing}, // ipmitool sel list
	{has: "because it has over heated", kind: incident.TooHot, device: port},
	{has: "stopped because it overheated", kind: incident.TooHot, device: port},
	{has: "clock throttled", kind: incident.Throttled, device: nothing},
	{has: "temperature above threshold", kind: incident.Throttled, device: nothing},
	{has: "HARDWARE PROTECTION ", kind: incident.TooHot, device: nothing, and: "Temperature too high"},
	{has: "temperature is above threshold", kind: incident.Throttled, device: nothing}, // Linux 6.1
	{has: "unning in modulated clock mode", kind: incident.Throttled, device: nothing},
	{has: "hermal throttling", kind: incident.Throttled, device: nothing, or: []string{"active", "detected", "started", "enabled", "occurred"}},
	{has: "°C  ALARM (CRIT)", kind: incident.TooHot, device: nothing},                 // sensors
	{has: "heated above trip temperature", kind: incident.Throttled, device: nothing}, // mcelog
	{has: "Temperature", kind: incident.Warm, device: nothing, and: "| Upper ", or: []string{"ritical going high"}},
	{has: "Temperature Threshold flags", kind: incident.Warm, device: nothing, and: "exceeded"}, // mpt3sas
	{has: "reached critical limit of", kind: incident.Warm, and: "Temperature"},                 // smartd
	{has: "Temperature", kind: incident.Warm, device: nothing, and: "| Upper ", or: []string{"on-recoverable going high"}},
	{has: " Temp", kind: incident.Warm, device: nothing, or: []string{"| Upper Critical going high", "| Upper Non-recoverable going high"}},
	{has: "greater than the upper critical threshold", kind: incident.Warm, device: nothing, and: "emperature"}, // Dell's log
	{has: "above the upper critical threshold", kind: incident.Warm, device: nothing, and: "emperature"},
	{has: "hermal shutdown", kind: incident.TooHot, device: nothing, not: []string{"Enabled", "enabled", "threshold"}},
	{has: "hermal emergency", kind: incident.TooHot, device: nothing},
	{has: "verheat", kind: incident.TooHot, device: nothing, or: []string{"shutting down", "shut down", "shutdown", "detected"}},
	{has: "PROCHOT", kind: incident.Throttled, device: nothing, or: []string{"asserted", "Asserted", "active"}},
	{has: "System Overheating", kind: incident.TooHot, device: nothing}, // HPE's log
	{has: "Overtemperature Condition", kind: incident.Warm, device: nothing},
	{has: "Automatic Operating System Shutdown Initiated Due to Overheat", kind: incident.TooHot, device: nothing},
	{has: "Over Temperature", kind: incident.Warm, device: nothing, and: "Asserted"},
	{has: "less than the lower critical threshold", kind: incident.FanFailed, device: nothing, and: "RPM"}, // Dell's log
	{has: "below the lower critical threshold", kind: incident.FanFailed, device: nothing, and: "an "},
	{has: "Fan has stopped, replace the adapter", kind: incident.FanFailed, device: nothing}, // ixgbe
	{has: "System Fan Failure", kind: incident.FanFailed, device: nothing},                   // HPE's log
	{has: "Fan Failure", kind: incident.FanFailed, device: nothing, not: []string{"Fan Failure: No"}},
	{has: "an redundancy is lost", kind: incident.FanFailed, device: nothing},
	{has: "Fan redundancy lost", kind: incident.FanFailed, device: nothing},
	{has: "HW Thermal Slowdown", kind: incident.Throttled, device: nothing, and: ": Active"}, // nvidia-smi -q
	{has: "SW Thermal Slowdown", kind: incident.Throttled, device: nothing, and: ": Active"},
	{has: "°C  ALARM", kind: incident.TooHot, device: nothing}, // sensors
	{has: "°C)  ALARM", kind: incident.TooHot, device: nothing},
	{has: "ALARM (CRIT)", kind: incident.TooHot, device: nothing},
	{has: "CPU overheat", kind: incident.TooHot, device: nothing, not: []string{"| OK", "not"}},
	{has: "Fan ", kind: incident.FanFailed, device: nothing, or: []string{"| Lower Non-recoverable going low"}},
	{has: "| FAN", kind: incident.FanFailed, device: nothing, or: []string{"| Lower Critical going low", "| Lower Non-recoverable going low"}},
	{has: "Fan ", kind: incident.FanFailed, device: nothing, and: "| Lower Critical going low"},
	{has: "| Fan", kind: incident.FanFailed, device: nothing, and: "| Lower Critical going low"},
	{has: "critical temp reached", kind: incident.TooHot, device: nothing}, // thermald
	{has: "over temperature range", kind: incident.TooHot, device: nothing, and: "amdgpu"},
	{has: "shutdown due to GPU", kind: incident.TooHot, device: nothing, and: "CTF"},
	{has: "BP_THERMTRIP_L", kind: incident.TooHot, device: nothing}, // AMD, about the last reset
	{has: "Start idle injection to reduce power", kind: incident.Throttled, device: nothing},
	{has: " reached limit of ", kind: incident.Warm, and: "Temperature"}, // smartd
	{has: "due to thermal", kind: incident.TooHot, device: nothing, or: []string{"hutting down", "hutdown"}},
}
